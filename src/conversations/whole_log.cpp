// Copying logs, and dropping paths of them.
#include "conversations/whole_log.h"

#include "conversations/sql.h"
#include "episodes/episode.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/uuid7.h"
#include "sessions/log.h"

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

// $4 up to which number. Of a remember that it divides only the messages before it are copied.
MEMORY_STATEMENT(find_ids, R"(
    SELECT m.id, bool_and(m.seq <= $4) FROM memory.messages m
    WHERE {of_session:m} AND m.path = '' GROUP BY m.id HAVING min(m.seq) <= $4
    ORDER BY min(m.seq))"_sql);

// $4 the fork, $5 up to which number, $6 ids and $7 those that take their place.
MEMORY_STATEMENT(copy_messages, R"(
    INSERT INTO memory.messages
        (namespace, user_id, session, path, seq, id, key, role, message, occurred_at)
    SELECT m.namespace, m.user_id, $4, m.path, m.seq, n.new_id, m.key, m.role, m.message,
        m.occurred_at
    FROM ROWS FROM (unnest($6::uuid[]), unnest($7::uuid[])) n (id, new_id)
        JOIN memory.messages m ON {of_session:m} AND m.path = '' AND m.id = n.id AND m.seq <= $5)"_sql);

// $3 the fork's name, $4 ids, $5 those that take their place, $6 whether all messages were copied:
// else the response is what came after them.
MEMORY_STATEMENT(copy_episodes, R"(
    INSERT INTO memory.episodes ({written}, recorded_at)
    SELECT e.namespace, e.user_id, n.new_id, $3, e.agent_id, e.kind, e.role, e.content,
        CASE WHEN n.whole THEN e.response END, e.occurred_at, e.expires_at, e.importance,
        e.metadata, CASE WHEN n.whole THEN e.transcript END, e.recorded_at
    FROM ROWS FROM (unnest($4::uuid[]), unnest($5::uuid[]), unnest($6::boolean[])) n
        (id, new_id, whole)
        JOIN memory.episodes e ON {tenant:e} AND e.id = n.id
    WHERE n.whole OR e.content <> '')"_sql);

// The database may have made one of them already.
MEMORY_STATEMENT(copy_vectors, R"(
    INSERT INTO memory.embeddings (namespace, user_id, episode_id, model, embedding)
    SELECT v.namespace, v.user_id, n.new_id, v.model, v.embedding
    FROM ROWS FROM (unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::boolean[])) n
        (id, new_id, whole)
        JOIN memory.embeddings v ON {tenant:v} AND v.episode_id = n.id
    WHERE n.whole
    ON CONFLICT (namespace, user_id, episode_id, model) DO NOTHING)"_sql);

// $4 the last number, $5 how many messages.
MEMORY_STATEMENT(set_numbers, R"(
    UPDATE memory.sessions s SET last_seq = $4, messages = $5
    WHERE {tenant:s} AND s.key = $3)"_sql);

MEMORY_STATEMENT(ids_of_path, R"(
    SELECT m.id FROM memory.messages m WHERE {of_path:m})"_sql);

MEMORY_STATEMENT(forget_path, R"(
    DELETE FROM memory.session_paths p WHERE {of_path:p})"_sql);

} // namespace

void copy_log(const access::Tenant &tenant, const sessions::Locked &original, const pg_uuid_t &fork,
              std::string_view fork_name, std::int64_t upto) {
    const pg::Rows rows = find_ids.run(SnapshotOf::now, {tenant, original.key, upto});
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<pg_uuid_t> old_ids(&memory);
    std::pmr::vector<pg_uuid_t> new_ids(&memory);
    std::pmr::vector<Datum> are_whole(&memory);
    for (std::uint64_t n = 0; n < rows.size(); ++n) {
        const auto [id, whole] = rows.get<pg::Uuid, pg::Bool>(n);
        old_ids.push_back(id);
        new_ids.push_back(pg::new_id());
        are_whole.push_back(pg::to_datum(whole));
    }
    const pg::Parameter old = pg::array_as<pg::Uuid>(std::span(std::as_const(old_ids)));
    const pg::Parameter made = pg::array_as<pg::Uuid>(std::span(std::as_const(new_ids)));
    const pg::Parameter whole = pg::Parameter::array(BOOLOID, are_whole);
    const std::uint64_t copied =
        copy_messages.run(SnapshotOf::now, {tenant, original.key, fork, upto, old, made}).size();
    copy_episodes.run(SnapshotOf::now, {tenant, fork_name, old, made, whole});
    copy_vectors.run(SnapshotOf::now, {tenant, old, made, whole});
    set_numbers.write(
        {tenant, fork, std::min(upto, original.last_seq), static_cast<std::int64_t>(copied)},
        "sessions");
}

bool drop_path(const access::Tenant &tenant, const sessions::Found &session,
               std::string_view path) {
    const sessions::Path of{tenant, session.key, path};
    const pg::Rows rows = ids_of_path.run(SnapshotOf::now, {of});
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<pg_uuid_t> ids(&memory);
    for (std::uint64_t n = 0; n < rows.size(); ++n)
        ids.push_back(rows.get<pg::Uuid>(n));
    if (!ids.empty()) {
        sessions::drop(tenant, ids);
        episodes::erase(tenant, ids);
    }
    return !forget_path.run(SnapshotOf::now, {of}).empty() || !ids.empty();
}

} // namespace memory::conversations
