// memory.get and memory.recall_recent: episodes as they are, without ranking.
#include "access/page.h"
#include "episodes/sql.h"
#include "episodes/tables.h"
#include "filter/filter.h"
#include "pg/statement.h"

namespace memory::episodes {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(find_one, R"(
    SELECT {episode:e} FROM memory.episodes e
    WHERE {tenant:e} AND e.id = $3 AND {not_expired:e})"_sql);

MEMORY_STATEMENT(find_newest, R"(
    SELECT {episode:e} FROM memory.episodes e
    WHERE {tenant:e} AND ($3::text IS NULL OR e.kind = $3) AND ($4::text IS NULL OR e.agent_id = $4)
        AND ($5::text IS NULL OR e.session_id = $5) AND {filtered:e.metadata,$6,$7,$8}
        AND {not_expired:e}
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT $9)"_sql,
                 pg::Statement::for_each_values);

} // namespace

MEMORY_CALL(memory_get, "id uuid, user_id text") {
    const std::optional<pg_uuid_t> id = call.uuid("id");
    access::Reading reading(call, room);
    if (id)
        reading.rows().add_from(find_one, SnapshotOf::caller, {reading.tenant(), *id});
    return call.nothing();
}

MEMORY_CALL(memory_recall_recent,
            "kind text, k bigint, user_id text, agent_id text, session_id text, filter jsonb") {
    const std::int64_t k = access::row_limit(call.bigint("k"));
    const filter::Conditions metadata = filter::conditions_of(call.json("filter"));
    access::Reading reading(call, room);
    reading.rows().add_from(find_newest, SnapshotOf::caller,
                            {reading.tenant(), call.text("kind").optional(),
                             call.text("agent_id").optional(), call.text("session_id").optional(),
                             metadata, k});
    return call.nothing();
}

} // namespace memory::episodes
