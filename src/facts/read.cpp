// memory.facts and memory.fact_history: facts as they are, at any point of both times.
#include "facts/read.h"
#include "facts/fact.h"
#include "facts/tables.h"
#include "pg/error.h"
#include "pg/rows.h"
#include "schema/require.h"

namespace memory::facts {

namespace {

using pg::Parameter;
using pg::Statement;

// $1, $2 the tenant; $3 subject, $4 predicate, $5 object, where they are given; $6 valid at, $7
// known at, $8 how many. The inner order is that of the index to use, so that it is also used where
// there are no statistics yet.
#define FACTS(filter, order, known)                                                                \
    Statement("SELECT " MEMORY_FACT_COLUMNS(                                                       \
        "f") " FROM (SELECT f.* FROM memory.facts f WHERE " OF_TENANT("f")                         \
                  filter known VALID_AT("f", "$6") order                                           \
              ") f"                                                                                \
              " ORDER BY f.valid_from DESC, f.id DESC LIMIT $8")
#define BOTH_KNOWN(filter, order)                                                                  \
    { FACTS(filter, order, KNOWN_NOW("f")), FACTS(filter, order, KNOWN_AT("f", "$7")) }

#define SUBJECT " AND f.subject_key OPERATOR(pg_catalog.=) $3"
#define PREDICATE " AND f.predicate OPERATOR(pg_catalog.=) $4"
#define OBJECT " AND f.object_key OPERATOR(pg_catalog.=) $5"

// By what is given: subject 1, predicate 2, object 4. One statement each, so that each is planned
// for what it knows.
constinit Statement find[8][2] = {
    BOTH_KNOWN("", ""),
    BOTH_KNOWN(SUBJECT, "ORDER BY f.predicate"),
    BOTH_KNOWN(PREDICATE, ""),
    BOTH_KNOWN(SUBJECT PREDICATE, "ORDER BY f.known_until, f.valid_until"),
    BOTH_KNOWN(OBJECT, "ORDER BY f.known_until"),
    BOTH_KNOWN(SUBJECT OBJECT, "ORDER BY f.predicate"),
    BOTH_KNOWN(PREDICATE OBJECT, "ORDER BY f.known_until"),
    BOTH_KNOWN(SUBJECT PREDICATE OBJECT, "ORDER BY f.known_until, f.valid_until"),
};

constinit Statement
    find_history("SELECT " MEMORY_FACT_COLUMNS("f") " FROM memory.facts f WHERE " OF_TENANT("f")
                     SUBJECT PREDICATE " ORDER BY f.known_from, f.valid_from, f.id");

Parameter entity_parameter(std::optional<std::string_view> text) {
    return text ? Parameter::text(entity_key(*text)) : Parameter::absent(TEXTOID);
}

Parameter predicate_parameter(std::optional<std::string_view> text) {
    return text ? Parameter::text(predicate_key(*text)) : Parameter::absent(TEXTOID);
}

} // namespace

std::int32_t row_limit(const pg::Arguments &arguments, int n, std::int32_t without) {
    constexpr int most_rows = 1'000'000;
    const std::int32_t k = arguments.has(n) ? DatumGetInt32(arguments.datum(n)) : without;
    if (k < 1 || k > most_rows)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "k must be between 1 and %d, not %d",
                        most_rows, k);
    return k;
}

// The latest belief is what is known at infinity.
std::optional<Datum> known_at(const pg::Arguments &arguments, int n) {
    const std::optional<Datum> time = arguments.optional(n);
    return time && DatumGetTimestampTz(*time) != algebra::forever ? time : std::nullopt;
}

MEMORY_FUNCTION(memory_facts) {
    const std::int32_t k = row_limit(arguments, 6, 10);
    schema::require(schema::Need::to_read, room);
    pg::ResultSet result(arguments);
    const pg::Spi spi;
    const access::Tenant tenant = access::reading_tenant(arguments.text(3));
    const std::optional<Datum> known = known_at(arguments, 5);
    const std::array parameters{
        tenant.name_space_parameter(),        tenant.user_parameter(),
        entity_parameter(arguments.text(0)),  predicate_parameter(arguments.text(1)),
        entity_parameter(arguments.text(2)),  Parameter::of(TIMESTAMPTZOID, arguments.optional(4)),
        Parameter::of(TIMESTAMPTZOID, known), Parameter::of(INT4OID, Int32GetDatum(k))};
    const int given =
        (arguments.has(0) ? 1 : 0) + (arguments.has(1) ? 2 : 0) + (arguments.has(2) ? 4 : 0);
    result.add_from(find[given][known ? 1 : 0], parameters, pg::Access::read);
    return Datum{0};
}

MEMORY_FUNCTION(memory_fact_history) {
    schema::require(schema::Need::to_read, room);
    pg::ResultSet result(arguments);
    const pg::Spi spi;
    const access::Tenant tenant = access::reading_tenant(arguments.text(2));
    const std::array parameters{tenant.name_space_parameter(), tenant.user_parameter(),
                                Parameter::text(subject_name("subject", arguments.text(0)).key),
                                Parameter::text(predicate_name("predicate", arguments.text(1)))};
    result.add_from(find_history, parameters, pg::Access::read);
    return Datum{0};
}

} // namespace memory::facts
