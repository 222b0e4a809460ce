// memory.get and memory.recall_recent: episodes as they are, without ranking.
#include "access/call.h"
#include "episodes/sql.h"
#include "episodes/tables.h"
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
        AND ($5::text IS NULL OR e.session_id = $5) AND {not_expired:e}
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT $6)"_sql);

} // namespace

MEMORY_CALL(memory_get, "id uuid, user_id text") {
    const std::optional<pg_uuid_t> id = call.uuid("id");
    access::Reading reading(call, room);
    if (id)
        reading.rows().add_from(find_one, SnapshotOf::caller, {reading.tenant(), *id});
    return call.nothing();
}

MEMORY_CALL(memory_recall_recent,
            "kind text, k bigint, user_id text, agent_id text, session_id text") {
    const std::int64_t k = call.bigint("k").between(1, access::most_rows).or_else(20);
    access::Reading reading(call, room);
    reading.rows().add_from(find_newest, SnapshotOf::caller,
                            {reading.tenant(), call.text("kind").optional(),
                             call.text("agent_id").optional(), call.text("session_id").optional(),
                             k});
    return call.nothing();
}

} // namespace memory::episodes
