// Prepared statements that live as long as the backend.
#include "fail.h"
#include "pg/memory.h"
#include "pg/rows.h"
#include "usage.h"

namespace door {

namespace {

constinit pg::Statement newest("SELECT id, name FROM door.changing ORDER BY id DESC");
constinit pg::Statement type_of("SELECT pg_catalog.pg_typeof($1)::text || ' ' || $1::text");
constinit pg::Statement two_or_one("SELECT $1");
constinit pg::Statement next_turn("SELECT door.turn($1)");
constinit pg::Statement add("INSERT INTO door.things (name) VALUES ($1) RETURNING id");

using pg::Parameter;
using pg::SnapshotOf;

} // namespace

// The name in the newest row of door.changing.
MEMORY_FUNCTION(door_newest_name) {
    const pg::Spi spi;
    const pg::Rows rows = newest.run(SnapshotOf::caller, {});
    if (rows.empty())
        return arguments.null_result();
    const auto name = rows.find<pg::Text>(0, 1);
    const pg::SwitchedContext switched(spi.caller());
    return name ? pg::to_datum(*name) : arguments.null_result();
}

// (value): its type as the statement sees it, and its text.
MEMORY_FUNCTION(door_type_of) {
    const pg::Spi spi;
    const std::array parameters{Parameter::of(arguments.type(0), arguments.optional(0))};
    const auto answer = type_of.run(SnapshotOf::caller, parameters).find<pg::Text>(0, 0);
    const pg::SwitchedContext switched(spi.caller());
    return answer ? pg::to_datum(*answer) : arguments.null_result();
}

// A statement that is given more parameters than it has, and then fewer.
MEMORY_FUNCTION(door_other_parameter_count) {
    const pg::Spi spi;
    const std::array two{Parameter::of(INT4OID, Int32GetDatum(7)),
                         Parameter::of(INT4OID, Int32GetDatum(8))};
    const std::int32_t with_two = two_or_one.run(SnapshotOf::caller, two).get<pg::Int4>(0, 0);
    const std::span<const Parameter> one(two.data(), 1);
    return pg::to_datum(with_two == 7 &&
                        two_or_one.run(SnapshotOf::caller, one).get<pg::Int4>(0, 0) == 7);
}

// (n), an int or a text in turns: runs, inside itself, the same statement with the other type.
MEMORY_FUNCTION(door_turn) {
    const bool is_text = arguments.type(0) == TEXTOID;
    const std::int32_t n = is_text ? std::stoi(std::string(arguments.text(0).value()))
                                   : DatumGetInt32(arguments.datum(0));
    if (n == 0)
        return pg::to_datum(std::int32_t{0});
    const pg::Spi spi;
    const std::array parameters{is_text ? Parameter::of(INT4OID, Int32GetDatum(n - 1))
                                        : Parameter::text(std::string_view(std::to_string(n - 1)))};
    const pg::Rows rows = next_turn.run(SnapshotOf::now, parameters);
    return pg::to_datum(rows.get<pg::Int4>(0, 0) + 1);
}

// (times): runs a statement that often in one connection; the bytes by which memory grew.
MEMORY_FUNCTION(door_growth_by_statements) {
    const int times = DatumGetInt32(arguments.datum(0));
    const pg::Spi spi;
    Usage before{};
    for (int i = -100; i < times; ++i) {
        if (i == 0)
            before = Usage::now();
        const std::array parameters{Parameter::of(TEXTOID, std::nullopt)};
        if (add.run(SnapshotOf::now, parameters).size() != 1)
            throw pg::Error(ERRCODE_INTERNAL_ERROR, "nothing was inserted");
    }
    return Int64GetDatum(Usage::now().since(before));
}

// (sql): its rows as the function's, whose columns are (id int, name text).
MEMORY_FUNCTION(door_rows_of) {
    pg::ResultSet result(arguments);
    const pg::Spi spi;
    const std::string sql(arguments.text(0).value());
    pg::Statement statement(sql.c_str());
    result.add_from(statement, SnapshotOf::caller, {});
    return Datum{0};
}

// (sql, row, column): that value as a text, both counted from 0; NULL when it is.
MEMORY_FUNCTION(door_text_at) {
    const pg::Spi spi;
    const std::string sql(arguments.text(0).value());
    const auto row = static_cast<std::uint64_t>(DatumGetInt64(arguments.datum(1)));
    pg::Statement statement(sql.c_str());
    const auto found =
        statement.run(SnapshotOf::now, {}).find<pg::Text>(row, DatumGetInt32(arguments.datum(2)));
    const pg::SwitchedContext switched(spi.caller());
    return found ? pg::to_datum(*found) : arguments.null_result();
}

// (sql): the uuid in its first row, which must be there.
MEMORY_FUNCTION(door_uuid_of) {
    const pg::Spi spi;
    const std::string sql(arguments.text(0).value());
    pg::Statement statement(sql.c_str());
    return pg::to_datum(statement.run(SnapshotOf::caller, {}).get<pg::Uuid>(0, 0), spi.caller());
}

// (sql, rows): runs a statement that must write so many rows of memory.told.
MEMORY_FUNCTION(door_write) {
    const pg::Spi spi;
    const std::string sql(arguments.text(0).value());
    const auto rows = static_cast<std::uint64_t>(DatumGetInt64(arguments.datum(1)));
    pg::Statement statement(sql.c_str());
    return Int64GetDatum(static_cast<std::int64_t>(statement.write({}, "told", rows).size()));
}

} // namespace door
