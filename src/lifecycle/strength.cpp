// memory.reinforce() and memory.strength(): what an episode counts, which falls with age and rises
// by being reinforced only.
#include "access/call.h"
#include "episodes/sql.h"
#include "episodes/tables.h"
#include "lifecycle/tables.h"
#include "pg/statement.h"

namespace memory::lifecycle {

namespace {

using episodes::operator""_sql;
using pg::SnapshotOf;

// $3 ids, in order, so that two calls do not wait for each other; $4 the amount. The row of the
// second and later times is locked and as its last writer has left it. An episode that another
// transaction is deleting is waited for, and passed over.
MEMORY_STATEMENT(note_use, R"(
    INSERT INTO memory.usage AS u
        (namespace, user_id, episode_id, accesses, accessed_at, reinforced_at, weight)
    SELECT e.namespace, e.user_id, e.id, 1, now(), now(),
        least(memory_internal.faded($1, e.kind, '1'::float8, e.occurred_at, now()) + $4, '1'::float8)
    FROM (SELECT l.* FROM memory.episodes l WHERE {tenant:l} AND l.id = ANY ($3) AND {not_expired:l}
          ORDER BY l.id FOR KEY SHARE) e
    ON CONFLICT (namespace, user_id, episode_id) DO UPDATE
    SET accesses = u.accesses + 1, accessed_at = now(), reinforced_at = now(),
        weight = least((SELECT memory_internal.faded($1, o.kind, coalesce(u.weight, '1'::float8),
                            coalesce(u.reinforced_at, o.occurred_at), now())
                        FROM memory.episodes o WHERE {tenant:o} AND o.id = u.episode_id) + $4,
                       '1'::float8))"_sql);

// $3 an id, $4 a time or NULL for now.
MEMORY_STATEMENT(find_strength, R"(
    SELECT least(e.importance * memory_internal.faded($1, e.kind, coalesce(u.weight, '1'::float8),
                     coalesce(u.reinforced_at, e.occurred_at), coalesce($4, now())), '1'::float8)
    FROM memory.episodes e LEFT JOIN memory.usage u ON {tenant:u} AND u.episode_id = e.id
    WHERE {tenant:e} AND e.id = $3 AND {not_expired:e})"_sql);

} // namespace

MEMORY_CALL(memory_reinforce, "ids uuid[], amount float8, user_id text") {
    const auto ids = call.uuids("ids").required();
    const double amount =
        call.real("amount").between(0, std::numeric_limits<double>::max()).or_else(1);
    const access::Writing writing(call, episodes::room);
    note_use.run(SnapshotOf::now, {writing.tenant(), ids, amount});
    return call.nothing();
}

MEMORY_CALL(memory_strength, "id uuid, at timestamptz, user_id text") {
    const pg_uuid_t id = call.uuid("id").required();
    const auto at = call.instant("at").finite();
    const access::Reading reading(call, episodes::room);
    const pg::Rows rows =
        find_strength.run(SnapshotOf::caller, {reading.tenant(), id, at.optional()});
    return rows.empty() ? call.null() : call.result(rows.get<pg::Float8>(0));
}

} // namespace memory::lifecycle
