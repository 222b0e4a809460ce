// memory.revise: a new text for an episode; the one before it is kept.
#include "episodes/episode.h"
#include "episodes/sql.h"
#include "episodes/tables.h"
#include "pg/statement.h"

namespace memory::episodes {

namespace {

using pg::SnapshotOf;

// Locks the episode and returns it; the statements after this one see what the lock waited for.
MEMORY_STATEMENT(lock_episode, R"(
    SELECT e.content, e.response FROM memory.episodes e
    WHERE {tenant:e} AND e.id = $3 AND {not_expired:e} FOR UPDATE)"_sql);

MEMORY_STATEMENT(keep_revision, R"(
    INSERT INTO memory.episode_revisions (namespace, user_id, episode_id, revision, content,
        response, recorded_at, revised_at)
    SELECT e.namespace, e.user_id, e.id,
        (SELECT coalesce(max(r.revision), 0) + 1 FROM memory.episode_revisions r
         WHERE {of_episode:r}),
        e.content, e.response, e.recorded_at, now()
    FROM memory.episodes e WHERE {tenant:e} AND e.id = $3)"_sql);

MEMORY_STATEMENT(replace_text, R"(
    UPDATE memory.episodes e SET content = $4, response = $5, recorded_at = now()
    WHERE {tenant:e} AND e.id = $3)"_sql);

// The vectors describe the text that is gone, but for the one by model $4, which the database has
// just made anew.
MEMORY_STATEMENT(drop_embeddings, R"(
    DELETE FROM memory.embeddings v WHERE {of_episode:v} AND v.model <> $4)"_sql);

} // namespace

bool revise(const access::Tenant &tenant, const pg_uuid_t &id, std::string_view content,
            std::optional<std::string_view> response) {
    const pg::Rows found = lock_episode.run(SnapshotOf::now, {tenant, id});
    if (found.empty())
        return false;
    const auto [old_content, old_response] = found.get<pg::Text, std::optional<pg::Text>>(0);
    if (old_content == content && old_response == response)
        return true; // a retry: the episode says this already
    keep_revision.write({tenant, id}, "episode_revisions");
    replace_text.write({tenant, id, content, response}, "episodes");
    drop_embeddings.run(SnapshotOf::now, {tenant, id, models::embedder_here(tenant.name_space)});
    return true;
}

MEMORY_CALL(memory_revise, "id uuid, content text, response text, user_id text") {
    const pg_uuid_t id = call.uuid("id").required();
    const auto content = call.text("content");
    const auto response = call.text("response");
    check_texts(content, response);
    const access::Writing writing(call, room);
    return call.result(revise(writing.tenant(), id, content.or_else(""), response));
}

} // namespace memory::episodes
