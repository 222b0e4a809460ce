// memory.fork_session() and memory.delete_session().
#include "checkpoints/whole_session.h"
#include "access/call.h"
#include "checkpoints/tables.h"
#include "conversations/sql.h"
#include "conversations/tables.h"
#include "conversations/whole_log.h"
#include "episodes/tables.h"
#include "pg/statement.h"
#include "pg/uuid7.h"
#include "sessions/tables.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

// $3 the original's key; $4 the name of the fork, $5 metadata of its own or NULL. No row when the
// name is taken.
MEMORY_STATEMENT(insert_fork, R"(
    INSERT INTO memory.sessions (namespace, user_id, session_id, store, agent_id, metadata)
    SELECT s.namespace, s.user_id, $4, {store_of:s}, s.agent_id, coalesce($5, s.metadata)
    FROM memory.sessions s WHERE {tenant:s} AND s.key = $3
    ON CONFLICT (namespace, user_id, session_id) DO NOTHING
    RETURNING key)"_sql);

MEMORY_STATEMENT(delete_row, R"(
    DELETE FROM memory.sessions s WHERE {tenant:s} AND s.key = $3)"_sql);

// $3 the session's name.
MEMORY_STATEMENT(delete_episodes, R"(
    DELETE FROM memory.episodes e WHERE {tenant:e} AND e.session_id = $3)"_sql);

// Increases with time.
std::string_view new_name() {
    const pg_uuid_t id = pg::new_id();
    return pg::call(
        [&id] { return DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(&id))); });
}

sessions::Locked locked(const access::Tenant &tenant, std::string_view session_id) {
    if (const auto session = sessions::lock_existing(tenant, session_id))
        return *session;
    const pg::Quoted shown(session_id);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "session_id: there is no session \"%.*s\"",
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

// One path of a session that is locked; false when there is nothing.
bool drop_path_of(const access::Tenant &tenant, const sessions::Locked &session,
                  std::string_view path) {
    const bool had_messages = drop_path(tenant, session, path);
    const bool had_checkpoints = checkpoints::drop_path(tenant, session, path);
    if (had_checkpoints && !had_messages)
        sessions::note_drop(tenant, session);
    return had_messages || had_checkpoints;
}

void require_tables() {
    for (const schema::Room *one : {&sessions::room, &episodes::room, &checkpoints::room})
        schema::require(schema::Need::to_write, *one);
}

} // namespace

MEMORY_CALL(memory_fork_session, "session_id text, new_session text, upto_seq bigint,"
                                 " upto_checkpoint text, metadata jsonb, user_id text") {
    const std::string_view session_id = sessions::checked_name(call.text("session_id"));
    const std::optional<std::string_view> given = sessions::name_if_given(call.text("new_session"));
    const std::int64_t upto_seq = call.bigint("upto_seq").between(0, INT64_MAX).or_else(INT64_MAX);
    const std::optional<std::string_view> upto_checkpoint =
        sessions::name_if_given(call.text("upto_checkpoint"));
    const std::optional<pg::Document> metadata = call.json("metadata").object();
    require_tables();
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    const std::string_view name = given ? *given : new_name();
    const sessions::Locked original = locked(tenant, session_id);
    // Rows of sessions come before stores: a put into an older fork of this name holds its row, and
    // waits for the store.
    const pg_uuid_t fork = new_session(tenant, original, name, metadata);
    checkpoints::copy_to_fork(tenant, original, fork, upto_checkpoint);
    copy_log(tenant, original, fork, name, upto_seq);
    return call.result(name);
}

MEMORY_CALL(memory_delete_session, "session_id text, path text, user_id text") {
    const std::string_view session_id = sessions::checked_name(call.text("session_id"));
    const std::string_view path = call.text("path").at_most(sessions::longest_name).or_else("");
    require_tables();
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    const auto session = sessions::lock_existing(tenant, session_id);
    if (!session)
        return call.result(false);
    if (!path.empty())
        return call.result(drop_path_of(tenant, *session, path));
    delete_row.write({tenant, session->key}, "sessions");
    delete_episodes.run(SnapshotOf::now, {tenant, session_id});
    return call.result(true);
}

} // namespace memory::conversations
