// memory.get and memory.recall_recent: episodes as they are, without ranking.
#include "access/scope.h"
#include "episodes/columns.h"
#include "pg/error.h"
#include "pg/rows.h"
#include "setup/schema.h"

namespace memory::episodes {

namespace {

constexpr int most_rows = 1'000'000;

constinit pg::Statement
    find_one("SELECT " EPISODE_COLUMNS " FROM memory.episodes "
             "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
             " AND id OPERATOR(pg_catalog.=) $3 AND " NOT_EXPIRED);

constinit pg::Statement
    find_newest("SELECT " EPISODE_COLUMNS " FROM memory.episodes e "
                "WHERE namespace OPERATOR(pg_catalog.=) $1 AND e.user_id OPERATOR(pg_catalog.=) $2"
                " AND ($3 IS NULL OR kind OPERATOR(pg_catalog.=) $3)"
                " AND ($4 IS NULL OR agent_id OPERATOR(pg_catalog.=) $4)"
                " AND ($5 IS NULL OR session_id OPERATOR(pg_catalog.=) $5) AND " NOT_EXPIRED
                " ORDER BY occurred_at DESC, id DESC LIMIT $6");

std::int32_t row_limit(const pg::Arguments &arguments, int n) {
    const std::int32_t k = arguments.has(n) ? DatumGetInt32(arguments.datum(n)) : 20;
    if (k < 1 || k > most_rows)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "k must be between 1 and %d, not %d",
                        most_rows, k);
    return k;
}

} // namespace

MEMORY_FUNCTION(memory_get) {
    if (!arguments.has(0))
        return arguments.null_result();
    setup::require_tables(setup::Need::to_read);
    const pg::Spi spi;
    const access::Tenant tenant = access::reading_tenant(arguments.text(1));
    const std::array key{tenant.name_space_parameter(), tenant.user_parameter(),
                         pg::Parameter::uuid(*DatumGetUUIDP(arguments.datum(0)))};
    const pg::Rows rows = find_one.run(key, pg::Access::read);
    return rows.empty() ? arguments.null_result() : pg::row_datum(arguments, rows, 0, spi.caller());
}

MEMORY_FUNCTION(memory_recall_recent) {
    const std::int32_t k = row_limit(arguments, 1);
    setup::require_tables(setup::Need::to_read);
    pg::ResultSet result(arguments);
    const pg::Spi spi;
    const access::Tenant tenant = access::reading_tenant(arguments.text(2));
    const std::array parameters{
        tenant.name_space_parameter(),          tenant.user_parameter(),
        pg::Parameter::text(arguments.text(0)), pg::Parameter::text(arguments.text(3)),
        pg::Parameter::text(arguments.text(4)), pg::Parameter::of(INT4OID, Int32GetDatum(k))};
    result.add_from(find_newest, parameters, pg::Access::read);
    return Datum{0};
}

} // namespace memory::episodes
