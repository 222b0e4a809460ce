// memory.fork_session() and memory.delete_session(), as far as checkpoints go, and what goes with
// the row of a session.
#include "checkpoints/arguments.h"
#include "checkpoints/prune.h"
#include "checkpoints/sql.h"
#include "checkpoints/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/trigger.h"
#include "sessions/sessions.h"

namespace memory::checkpoints {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(delete_row, R"(
    DELETE FROM memory.sessions s WHERE {tenant:s} AND s.key = $3)"_sql);

MEMORY_STATEMENT(lock_store, R"(
    SELECT FROM memory.checkpoint_stores t WHERE {of_store:t} FOR UPDATE)"_sql);

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

// $3 the original's key; $4 the name of the fork, $5 metadata of its own or NULL. No row when the
// name is taken.
MEMORY_STATEMENT(insert_fork, R"(
    INSERT INTO memory.sessions (namespace, user_id, session_id, store, agent_id, metadata)
    SELECT s.namespace, s.user_id, $4, {store_of:s}, s.agent_id,
        coalesce($5, s.metadata)
    FROM memory.sessions s WHERE {tenant:s} AND s.key = $3
    ON CONFLICT (namespace, user_id, session_id) DO NOTHING
    RETURNING key)"_sql);

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

[[noreturn]] void throw_missing(const char *argument, const char *thing, std::string_view name) {
    const pg::Quoted shown(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s: there is no %s \"%.*s\"", argument, thing,
                    shown.length, shown.text);
}

pg_uuid_t new_session(const access::Tenant &tenant, const sessions::Found &original,
                      std::string_view name, const std::optional<pg::Document> &metadata) {
    const pg::Rows rows = insert_fork.run(SnapshotOf::now, {tenant, original.key, name, metadata});
    if (!rows.empty())
        return rows.get<pg::Uuid>(0);
    const pg::Quoted shown(name);
    throw pg::Error(ERRCODE_UNIQUE_VIOLATION, "new_session: \"%.*s\" is there already",
                    shown.length, shown.text)
        .hint("Choose another name, or delete that session first.");
}

std::int64_t last_place(const access::Tenant &tenant, const sessions::Found &session,
                        const std::optional<std::string_view> &id) {
    if (!id)
        return std::numeric_limits<std::int64_t>::max();
    const pg::Rows rows = find_place.run(SnapshotOf::now, {tenant, session.key, *id});
    if (rows.empty())
        throw_missing("upto_checkpoint", "checkpoint", *id);
    return rows.get<pg::Int8>(0);
}

} // namespace

MEMORY_CALL(memory_fork_session, "session_id text, new_session text, upto_seq bigint,"
                                 " upto_checkpoint text, metadata jsonb, user_id text") {
    const std::string_view session_id = sessions::checked_name(call.text("session_id"));
    const std::optional<std::string_view> given = sessions::name_if_given(call.text("new_session"));
    const std::optional<std::string_view> upto =
        sessions::name_if_given(call.text("upto_checkpoint"));
    const std::optional<pg::Document> metadata = call.json("metadata").object();
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    const std::string_view name = given ? *given : new_name();
    const auto original = sessions::lock_existing(tenant, session_id);
    if (!original)
        throw_missing("session_id", "session", session_id);
    // Rows of sessions come before stores: a put into an older fork of this name holds its row, and
    // waits for the store.
    const pg_uuid_t fork = new_session(tenant, *original, name, metadata);
    lock({tenant, original->store}, 0);
    const std::int64_t place = last_place(tenant, *original, upto);
    for (pg::Statement *copy : {&copy_checkpoints, &copy_parts, &copy_writes})
        copy->run(SnapshotOf::now, {tenant, original->key, fork, place});
    return call.result(name);
}

namespace {

// What belongs to a path of a session that is locked; false when nothing does.
bool delete_path(const access::Tenant &tenant, const sessions::Found &session,
                 std::string_view path) {
    const Store store{tenant, session.store};
    lock(store, 0);
    const auto [count, least] =
        delete_rows.run(SnapshotOf::now, {tenant, session.key, path}).get<pg::Int8, pg::Int8>(0);
    if (count == 0)
        return false;
    pg::ContextResource memory(CurrentMemoryContext);
    drop_unneeded(store, least, &memory);
    sessions::note_drop(tenant, session);
    return true;
}

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

MEMORY_CALL(memory_delete_session, "session_id text, path text, user_id text") {
    const std::string_view session_id = sessions::checked_name(call.text("session_id"));
    const std::string_view path = path_of(call.text("path"));
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    const auto session = sessions::lock_existing(tenant, session_id);
    if (!session)
        return call.result(false);
    if (!path.empty())
        return call.result(delete_path(tenant, *session, path));
    delete_row.write({tenant, session->key}, "sessions");
    return call.result(true);
}

MEMORY_FUNCTION(memory_drop_checkpoints) {
    const pg::TriggerRow row(arguments, {"sessions"});
    const pg::Spi spi;
    const access::Tenant tenant{row.get<pg::Text>("namespace"), row.get<pg::Text>("user_id")};
    const pg_uuid_t key = row.get<pg::Uuid>("key");
    delete_all(tenant, {key, row.find<pg::Uuid>("store").value_or(key)});
    return Datum{0};
}

} // namespace memory::checkpoints
