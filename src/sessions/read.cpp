// memory.session and memory.sessions: sessions as they are. Their paths are those of other rooms'
// tables, so all of them must be there.
#include "access/page.h"
#include "filter/filter.h"
#include "pg/statement.h"
#include "sessions/sessions.h"
#include "sessions/sql.h"
#include "sessions/tables.h"

namespace memory::sessions {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(find_one, "SELECT {session:s} FROM memory.sessions s WHERE {named:s}"_sql);

// Planned for what is asked for: by names, or along the index of times.
MEMORY_STATEMENT(newest_updated, "{page:updated_at,DESC,ASC}"_sql, pg::Statement::for_each_values);
MEMORY_STATEMENT(oldest_updated, "{page:updated_at,ASC,DESC}"_sql, pg::Statement::for_each_values);
MEMORY_STATEMENT(newest_created, "{page:created_at,DESC,ASC}"_sql, pg::Statement::for_each_values);
MEMORY_STATEMENT(oldest_created, "{page:created_at,ASC,DESC}"_sql, pg::Statement::for_each_values);

constexpr pg::Choice<pg::Statement *> orders[]{{"updated", &newest_updated},
                                               {"-updated", &oldest_updated},
                                               {"created", &newest_created},
                                               {"-created", &oldest_created}};

Names checked_names(const pg::Given<std::span<const std::string_view>> &given) {
    const auto names = given.or_else({});
    for (std::size_t n = 0; n < names.size(); ++n)
        checked_name(pg::Given<std::string_view>({{}, "ids", n}, names[n]));
    return given;
}

} // namespace

MEMORY_CALL(memory_session, "session_id text, user_id text") {
    const std::string_view session = checked_name(call.text("session_id"));
    access::Reading reading(call, room);
    schema::require_all(schema::Need::to_read);
    reading.rows().add_from(find_one, SnapshotOf::caller, {reading.tenant(), session});
    return call.nothing();
}

MEMORY_CALL(memory_sessions, "user_id text, agent_id text, ids text[], filter jsonb,"
                             " since timestamptz, until timestamptz, k bigint, skip bigint,"
                             " sort text") {
    const Names ids = checked_names(call.texts("ids"));
    const filter::Conditions metadata = filter::conditions_of(call.json("filter"));
    const std::int64_t k = access::row_limit(call.bigint("k"));
    const std::int64_t skip = access::rows_skipped(call.bigint("skip"));
    pg::Statement &page = *call.text("sort").one_of(orders).or_else(&newest_updated);
    access::Reading reading(call, room);
    schema::require_all(schema::Need::to_read);
    reading.rows().add_from(page, SnapshotOf::caller,
                            {reading.tenant(), call.text("agent_id").optional(), ids, metadata,
                             call.instant("since").optional(), call.instant("until").optional(),
                             skip, k});
    return call.nothing();
}

} // namespace memory::sessions
