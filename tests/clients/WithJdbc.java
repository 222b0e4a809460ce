// JDBC: long and int, double, UUID, OffsetDateTime and arrays are themselves; JSON is a PGobject, a vector text. Behind a
// pooler `prepareThreshold=0`.
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGStatement;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGobject;

class WithJdbc {
    record Argument(String type, String value) {}

    static class Case {
        String name, sql = "";
        List<Argument> arguments = new ArrayList<>();
        String[] columns = {};
        List<String> rows = new ArrayList<>();
        int times = 1;
        boolean direct;
    }

    static boolean pooled;
    static String user;
    static int number, failed;

    static List<Case> read(String file) throws Exception {
        List<Case> cases = new ArrayList<>();
        Case last = null;
        for (String line : Files.readAllLines(Path.of(file))) {
            String[] parts = line.split(" ", 2);
            String rest = parts.length > 1 ? parts[1] : "";
            switch (parts[0]) {
                case "case" -> {
                    cases.add(last = new Case());
                    last.name = rest;
                }
                case "sql" -> last.sql += rest.strip().replaceAll("\\$\\d+", "?") + " ";
                case "arg" -> {
                    String[] words = rest.split(" ", 2);
                    last.arguments.add(words[0].equals("user") ? new Argument("text", user)
                        : new Argument(words[0], words.length > 1 ? words[1] : ""));
                }
                case "columns" -> last.columns = rest.split(" ");
                case "row" -> last.rows.add(rest);
                case "error" -> last.rows = List.of("error " + rest);
                case "times" -> last.times = Integer.parseInt(rest);
                case "direct" -> last.direct = true;
                default -> { }
            }
        }
        cases.removeIf(one -> one.direct && pooled);
        return cases;
    }

    static int sqlType(String type) {
        return switch (type) {
            case "text" -> Types.VARCHAR;
            case "float" -> Types.DOUBLE;
            case "int" -> Types.BIGINT;
            case "time" -> Types.TIMESTAMP_WITH_TIMEZONE;
            default -> Types.OTHER;
        };
    }

    static void bind(PreparedStatement statement, int n, String type, String value) throws Exception {
        Connection connection = statement.getConnection();
        if (value.equals("NULL")) {
            statement.setNull(n, sqlType(type));
            return;
        }
        switch (type) {
            case "text", "vector" -> statement.setString(n, value);
            case "float" -> statement.setDouble(n, Double.parseDouble(value));
            case "int" -> statement.setLong(n, Long.parseLong(value));
            case "small" -> statement.setInt(n, Integer.parseInt(value));
            case "decimal" -> statement.setBigDecimal(n, new BigDecimal(value));
            case "uuid" -> statement.setObject(n, UUID.fromString(value));
            case "time" -> statement.setObject(n, OffsetDateTime.parse(value));
            case "interval" -> statement.setObject(n, new PGInterval(value + " days"));
            case "texts" -> statement.setArray(n,
                connection.createArrayOf("text", value.substring(1, value.length() - 1).split(",")));
            case "uuids" -> statement.setArray(n, connection.createArrayOf("uuid",
                Stream.of(value.split(",")).filter(one -> !one.isEmpty()).map(UUID::fromString).toArray()));
            case "json" -> {
                PGobject json = new PGobject();
                json.setType("jsonb");
                json.setValue(value);
                statement.setObject(n, json);
            }
            default -> throw new IllegalArgumentException(type);
        }
    }

    static final DateTimeFormatter ISO = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");

    static String show(ResultSet rows, int n, String type) throws Exception {
        if (rows.getObject(n) == null)
            return "NULL";
        return switch (type) {
            case "float" -> String.format(Locale.ROOT, "%.6f", rows.getDouble(n));
            case "int" -> Long.toString(rows.getLong(n));
            case "bool" -> Boolean.toString(rows.getBoolean(n));
            case "uuid" -> rows.getObject(n, UUID.class).toString();
            case "list" -> "{" + Stream.of((Object[]) rows.getArray(n).getArray()).map(Object::toString)
                .collect(Collectors.joining(",")) + "}";
            case "time" -> ISO.format(rows.getObject(n, OffsetDateTime.class).withOffsetSameInstant(ZoneOffset.UTC));
            default -> rows.getString(n);
        };
    }

    static List<String> run(PreparedStatement statement, Case one) throws Exception {
        List<String> shown = new ArrayList<>();
        for (int n = 0; n < one.arguments.size(); ++n)
            bind(statement, n + 1, one.arguments.get(n).type(), one.arguments.get(n).value());
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int n = 0; n < one.columns.length; ++n)
                    row.add(show(rows, n + 1, one.columns[n]));
                shown.add(String.join(" | ", row));
            }
        }
        return shown;
    }

    static List<String> outcome(Connection connection, Case one, List<PreparedStatement> prepared) throws Exception {
        try {
            // Left open, so that what is prepared stays.
            PreparedStatement statement = connection.prepareStatement(one.sql);
            prepared.add(statement);
            if (one.times > 1 && !pooled)
                statement.unwrap(PGStatement.class).setPrepareThreshold(1);
            List<String> shown = null;
            for (int n = 0; n < one.times; ++n)
                shown = run(statement, one);
            return shown;
        } catch (SQLException error) {
            return List.of("error " + (error.getSQLState() != null ? error.getSQLState() : error.toString()));
        } catch (DateTimeException error) { // what Java makes of an infinite time
            return List.of("error " + error.getMessage());
        }
    }

    static void same(List<String> got, List<String> expected, String name) {
        boolean good = got.equals(expected);
        failed += good ? 0 : 1;
        System.out.println((good ? "ok " : "not ok ") + ++number + " - " + name);
        if (!good)
            System.out.println("#   got\n#   " + String.join("\n#   ", got)
                + "\n#   expected\n#   " + String.join("\n#   ", expected));
    }

    public static void main(String[] said) throws Exception {
        pooled = said.length > 1 && said[1].equals("pooled");
        user = said[0] + (pooled ? " pooled" : "");
        List<PreparedStatement> prepared = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(
                "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/"
                + System.getenv("PGDATABASE") + (pooled ? "?prepareThreshold=0" : ""), System.getenv("PGUSER"), "")) {
            for (Case one : read(System.getenv("CASES")))
                same(outcome(connection, one, prepared), one.rows, one.name);
        }
        System.out.println("1.." + number);
        System.exit(failed > 0 ? 1 : 0);
    }
}
