// Checkpoints of a whole session: copied to a fork, dropped with a path, or with the session's row.
#include "checkpoints/whole_session.h"

#include "checkpoints/prune.h"
#include "checkpoints/sql.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/trigger.h"

namespace memory::checkpoints {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(lock_store, R"(
    SELECT FROM memory.checkpoint_stores t WHERE {of_store:t} FOR UPDATE)"_sql);

MEMORY_STATEMENT(lock_every_store, R"(
    SELECT FROM memory.checkpoint_stores t WHERE {tenant:t} ORDER BY t.store FOR UPDATE)"_sql);

// A store that no session has, with all its bytes. A row when there was one.
MEMORY_STATEMENT(delete_store, R"(
    WITH gone AS (DELETE FROM memory.checkpoint_stores t
                  WHERE {of_store:t} AND NOT EXISTS (SELECT FROM {of_one_store} s) RETURNING 1),
        bytes AS (DELETE FROM memory.checkpoint_bytes v
                  WHERE {of_store:v} AND EXISTS (SELECT FROM gone g))
    SELECT FROM gone g)"_sql);

// Of one path, or of all where $4 is NULL. Returns how many rows, and the least number.
MEMORY_STATEMENT(delete_rows, R"(
    WITH c AS (DELETE FROM memory.checkpoints c
               WHERE {of_session:c} AND ($4::text IS NULL OR c.path = $4) RETURNING c.state),
        p AS (DELETE FROM memory.checkpoint_parts p
              WHERE {of_session:p} AND ($4::text IS NULL OR p.path = $4) RETURNING p.number),
        w AS (DELETE FROM memory.checkpoint_writes w
              WHERE {of_session:w} AND ($4::text IS NULL OR w.path = $4) RETURNING w.number)
    SELECT count(*), coalesce(min(n.number), 0)
    FROM (SELECT c.state AS number FROM c UNION ALL SELECT p.number FROM p
          UNION ALL SELECT w.number FROM w) n)"_sql);

// $4 an id of path ''.
MEMORY_STATEMENT(find_place, R"(
    SELECT c.place FROM memory.checkpoints c
    WHERE {of_session:c} AND {same:c.path,''} AND {same:c.id,$4})"_sql);

// Rows of session $3 for session $4, as far as place $5.
MEMORY_STATEMENT(copy_checkpoints, R"(
    INSERT INTO memory.checkpoints
        (namespace, user_id, session, place, path, id, parent, created_at, metadata, refs, state)
    SELECT c.namespace, c.user_id, $4, c.place, c.path, c.id, c.parent, c.created_at, c.metadata,
        c.refs, c.state
    FROM memory.checkpoints c WHERE {of_session:c} AND c.place <= $5)"_sql);
MEMORY_STATEMENT(copy_parts, R"(
    INSERT INTO memory.checkpoint_parts
        (namespace, user_id, session, number, path, name, version, type, has_data)
    SELECT p.namespace, p.user_id, $4, p.number, p.path, p.name, p.version, p.type, p.has_data
    FROM memory.checkpoint_parts p
    WHERE {of_session:p} AND p.number = ANY ({parts_referred_to:c.place <= $5,> 1}))"_sql);
MEMORY_STATEMENT(copy_writes, R"(
    INSERT INTO memory.checkpoint_writes
        (namespace, user_id, session, number, path, checkpoint, task, idx, task_path, name, type,
         data)
    SELECT w.namespace, w.user_id, $4, w.number, w.path, w.checkpoint, w.task, w.idx, w.task_path,
        w.name, w.type, w.data
    FROM memory.checkpoint_writes w
        CROSS JOIN LATERAL (SELECT FROM memory.checkpoints c
                            WHERE {of_session:c} AND {same:c.path,w.path}
                                AND {same:c.id,w.checkpoint} AND c.place <= $5 LIMIT 1) c
    WHERE {of_session:w})"_sql);

std::int64_t last_place(const access::Tenant &tenant, const sessions::Found &session,
                        const std::optional<std::string_view> &id) {
    if (!id)
        return std::numeric_limits<std::int64_t>::max();
    const pg::Rows rows = find_place.run(SnapshotOf::now, {tenant, session.key, *id});
    if (!rows.empty())
        return rows.get<pg::Int8>(0);
    const pg::Quoted shown(*id);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                    "upto_checkpoint: there is no checkpoint \"%.*s\"", shown.length, shown.text);
}

} // namespace

void copy_to_fork(const access::Tenant &tenant, const sessions::Found &original,
                  const pg_uuid_t &fork, const std::optional<std::string_view> &upto) {
    lock({tenant, original.store}, 0);
    const std::int64_t place = last_place(tenant, original, upto);
    for (pg::Statement *copy : {&copy_checkpoints, &copy_parts, &copy_writes})
        copy->run(SnapshotOf::now, {tenant, original.key, fork, place});
}

void lock_stores(const access::Tenant &tenant) { lock_every_store.run(SnapshotOf::now, {tenant}); }

bool drop_path(const access::Tenant &tenant, const sessions::Found &session,
               std::string_view path) {
    const Store store{tenant, session.store};
    lock(store, 0);
    const auto [count, least] =
        delete_rows.run(SnapshotOf::now, {tenant, session.key, path}).get<pg::Int8, pg::Int8>(0);
    if (count == 0)
        return false;
    pg::ContextResource memory(CurrentMemoryContext);
    drop_unneeded(store, least, &memory);
    return true;
}

namespace {

// What belongs to a session whose row has just been deleted, by whatever statement. Where that has
// deleted all sessions of a store, the first of them takes the store with it.
void delete_all(const access::Tenant &tenant, const sessions::Found &session) {
    const Store store{tenant, session.store};
    lock_store.run(SnapshotOf::now, {store});
    const auto [count, least] =
        delete_rows.run(SnapshotOf::now, {tenant, session.key, pg::Parameter::absent(TEXTOID)})
            .get<pg::Int8, pg::Int8>(0);
    pg::ContextResource memory(CurrentMemoryContext);
    if (delete_store.run(SnapshotOf::now, {store}).empty() && count > 0)
        drop_unneeded(store, least, &memory);
}

} // namespace

MEMORY_FUNCTION(memory_drop_checkpoints) {
    const pg::TriggerRow row(arguments, {"sessions"});
    const pg::Spi spi;
    const access::Tenant tenant{row.get<pg::Text>("namespace"), row.get<pg::Text>("user_id")};
    const pg_uuid_t key = row.get<pg::Uuid>("key");
    delete_all(tenant, {key, row.find<pg::Uuid>("store").value_or(key)});
    return Datum{0};
}

} // namespace memory::checkpoints
