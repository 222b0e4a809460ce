// Functions written with MEMORY_CALL: what they say of arguments, and how values get in and out.
#include "fail.h"
#include "pg/function_call.h"
#include "pg/json_element.h"
#include "pg/memory.h"
#include "pg/statement.h"

namespace door {

namespace {

enum class Colour { red, green };
constexpr pg::Choice<Colour> colours[]{{"red", Colour::red}, {"green", Colour::green}};

// As the arguments of a call or as an element of an array: checked, then told.
template <class Given>
std::string told(const Given &given) {
    std::string text;
    const auto tell = [&text](const char *name, const std::string &value) {
        text.append(text.empty() ? "" : " ").append(name).append("=").append(value);
    };
    if (const auto word = given.text("word").not_empty().at_most(8, "Shorten it.").optional())
        tell("word", std::string(*word));
    if (const auto colour = given.text("colour").one_of(colours).optional())
        tell("colour", *colour == Colour::red ? "red" : "green");
    if (const auto part = given.real("part").between(0, 1).optional())
        tell("part", std::to_string(*part));
    if (given.instant("moment").finite())
        tell("moment", "finite");
    if (given.interval("length").positive())
        tell("length", "positive");
    if (given.json("document").object())
        tell("document", "object");
    if (const auto ids = given.uuids("ids").optional())
        tell("ids", std::to_string(ids->size()));
    if (given.uuid("id"))
        tell("id", "given");
    if (const auto vector = given.vector("direction").optional())
        tell("direction", std::to_string((*vector)->elements().size()));
    return text;
}

} // namespace

#define TOLD                                                                                       \
    "word text, colour text, part float8, moment timestamptz, length interval, document jsonb, "   \
    "ids uuid[], id uuid, direction vector"

MEMORY_CALL(door_told, TOLD) { return call.result(std::string_view(told(call))); }

// (elements jsonb): a row for each.
MEMORY_CALL(door_told_each, "elements jsonb") {
    pg::ResultSet result(call.arguments());
    pg::JsonWalk walk(pg::json_root(call.json("elements").required().jsonb));
    for (std::size_t n = 0; const auto element = walk.next_element(); ++n) {
        const pg::JsonElement<door_told_signature> fields("elements", n, *element,
                                                          "Keys are the arguments of door.told.");
        result.add({std::string_view(told(fields))});
    }
    return call.nothing();
}

// Numbers that must fit.
MEMORY_CALL(door_fitted, "small bigint, k bigint, words text[], truth boolean, role regrole") {
    const auto small = call.bigint("small").within<std::int16_t>(-5, 300).or_else(7);
    const std::int64_t k = call.bigint("k").between(1, 1'000'000).required();
    std::string all;
    if (const auto words = call.texts("words").optional())
        for (const std::string_view word : *words)
            all.append(word).append(";");
    return call.row({static_cast<std::int32_t>(small), k, std::string_view(all),
                     call.boolean("truth").optional(),
                     call.role("role") ? pg::as<pg::ObjectId>(call.role("role").required())
                                       : pg::Parameter::absent(OIDOID)});
}

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written>();
}

MEMORY_STATEMENT(types_of,
                 "SELECT concat_ws(' ', pg_catalog.pg_typeof($1), pg_catalog.pg_typeof($2),"
                 " pg_catalog.pg_typeof($3), pg_catalog.pg_typeof($4),"
                 " pg_catalog.pg_typeof($5), pg_catalog.pg_typeof($6),"
                 " pg_catalog.pg_typeof($7), pg_catalog.pg_typeof($8),"
                 " pg_catalog.pg_typeof($9), pg_catalog.pg_typeof($10),"
                 " pg_catalog.pg_typeof($11), pg_catalog.pg_typeof($12)), $12[2]"_sql);

// What C++ values are sent as.
MEMORY_CALL(door_sent_types, "id uuid, moment timestamptz, length interval, document jsonb") {
    const pg::Spi spi;
    const std::array words{std::string_view("one"), std::string_view("two")};
    const pg::Rows rows =
        types_of.run(pg::SnapshotOf::caller,
                     {std::string_view("text"), call.uuid("id").optional(), true, std::int32_t{1},
                      std::int64_t{2}, 3.0F, 4.0, call.instant("moment").optional(),
                      call.interval("length").optional(), call.json("document").optional(),
                      std::array{call.uuid("id").required()}, words});
    const auto [types, second] = rows.get<pg::Text, pg::Text>(0);
    return call.result(std::string_view(std::string(types) + " " + std::string(second)));
}

// (sql text): its first row as (int, text or NULL).
MEMORY_CALL(door_typed_row, "sql text") {
    const pg::Spi spi;
    const std::string sql(call.text("sql").required());
    pg::Statement statement(sql.c_str());
    const pg::Rows rows = statement.run(pg::SnapshotOf::now, {});
    const auto [number, name] = rows.get<pg::Int4, std::optional<pg::Text>>(0);
    return call.result(
        std::string_view(std::to_string(number) + " " + std::string(name.value_or("(null)"))));
}

// (sql text): its rows one by one, the first number that is not an int ends it.
MEMORY_CALL(door_typed_rows, "sql text") {
    const pg::Spi spi;
    const std::string sql(call.text("sql").required());
    pg::Statement statement(sql.c_str());
    std::int64_t sum = 0;
    statement.each(pg::SnapshotOf::caller, {},
                   [&sum](const pg::Row &row) { sum += row.get<pg::Int4>(); });
    return call.result(sum);
}

// Rows of (int, text), whatever the function is declared to return.
MEMORY_CALL(door_typed_result, "n bigint") {
    pg::ResultSet result(call.arguments());
    for (std::int64_t n = 0; n < call.bigint("n").required(); ++n)
        result.add({static_cast<std::int32_t>(n), std::optional<std::string_view>()});
    return call.nothing();
}

} // namespace door
