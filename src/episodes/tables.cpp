// Episodes, their earlier versions, and what changes beside them.
//
// Rules that hold whatever a setting says are CHECK constraints: they hold in COPY, in UPDATE and
// in a restore. Rules that depend on settings (memory.max_content, memory.anonymous) are an AFTER
// trigger with a WHEN condition: a restore creates triggers last, so a dump taken under a larger
// limit always loads, and its rows can change in what the rules are not about; and unlike a BEFORE
// trigger it leaves COPY its multi-row inserts, and costs a row that passes nothing but the
// condition.
#include "episodes/tables.h"

namespace memory::episodes {

namespace {

using setup::Belongs;
using setup::Makes;
using setup::Step;

constexpr Step steps[] = {
    {Makes::table, nullptr, "episodes", R"sql(
CREATE TABLE memory.episodes (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    session_id text COLLATE "C",
    agent_id text COLLATE "C",
    kind text NOT NULL DEFAULT 'episodic',
    role text,
    content text NOT NULL,
    response text,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    recorded_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    importance double precision NOT NULL DEFAULT 1.0,
    metadata jsonb NOT NULL DEFAULT '{}',
    transcript jsonb,
    CONSTRAINT namespace_not_empty CHECK (namespace <> ''),
    CONSTRAINT ids_at_most_512_bytes CHECK (octet_length(namespace) <= 512
        AND octet_length(user_id) <= 512 AND octet_length(session_id) <= 512
        AND octet_length(agent_id) <= 512),
    CONSTRAINT kind_not_empty CHECK (kind <> ''),
    CONSTRAINT content_or_response CHECK (content <> '' OR coalesce(response, '') <> ''),
    CONSTRAINT occurred_at_finite CHECK (isfinite(occurred_at)),
    CONSTRAINT importance_between_0_and_1 CHECK (importance >= 0 AND importance <= 1),
    CONSTRAINT metadata_is_object CHECK (jsonb_typeof(metadata) = 'object')
);
COMMENT ON TABLE memory.episodes IS 'What happened: messages, turns and notes, each of one user in one namespace. Text is append-only (memory.revise makes a new version); INSERT and COPY are the bulk path.';
COMMENT ON COLUMN memory.episodes.namespace IS 'Users of different namespaces never meet. Default: the setting memory.namespace.';
COMMENT ON COLUMN memory.episodes.user_id IS 'Whose memory this is; '''' is the anonymous user. Default: the setting memory.user_id.';
COMMENT ON COLUMN memory.episodes.id IS 'UUIDv7, or the caller''s own; unique per user.';
COMMENT ON COLUMN memory.episodes.session_id IS 'The conversation it belongs to. Default: the setting memory.session_id.';
COMMENT ON COLUMN memory.episodes.agent_id IS 'The agent that wrote it. Default: the setting memory.agent_id.';
COMMENT ON COLUMN memory.episodes.kind IS 'Free text; short_term, long_term, episodic, semantic and procedural have retention defaults.';
COMMENT ON COLUMN memory.episodes.role IS 'Who spoke: user, assistant, tool, system, or whatever the application says.';
COMMENT ON COLUMN memory.episodes.content IS 'The text to recall; empty only where there is a response.';
COMMENT ON COLUMN memory.episodes.response IS 'The answer to content, recalled together with it.';
COMMENT ON COLUMN memory.episodes.occurred_at IS 'When it happened, as the application says.';
COMMENT ON COLUMN memory.episodes.recorded_at IS 'When it was written.';
COMMENT ON COLUMN memory.episodes.expires_at IS 'From then on it is invisible to every call.';
COMMENT ON COLUMN memory.episodes.importance IS 'Between 0 and 1; multiplies the score of a recall.';
COMMENT ON COLUMN memory.episodes.metadata IS 'A JSON object of the application''s, for filters.';
COMMENT ON COLUMN memory.episodes.transcript IS 'The whole exchange behind a turn, as JSON, returned as it was given.';
)sql"},
    {Makes::primary_key, "episodes", "episodes_pkey", R"sql(
ALTER TABLE memory.episodes ADD PRIMARY KEY (namespace, user_id, id);
COMMENT ON INDEX memory.episodes_pkey IS 'One episode by its id, within its user.';
)sql"},
    {Makes::column_default, "episodes", "namespace",
     "ALTER TABLE memory.episodes ALTER namespace SET DEFAULT memory.default_namespace()"},
    {Makes::column_default, "episodes", "user_id",
     "ALTER TABLE memory.episodes ALTER user_id SET DEFAULT memory.default_user_id()"},
    {Makes::column_default, "episodes", "id",
     "ALTER TABLE memory.episodes ALTER id SET DEFAULT memory.default_id()"},
    {Makes::column_default, "episodes", "session_id",
     "ALTER TABLE memory.episodes ALTER session_id SET DEFAULT memory.default_session_id()"},
    {Makes::column_default, "episodes", "agent_id",
     "ALTER TABLE memory.episodes ALTER agent_id SET DEFAULT memory.default_agent_id()"},
    {Makes::trigger, "episodes", "memory_settings_obeyed", R"sql(
CREATE TRIGGER memory_settings_obeyed
    AFTER INSERT OR UPDATE OF user_id, content, response ON memory.episodes
    FOR EACH ROW WHEN (NOT memory.obeys_settings(NEW.user_id, NEW.content, NEW.response))
    EXECUTE FUNCTION memory.refuse_episode();
COMMENT ON TRIGGER memory_settings_obeyed ON memory.episodes IS 'Refuses rows over memory.max_content, and anonymous rows while memory.anonymous is deny.';
)sql"},
    {Makes::index, "episodes", "episodes_by_time", R"sql(
CREATE INDEX episodes_by_time ON memory.episodes (namespace, user_id, occurred_at DESC, id DESC);
COMMENT ON INDEX memory.episodes_by_time IS 'The newest episodes of a user first.';
)sql"},
    {Makes::index, "episodes", "episodes_by_session", R"sql(
CREATE INDEX episodes_by_session ON memory.episodes (namespace, user_id, session_id, occurred_at, id)
    WHERE session_id IS NOT NULL;
COMMENT ON INDEX memory.episodes_by_session IS 'The episodes of a session, oldest first.';
)sql"},
    {Makes::index, "episodes", "episodes_by_expiry", R"sql(
CREATE INDEX episodes_by_expiry ON memory.episodes (namespace, user_id, expires_at)
    WHERE expires_at IS NOT NULL;
COMMENT ON INDEX memory.episodes_by_expiry IS 'The episodes of a user that expire, the earliest first.';
)sql"},
    {Makes::index, "episodes", "episodes_by_text", R"sql(
CREATE INDEX episodes_by_text ON memory.episodes
    USING recall (namespace, user_id, (memory.episode_text(content, response)));
COMMENT ON INDEX memory.episodes_by_text IS 'What episodes say, ranked within their user.';
)sql"},
    {Makes::table, nullptr, "episode_revisions", R"sql(
CREATE TABLE memory.episode_revisions (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    episode_id uuid NOT NULL,
    revision int NOT NULL,
    content text NOT NULL,
    response text,
    recorded_at timestamptz NOT NULL,
    revised_at timestamptz NOT NULL
);
COMMENT ON TABLE memory.episode_revisions IS 'Texts that memory.revise has replaced, oldest first. They go when their episode goes.';
COMMENT ON COLUMN memory.episode_revisions.namespace IS 'As in memory.episodes.';
COMMENT ON COLUMN memory.episode_revisions.user_id IS 'As in memory.episodes.';
COMMENT ON COLUMN memory.episode_revisions.episode_id IS 'The episode.';
COMMENT ON COLUMN memory.episode_revisions.revision IS '1 is the text it was first remembered with.';
COMMENT ON COLUMN memory.episode_revisions.content IS 'The text of that version.';
COMMENT ON COLUMN memory.episode_revisions.response IS 'The response of that version.';
COMMENT ON COLUMN memory.episode_revisions.recorded_at IS 'When that version was written.';
COMMENT ON COLUMN memory.episode_revisions.revised_at IS 'When it was replaced.';
)sql"},
    {Makes::primary_key, "episode_revisions", "episode_revisions_pkey", R"sql(
ALTER TABLE memory.episode_revisions ADD PRIMARY KEY (namespace, user_id, episode_id, revision);
COMMENT ON INDEX memory.episode_revisions_pkey IS 'The versions of an episode.';
)sql"},
    {Makes::constraint, "episode_revisions", "episode_revisions_namespace_user_id_episode_id_fkey",
     R"sql(
ALTER TABLE memory.episode_revisions ADD CONSTRAINT episode_revisions_namespace_user_id_episode_id_fkey
    FOREIGN KEY (namespace, user_id, episode_id) REFERENCES memory.episodes ON DELETE CASCADE
)sql"},
    {Makes::table, nullptr, "models", R"sql(
CREATE TABLE memory.models (
    model text COLLATE "C" NOT NULL CHECK (model <> ''),
    dimensions int NOT NULL CHECK (dimensions BETWEEN 1 AND 16000)
);
COMMENT ON TABLE memory.models IS 'Embedding models whose number of dimensions has been declared (memory.init(dimensions)).';
COMMENT ON COLUMN memory.models.model IS 'A value of the setting memory.embedding_model.';
COMMENT ON COLUMN memory.models.dimensions IS 'The number of dimensions that every embedding of this model has.';
)sql"},
    {Makes::primary_key, "models", "models_pkey", R"sql(
ALTER TABLE memory.models ADD PRIMARY KEY (model);
COMMENT ON INDEX memory.models_pkey IS 'One model by its name.';
)sql"},
    {Makes::table, nullptr, "embeddings", R"sql(
CREATE TABLE memory.embeddings (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    episode_id uuid NOT NULL,
    model text COLLATE "C" NOT NULL,
    embedding {vector}.vector NOT NULL
) WITH (toast_tuple_target = 8160);
COMMENT ON TABLE memory.embeddings IS 'Vectors of episodes, one per embedding model. Narrow, and inline up to about 2,000 dimensions, so that an exact scan of one user is fast.';
COMMENT ON COLUMN memory.embeddings.namespace IS 'As in memory.episodes.';
COMMENT ON COLUMN memory.embeddings.user_id IS 'As in memory.episodes.';
COMMENT ON COLUMN memory.embeddings.episode_id IS 'The episode.';
COMMENT ON COLUMN memory.embeddings.model IS 'The embedding model. Vectors of different models are never compared. Default: the setting memory.embedding_model.';
COMMENT ON COLUMN memory.embeddings.embedding IS 'The vector.';
)sql"},
    {Makes::primary_key, "embeddings", "embeddings_pkey", R"sql(
ALTER TABLE memory.embeddings ADD PRIMARY KEY (namespace, user_id, episode_id, model);
COMMENT ON INDEX memory.embeddings_pkey IS 'The vectors of an episode, and all of a user side by side.';
)sql"},
    {Makes::constraint, "embeddings", "embeddings_namespace_user_id_episode_id_fkey", R"sql(
ALTER TABLE memory.embeddings ADD CONSTRAINT embeddings_namespace_user_id_episode_id_fkey
    FOREIGN KEY (namespace, user_id, episode_id) REFERENCES memory.episodes ON DELETE CASCADE
)sql"},
    {Makes::column_default, "embeddings", "namespace",
     "ALTER TABLE memory.embeddings ALTER namespace SET DEFAULT memory.default_namespace()"},
    {Makes::column_default, "embeddings", "user_id",
     "ALTER TABLE memory.embeddings ALTER user_id SET DEFAULT memory.default_user_id()"},
    {Makes::column_default, "embeddings", "model",
     "ALTER TABLE memory.embeddings ALTER model SET DEFAULT memory.default_model()"},
    {Makes::trigger, "embeddings", "memory_dimensions_fit", R"sql(
CREATE TRIGGER memory_dimensions_fit
    AFTER INSERT OR UPDATE OF model, embedding ON memory.embeddings
    FOR EACH ROW WHEN (NOT memory.fits_model(NEW.model, NEW.embedding))
    EXECUTE FUNCTION memory.refuse_embedding();
COMMENT ON TRIGGER memory_dimensions_fit ON memory.embeddings IS 'Refuses vectors of other dimensions than their model has.';
)sql"},
    {Makes::table, nullptr, "usage", R"sql(
CREATE TABLE memory.usage (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    episode_id uuid NOT NULL,
    accesses bigint NOT NULL DEFAULT 0 CHECK (accesses >= 0),
    accessed_at timestamptz
);
COMMENT ON TABLE memory.usage IS 'How often and when an episode was used, as the application reports it; beside the episode, so that counting does not rewrite its text and index entries.';
COMMENT ON COLUMN memory.usage.namespace IS 'As in memory.episodes.';
COMMENT ON COLUMN memory.usage.user_id IS 'As in memory.episodes.';
COMMENT ON COLUMN memory.usage.episode_id IS 'The episode.';
COMMENT ON COLUMN memory.usage.accesses IS 'How often it was used.';
COMMENT ON COLUMN memory.usage.accessed_at IS 'When it was used last.';
)sql"},
    {Makes::primary_key, "usage", "usage_pkey", R"sql(
ALTER TABLE memory.usage ADD PRIMARY KEY (namespace, user_id, episode_id);
COMMENT ON INDEX memory.usage_pkey IS 'The use of an episode.';
)sql"},
    {Makes::constraint, "usage", "usage_namespace_user_id_episode_id_fkey", R"sql(
ALTER TABLE memory.usage ADD CONSTRAINT usage_namespace_user_id_episode_id_fkey
    FOREIGN KEY (namespace, user_id, episode_id) REFERENCES memory.episodes ON DELETE CASCADE
)sql"},
};

constexpr setup::Table tables[] = {
    {"episodes", Belongs::to_users,
     "session_id agent_id kind role content response metadata transcript", "episodes\\_by\\_text"},
    {"episode_revisions", Belongs::to_users, "content response"},
    {"models", Belongs::to_all},
    {"embeddings", Belongs::to_users, "embedding", "embeddings\\_nearest\\_%"},
    {"usage", Belongs::to_users},
};

} // namespace

setup::Room room() { return {steps, tables}; }

} // namespace memory::episodes
