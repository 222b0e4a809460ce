// memory.remember and memory.revise: one episode at a time.
#include "access/scope.h"
#include "episodes/episode.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/spi.h"
#include "setup/schema.h"

namespace memory::episodes {

namespace {

// The places of remember()'s arguments.
enum : int {
    content,
    response,
    user_id,
    session_id,
    agent_id,
    kind,
    role,
    metadata,
    importance,
    occurred_at,
    ttl,
    embedding,
    transcript,
    id
};

Episode from_arguments(const pg::Arguments &given) {
    Episode episode;
    episode.tenant = access::tenant(given.text(user_id));
    if (given.has(id))
        episode.id = *DatumGetUUIDP(given.datum(id));
    episode.content = given.text(content);
    episode.response = given.text(response);
    episode.session_id = given.has(session_id) ? given.text(session_id) : access::session_setting();
    episode.agent_id = given.has(agent_id) ? given.text(agent_id) : access::agent_setting();
    episode.kind = given.text(kind).value_or("episodic");
    episode.role = given.text(role);
    episode.metadata = given.optional(metadata);
    if (given.has(importance))
        episode.importance = DatumGetFloat4(given.datum(importance));
    episode.occurred_at = given.optional(occurred_at);
    episode.ttl = given.optional(ttl);
    episode.embedding = given.optional(embedding);
    episode.transcript = given.optional(transcript);
    return episode;
}

using pg::Access;
using pg::Parameter;

// Locks the episode and returns it; the statements after this one see what the lock waited for.
constinit pg::Statement lock_episode(
    "SELECT content, response FROM memory.episodes "
    "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    " AND id OPERATOR(pg_catalog.=) $3 AND (expires_at IS NULL"
    " OR expires_at OPERATOR(pg_catalog.>) pg_catalog.statement_timestamp()) FOR UPDATE");

constinit pg::Statement keep_revision(
    "INSERT INTO memory.episode_revisions (namespace, user_id, episode_id, revision, content,"
    " response, recorded_at, revised_at) "
    "SELECT namespace, user_id, id, (SELECT coalesce(pg_catalog.max(revision), 0)"
    "   OPERATOR(pg_catalog.+) 1 FROM memory.episode_revisions r"
    "   WHERE r.namespace OPERATOR(pg_catalog.=) $1 AND r.user_id OPERATOR(pg_catalog.=) $2"
    "   AND r.episode_id OPERATOR(pg_catalog.=) $3),"
    " content, response, recorded_at, pg_catalog.now() FROM memory.episodes "
    "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    " AND id OPERATOR(pg_catalog.=) $3");

constinit pg::Statement replace_text(
    "UPDATE memory.episodes SET content = $4, response = $5, recorded_at = pg_catalog.now() "
    "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    " AND id OPERATOR(pg_catalog.=) $3");

// The vectors describe the text that is gone.
constinit pg::Statement drop_embeddings(
    "DELETE FROM memory.embeddings "
    "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    " AND episode_id OPERATOR(pg_catalog.=) $3");

// False when there is no such episode.
bool revise(const access::Tenant &tenant, const pg_uuid_t &episode_id, std::string_view new_content,
            std::optional<std::string_view> new_response) {
    const std::array row{tenant.name_space_parameter(), tenant.user_parameter(),
                         Parameter::uuid(episode_id), Parameter::text(new_content),
                         Parameter::text(new_response)};
    const std::span<const Parameter> key(row.data(), 3);
    const pg::Rows found = lock_episode.run(key, Access::write);
    if (found.empty())
        return false;
    if (found.get<pg::Text>(0, 0) == new_content && found.find<pg::Text>(0, 1) == new_response)
        return true; // a retry: the episode says this already
    keep_revision.write(key, "episode_revisions");
    replace_text.write(row, "episodes");
    drop_embeddings.run(key, Access::write);
    return true;
}

} // namespace

MEMORY_FUNCTION(memory_remember) {
    const Episode episode = from_arguments(arguments);
    check(episode);
    setup::require_tables(setup::Need::to_write);
    const pg::Spi spi;
    return pg::to_datum(store(episode), spi.caller());
}

MEMORY_FUNCTION(memory_revise) {
    if (!arguments.has(0))
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "id must not be null");
    const access::Tenant tenant = access::tenant(arguments.text(3));
    check_texts(arguments.text(1), arguments.text(2));
    setup::require_tables(setup::Need::to_write);
    const pg::Spi spi;
    return pg::to_datum(revise(tenant, *DatumGetUUIDP(arguments.datum(0)),
                               arguments.text(1).value_or(""), arguments.text(2)));
}

} // namespace memory::episodes
