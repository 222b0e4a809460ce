-- Episodes: what happened.

CREATE TYPE memory.episode AS (
    id uuid,
    user_id text,
    session_id text,
    agent_id text,
    kind text,
    role text,
    content text,
    response text,
    occurred_at timestamptz,
    metadata jsonb,
    importance float8,
    transcript jsonb,
    expires_at timestamptz,
    recorded_at timestamptz
);
COMMENT ON TYPE memory.episode IS
'An episode as functions return it: one thing that happened, a message, a turn or a note. The columns are those of table memory.episodes; user_id is NULL for the anonymous user.';
COMMENT ON COLUMN memory.episode.id IS 'As in memory.episodes.';
COMMENT ON COLUMN memory.episode.user_id IS 'The user that the episode belongs to; NULL for the anonymous user.';
COMMENT ON COLUMN memory.episode.session_id IS 'The conversation it belongs to.';
COMMENT ON COLUMN memory.episode.agent_id IS 'The agent that wrote it.';
COMMENT ON COLUMN memory.episode.kind IS 'Free text; short_term, long_term, episodic, semantic and procedural have retention defaults.';
COMMENT ON COLUMN memory.episode.role IS 'The role of the speaker, such as user or assistant.';
COMMENT ON COLUMN memory.episode.content IS 'The text to recall; empty only where there is a response.';
COMMENT ON COLUMN memory.episode.response IS 'The answer to content.';
COMMENT ON COLUMN memory.episode.occurred_at IS 'When it happened, as given by the application.';
COMMENT ON COLUMN memory.episode.metadata IS 'A JSON object of the application''s.';
COMMENT ON COLUMN memory.episode.importance IS 'Between 0 and 1.';
COMMENT ON COLUMN memory.episode.transcript IS 'The whole exchange behind a turn, as JSON.';
COMMENT ON COLUMN memory.episode.expires_at IS 'When the episode expires: from then on no call returns it. NULL: never.';
COMMENT ON COLUMN memory.episode.recorded_at IS 'When this text was written.';

CREATE FUNCTION memory.remember(content text, response text DEFAULT NULL, user_id text DEFAULT NULL,
    session_id text DEFAULT NULL, agent_id text DEFAULT NULL, kind text DEFAULT 'episodic',
    role text DEFAULT NULL, metadata jsonb DEFAULT '{}', importance float8 DEFAULT 1.0,
    occurred_at timestamptz DEFAULT now(), ttl interval DEFAULT NULL, embedding vector DEFAULT NULL,
    transcript jsonb DEFAULT NULL, id uuid DEFAULT NULL, model text DEFAULT NULL)
    RETURNS uuid
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_remember';
COMMENT ON FUNCTION memory.remember(text, text, text, text, text, text, text, jsonb, float8, timestamptz, interval, vector, jsonb, uuid, text) IS
'Remembers one episode and returns its id. What is recalled is content, and response below it when there is one. With an id that this user already has, that episode is replaced whole, so a retry does no harm. With ttl, it expires that long from now.';

CREATE FUNCTION memory.remember_many(episodes jsonb, user_id text DEFAULT NULL,
    session_id text DEFAULT NULL)
    RETURNS SETOF uuid
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_remember_many';
COMMENT ON FUNCTION memory.remember_many(jsonb, text, text) IS
'Remembers a JSON array of objects whose keys are the names of memory.remember''s arguments, all or nothing, and returns their ids in order. A user_id or session_id of an element takes precedence over the argument.';

CREATE FUNCTION memory.revise(id uuid, content text, response text DEFAULT NULL, user_id text DEFAULT NULL)
    RETURNS boolean
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_revise';
COMMENT ON FUNCTION memory.revise(uuid, text, text, text) IS
'Gives an episode a new text. The text before is kept in memory.episode_revisions. The embeddings of the episode describe the old text and are deleted. False when this user has no such episode.';

CREATE FUNCTION memory.get(id uuid, user_id text DEFAULT NULL) RETURNS SETOF memory.episode
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 1
    AS 'MODULE_PATHNAME', 'memory_get';
COMMENT ON FUNCTION memory.get(uuid, text) IS
'The episode of this user with this id; no row when there is none, or it has expired. Episodes of other users are not found.';

CREATE FUNCTION memory.recall_recent(kind text DEFAULT NULL, k bigint DEFAULT 20, user_id text DEFAULT NULL,
    agent_id text DEFAULT NULL, session_id text DEFAULT NULL, filter jsonb DEFAULT NULL)
    RETURNS SETOF memory.episode
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 20
    AS 'MODULE_PATHNAME', 'memory_recall_recent';
COMMENT ON FUNCTION memory.recall_recent(text, bigint, text, text, text, jsonb) IS
'The k newest episodes of this user by occurred_at, newest first; of one kind, agent or session, and with metadata that pass a filter, where that is given. With k NULL all of them.';

CREATE FUNCTION memory_internal.episode_text(content text, response text) RETURNS text
    LANGUAGE C IMMUTABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_episode_text';
COMMENT ON FUNCTION memory_internal.episode_text(text, text) IS
'What an episode is recalled by: content, and response on the lines below it when there is one. The expression of index memory.episodes_by_text.';

-- Behind INSERT and COPY into the tables.

CREATE FUNCTION memory_internal.default_id() RETURNS uuid
    LANGUAGE C VOLATILE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_id';
COMMENT ON FUNCTION memory_internal.default_id() IS
'A new UUIDv7, greater than every one made before it in this backend: the default of memory.episodes.id.';

CREATE FUNCTION memory_internal.default_model() RETURNS text
    LANGUAGE C STABLE PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_default_model';
COMMENT ON FUNCTION memory_internal.default_model() IS
'The model of an embedding that is inserted without one: the setting memory.embedding_model; where that is default, the one that memory.use_model names for the session''s namespace.';

CREATE FUNCTION memory_internal.obeys_settings(user_id text, content text, response text) RETURNS boolean
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_obeys_settings';
COMMENT ON FUNCTION memory_internal.obeys_settings(text, text, text) IS
'Whether memory.max_content and memory.anonymous allow an episode: the WHEN condition of a trigger on memory.episodes.';

CREATE FUNCTION memory_internal.refuse_episode() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_refuse_episode';
COMMENT ON FUNCTION memory_internal.refuse_episode() IS
'Trigger function: raises the error for an episode that the settings do not allow.';

CREATE FUNCTION memory_internal.fits_model(model text, embedding vector) RETURNS boolean
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_fits_model';
COMMENT ON FUNCTION memory_internal.fits_model(text, vector) IS
'Whether an embedding has the declared number of dimensions of its model.';

CREATE FUNCTION memory_internal.fits_others(namespace text, user_id text, model text, embedding vector) RETURNS boolean
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_fits_others';
COMMENT ON FUNCTION memory_internal.fits_others(text, text, text, vector) IS
'Whether an embedding has a direction, and the number of dimensions that is declared for its model or, where none is, that the other embeddings of this user and model have: the WHEN condition of triggers on memory.embeddings, memory.fact_embeddings and memory.item_embeddings.';

CREATE FUNCTION memory_internal.refuse_embedding() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_refuse_embedding';
COMMENT ON FUNCTION memory_internal.refuse_embedding() IS
'Trigger function: raises the error for an embedding without a direction, or whose dimensions are not those of its model.';

CREATE FUNCTION memory_internal.embed_episode() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_embed_episode';
COMMENT ON FUNCTION memory_internal.embed_episode() IS
'Trigger function: makes the vector of an episode where the database embeds by itself.';

CREATE FUNCTION memory_internal.set_end() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_set_end';
COMMENT ON FUNCTION memory_internal.set_end() IS
'Trigger function: says when an episode expires that was written without saying so.';

CREATE FUNCTION memory_internal.drop_messages_of_episodes() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_drop_messages_of_episodes';
COMMENT ON FUNCTION memory_internal.drop_messages_of_episodes() IS
'Trigger function: drops the messages of deleted episodes, which have their ids, from the logs of their sessions, and undoes their mergers.';

CREATE FUNCTION memory_internal.restore_merged_episodes() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_restore_merged_episodes';
COMMENT ON FUNCTION memory_internal.restore_merged_episodes() IS
'Trigger function: makes episodes that are not merged any more recallable again.';
