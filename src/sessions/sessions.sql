-- Sessions: conversations and runs of agents.

CREATE TYPE memory.session AS (
    session_id text,
    agent_id text,
    messages bigint,
    last_seq bigint,
    version bigint,
    created_at timestamptz,
    updated_at timestamptz,
    metadata jsonb,
    paths text[]
);
COMMENT ON TYPE memory.session IS
'A session as functions return it: a conversation, or a run of an agent, with what the application notes of it.';
COMMENT ON COLUMN memory.session.session_id IS 'The name that the application gave it.';
COMMENT ON COLUMN memory.session.agent_id IS 'The agent that it belongs to.';
COMMENT ON COLUMN memory.session.messages IS 'How many messages the conversation has, those of sub-agents apart.';
COMMENT ON COLUMN memory.session.last_seq IS 'The last number that was given to a message of the conversation; 0 before the first.';
COMMENT ON COLUMN memory.session.version IS '1 at first, and one more with every set_session and with every call that drops some of what the session has.';
COMMENT ON COLUMN memory.session.created_at IS 'When it was written into first.';
COMMENT ON COLUMN memory.session.updated_at IS 'When it was written into last; late by a second at most where no other session of the user was written into since.';
COMMENT ON COLUMN memory.session.metadata IS 'A JSON object of the application''s.';
COMMENT ON COLUMN memory.session.paths IS 'Its paths that something is stored under, in order: of the conversation '''', of sub-agents others.';

CREATE FUNCTION memory.session(session_id text, user_id text DEFAULT NULL) RETURNS SETOF memory.session
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 1
    AS 'MODULE_PATHNAME', 'memory_session';
COMMENT ON FUNCTION memory.session(text, text) IS
'The session of this user with this name; no row when there is none. Sessions of other users are not found.';

CREATE FUNCTION memory.sessions(user_id text DEFAULT NULL, agent_id text DEFAULT NULL, ids text[] DEFAULT NULL,
    filter jsonb DEFAULT NULL, since timestamptz DEFAULT NULL, until timestamptz DEFAULT NULL, k bigint DEFAULT 20,
    skip bigint DEFAULT 0, sort text DEFAULT 'updated')
    RETURNS SETOF memory.session
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 20
    AS 'MODULE_PATHNAME', 'memory_sessions';
COMMENT ON FUNCTION memory.sessions(text, text, text[], jsonb, timestamptz, timestamptz, bigint, bigint, text) IS
'The sessions of this user, those that were written into last first. Sessions of one time are in the order of their names, byte by byte, so that pages do not overlap.';

CREATE FUNCTION memory.set_session(session_id text, metadata jsonb, user_id text DEFAULT NULL, agent_id text DEFAULT NULL,
    mode text DEFAULT 'update', expected_version bigint DEFAULT NULL)
    RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_set_session';
COMMENT ON FUNCTION memory.set_session(text, jsonb, text, text, text, bigint) IS
'Notes metadata of a session, which is made where it is missing, and returns its new version. With expected_version it does so only where the session has this version: 40001 when it has another, or is not there. expected_version 0 makes a new session, and is 23505 when there is one of this name.';

CREATE FUNCTION memory.message_text(message jsonb) RETURNS TABLE (role text, content text)
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 1
    AS 'MODULE_PATHNAME', 'memory_message_text';
COMMENT ON FUNCTION memory.message_text(jsonb) IS
'What of a message is recalled: whose it is, and its text, without calls and results of tools, reasoning, images, sounds and files. It knows the messages of OpenAI (chat and Responses), Anthropic, LangChain, Vercel''s AI SDK, ADK, pydantic-ai and agno. NULL has no row.';

CREATE FUNCTION memory_internal.message_content(message jsonb) RETURNS text
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_message_content';
COMMENT ON FUNCTION memory_internal.message_content(jsonb) IS
'The text of a message in the log, as memory.message_text gives it.';

CREATE FUNCTION memory_internal.name_key(name text) RETURNS text
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100
    AS 'MODULE_PATHNAME', 'memory_name_key';
COMMENT ON FUNCTION memory_internal.name_key(text) IS
'What keys of tables hold of a name that a caller makes up: the name itself up to 64 bytes, # and the SHA-256 of a longer one.';

CREATE FUNCTION memory_internal.drop_log() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_drop_log';
COMMENT ON FUNCTION memory_internal.drop_log() IS
'Trigger function: drops the messages of a session that is deleted, and what is known of the calls that added them.';
