-- Checkpoints: the state of an agent at every step.

CREATE TYPE memory.checkpoint AS (
    session_id text,
    path text,
    id text,
    parent text,
    state jsonb,
    metadata jsonb,
    created_at timestamptz,
    part_names text[],
    part_types text[],
    part_data bytea[],
    write_tasks text[],
    write_names text[],
    write_types text[],
    write_data bytea[]
);
COMMENT ON TYPE memory.checkpoint IS
'A checkpoint as functions return it: the state of an agent at one step, the parts that it consists of, and what tasks have written since.';
COMMENT ON COLUMN memory.checkpoint.session_id IS 'The session.';
COMMENT ON COLUMN memory.checkpoint.path IS 'Empty for the session''s own checkpoints; others are of sub-agents.';
COMMENT ON COLUMN memory.checkpoint.id IS 'Its name, within session and path.';
COMMENT ON COLUMN memory.checkpoint.parent IS 'The name of the one it follows, which need not be there.';
COMMENT ON COLUMN memory.checkpoint.state IS 'The state as it was put; NULL in lists without full_rows.';
COMMENT ON COLUMN memory.checkpoint.metadata IS 'A JSON object of the application''s.';
COMMENT ON COLUMN memory.checkpoint.created_at IS 'When it was first written.';
COMMENT ON COLUMN memory.checkpoint.part_names IS 'The parts that refs names and that are there, in the order of their bytes; NULL in lists without full_rows, as is what follows.';
COMMENT ON COLUMN memory.checkpoint.part_types IS 'Their types, as they were given.';
COMMENT ON COLUMN memory.checkpoint.part_data IS 'Their data; NULL for a part that is known to be empty.';
COMMENT ON COLUMN memory.checkpoint.write_tasks IS 'The tasks of its writes, in the order of their bytes, and within a task by idx.';
COMMENT ON COLUMN memory.checkpoint.write_names IS 'What they write to.';
COMMENT ON COLUMN memory.checkpoint.write_types IS 'Their types, as they were given.';
COMMENT ON COLUMN memory.checkpoint.write_data IS 'What they write.';

CREATE FUNCTION memory.put_checkpoint(session_id text, state jsonb, id text DEFAULT NULL, parent text DEFAULT NULL,
    metadata jsonb DEFAULT '{}', path text DEFAULT '', keep bigint DEFAULT NULL, refs jsonb DEFAULT '{}',
    part_names text[] DEFAULT '{}', part_types text[] DEFAULT '{}', part_data bytea[] DEFAULT '{}',
    user_id text DEFAULT NULL)
    RETURNS text
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_put_checkpoint';
COMMENT ON FUNCTION memory.put_checkpoint(text, jsonb, text, text, jsonb, text, bigint, jsonb, text[], text[], bytea[], text) IS
'Saves the state of a session at one step and returns the checkpoint''s id. The same id again replaces state, refs and metadata, and keeps parent, place and created_at. Parts are given once per version; refs says which version of each the checkpoint consists of. With keep, older checkpoints of the path go.';

CREATE FUNCTION memory.put_writes(session_id text, checkpoint text, task text, idx bigint[], names text[],
    types text[], data bytea[], path text DEFAULT '', task_path text DEFAULT '', replace boolean DEFAULT false,
    user_id text DEFAULT NULL)
    RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_put_writes';
COMMENT ON FUNCTION memory.put_writes(text, text, text, bigint[], text[], text[], bytea[], text, text, boolean, text) IS
'Saves what a task has written on the way to the next checkpoint, and returns how many rows were written. A place (idx) that the task has written already stays as it is, or is replaced with replace. The checkpoint may come later.';

CREATE FUNCTION memory.writes(session_id text, checkpoint text, task text DEFAULT NULL, path text DEFAULT '',
    user_id text DEFAULT NULL)
    RETURNS TABLE (task text, task_path text, idx bigint, name text, type text, data bytea)
    LANGUAGE C STABLE PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_writes';
COMMENT ON FUNCTION memory.writes(text, text, text, text, text) IS
'What tasks have written for a checkpoint, ordered by task (its bytes) and idx; of one task where that is given.';

CREATE FUNCTION memory.checkpoint(session_id text DEFAULT NULL, id text DEFAULT NULL, path text DEFAULT '',
    user_id text DEFAULT NULL)
    RETURNS SETOF memory.checkpoint
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 1
    AS 'MODULE_PATHNAME', 'memory_checkpoint';
COMMENT ON FUNCTION memory.checkpoint(text, text, text, text) IS
'One checkpoint with its state, parts and writes: the newest of the session and path, or the one with this id. Without a session the newest of this id among all sessions. No row when there is none.';

CREATE FUNCTION memory.checkpoints(session_id text DEFAULT NULL, k bigint DEFAULT 50, path text DEFAULT NULL,
    before text DEFAULT NULL, ancestors_of text DEFAULT NULL, filter jsonb DEFAULT NULL,
    full_rows boolean DEFAULT false, user_id text DEFAULT NULL)
    RETURNS SETOF memory.checkpoint
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 50
    AS 'MODULE_PATHNAME', 'memory_checkpoints';
COMMENT ON FUNCTION memory.checkpoints(text, bigint, text, text, text, jsonb, boolean, text) IS
'The newest k checkpoints, newest first, without state, parts and writes unless full_rows. before: those written before this one. ancestors_of: the chain of its parents, the nearest first. filter is on metadata.';

CREATE FUNCTION memory.prune_checkpoints(session_ids text[] DEFAULT NULL, keep bigint DEFAULT NULL,
    run_ids text[] DEFAULT NULL, before timestamptz DEFAULT NULL, protect text[] DEFAULT NULL,
    user_id text DEFAULT NULL)
    RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_prune_checkpoints';
COMMENT ON FUNCTION memory.prune_checkpoints(text[], bigint, text[], timestamptz, text[], text) IS
'Deletes the checkpoints that meet every condition given, and returns how many: of these sessions, not among the newest keep of their path, of these runs (metadata.run_id), older than before; never one in protect. What remains is whole, whatever was deleted.';

CREATE FUNCTION memory_internal.drop_checkpoints() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_drop_checkpoints';
COMMENT ON FUNCTION memory_internal.drop_checkpoints() IS
'Trigger function: deletes what belongs to a session whose row was deleted, checkpoints with their parts, writes and bytes.';
