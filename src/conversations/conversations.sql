-- Conversations: the log of a session, runs, policies, summaries and profiles.

CREATE TYPE memory.message AS (
    session_id text,
    path text,
    seq bigint,
    id uuid,
    key text,
    role text,
    content text,
    message jsonb,
    run_id text,
    occurred_at timestamptz
);
COMMENT ON TYPE memory.message IS 'A message of the log of a session as functions return it.';
COMMENT ON COLUMN memory.message.session_id IS 'The session.';
COMMENT ON COLUMN memory.message.path IS 'Empty for the conversation; others are of sub-agents.';
COMMENT ON COLUMN memory.message.seq IS 'Its number: 1, 2, 3 and so on, within session and path, in the order in which they were committed.';
COMMENT ON COLUMN memory.message.id IS 'The id of the episode that it is recalled by, where it has one. The messages of one remember share theirs.';
COMMENT ON COLUMN memory.message.key IS 'Its key, where it was added with one.';
COMMENT ON COLUMN memory.message.role IS 'user, assistant, system, tool or other.';
COMMENT ON COLUMN memory.message.content IS 'What of it is recalled (memory.message_text); NULL where nothing is, as of systems and tools.';
COMMENT ON COLUMN memory.message.message IS 'The message as it was given.';
COMMENT ON COLUMN memory.message.run_id IS 'The run that it belongs to.';
COMMENT ON COLUMN memory.message.occurred_at IS 'When it happened.';

CREATE FUNCTION memory.add_messages(session_id text, messages jsonb, user_id text DEFAULT NULL,
    agent_id text DEFAULT NULL, run_id text DEFAULT NULL, path text DEFAULT '', key_field text DEFAULT NULL,
    expected_seq bigint DEFAULT NULL, operation text DEFAULT NULL)
    RETURNS TABLE (seq bigint, id uuid)
    LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10
    AS 'MODULE_PATHNAME', 'memory_add_messages';
COMMENT ON FUNCTION memory.add_messages(text, jsonb, text, text, text, text, text, bigint, text) IS
'Appends a JSON array of messages to the log of a session, which is made where it is missing, and returns their numbers and ids in order. Messages of users and assistants are recalled by their text. With key_field a message whose key the log has takes the place of that one. With expected_seq nothing is written unless that is the last number (40001). With operation a retry changes nothing and returns the same; it is 23505 with other messages.';

CREATE FUNCTION memory.messages(session_id text DEFAULT NULL, k bigint DEFAULT 20, user_id text DEFAULT NULL,
    after bigint DEFAULT NULL, before bigint DEFAULT NULL, since timestamptz DEFAULT NULL,
    until timestamptz DEFAULT NULL, runs bigint DEFAULT NULL, roles text[] DEFAULT NULL, keys text[] DEFAULT NULL,
    around bigint DEFAULT 0, tool_messages boolean DEFAULT true, path text DEFAULT '')
    RETURNS SETOF memory.message
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 20
    AS 'MODULE_PATHNAME', 'memory_messages';
COMMENT ON FUNCTION memory.messages(text, bigint, text, bigint, bigint, timestamptz, timestamptz, bigint, text[], text[], bigint, boolean, text) IS
'The newest k messages of a session and path that pass all that is asked for, oldest first. Without a session those of all sessions, by the time when they happened. With around, as many messages before and after each.';

CREATE FUNCTION memory.drop_messages(session_id text, last bigint DEFAULT NULL, after bigint DEFAULT NULL,
    keys text[] DEFAULT NULL, ids uuid[] DEFAULT NULL, path text DEFAULT '', user_id text DEFAULT NULL)
    RETURNS SETOF memory.message
    LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10
    AS 'MODULE_PATHNAME', 'memory_drop_messages';
COMMENT ON FUNCTION memory.drop_messages(text, bigint, bigint, text[], uuid[], text, text) IS
'Drops the messages of a session and path that meet every condition given, with their episodes, and returns them, oldest first: the last so many, those after a number, those of keys, those of ids. Messages that share an id go together. Their numbers are not given again.';

CREATE FUNCTION memory.fork_session(session_id text, new_session text DEFAULT NULL, upto_seq bigint DEFAULT NULL,
    upto_checkpoint text DEFAULT NULL, metadata jsonb DEFAULT NULL, user_id text DEFAULT NULL)
    RETURNS text
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_fork_session';
COMMENT ON FUNCTION memory.fork_session(text, text, bigint, text, jsonb, text) IS
'Makes a new session out of one, and returns its name: with the messages of the conversation, up to upto_seq where that is given, and their episodes and vectors, all with ids of their own; and with the checkpoints of all paths, up to upto_checkpoint where that is given, their parts and writes. No run and no summary. Neither is changed by what happens to the other; they share the bytes of the checkpoints of their past.';

CREATE FUNCTION memory.delete_session(session_id text, path text DEFAULT '', user_id text DEFAULT NULL)
    RETURNS boolean
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_delete_session';
COMMENT ON FUNCTION memory.delete_session(text, text, text) IS
'Deletes a session with all that belongs to it: messages, episodes and their vectors, runs, summary, checkpoints. With a path other than the empty one, the messages, episodes and checkpoints of that path alone. False when there was nothing to delete.';
