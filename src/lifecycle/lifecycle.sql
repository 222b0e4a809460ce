-- Lifecycle: what becomes of memories in time (docs/lifecycle.md).

CREATE FUNCTION memory.forget(user_id text DEFAULT NULL, session_id text DEFAULT NULL, before timestamptz DEFAULT NULL, id uuid DEFAULT NULL,
    filter jsonb DEFAULT NULL, item_path text[] DEFAULT NULL) RETURNS jsonb
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_forget';
COMMENT ON FUNCTION memory.forget(text, text, timestamptz, uuid, jsonb, text[]) IS
'Deletes for good what meets all conditions that are given, with what was derived from it alone. Returns the receipt: {table: rows, ..., "time": time, "digest": SHA-256 of the ids of episodes, messages and facts}. At least one condition must not be NULL; nothing of the receipt is stored.';

CREATE FUNCTION memory.forget_user(user_id text) RETURNS jsonb
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_forget_user';
COMMENT ON FUNCTION memory.forget_user(text) IS
'Deletes for good everything that a user has in the namespace of the session. Returns the receipt, as memory.forget does.';

CREATE FUNCTION memory.set_retention(thing text, kind text DEFAULT NULL, ttl interval DEFAULT NULL, half_life interval DEFAULT NULL, keep bigint DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_set_retention';
COMMENT ON FUNCTION memory.set_retention(text, text, interval, interval, bigint) IS
'Says how long a thing lives in the namespace of the session, how fast it fades and how many are kept: of episodes (of a kind or of all), sessions, checkpoints, runs, items and versions of blocks. For the owner of the tables and admins.';

CREATE FUNCTION memory.sweep(batch bigint DEFAULT 10000) RETURNS jsonb
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_sweep';
COMMENT ON FUNCTION memory.sweep(bigint) IS
'Deletes what has expired and what is beyond what is kept, of all users, about so many rows at a time. Returns a receipt, as memory.forget does: all is done when its counts are 0. For the owner of the tables and admins.';

CREATE FUNCTION memory.reinforce(ids uuid[], amount double precision DEFAULT 1.0, user_id text DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_reinforce';
COMMENT ON FUNCTION memory.reinforce(uuid[], double precision, text) IS
'Notes that episodes were of use: adds to what they count, up to what they counted at first, and has them fade from now on.';

CREATE FUNCTION memory.strength(id uuid, at timestamptz DEFAULT now(), user_id text DEFAULT NULL) RETURNS double precision
    LANGUAGE C STABLE PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_strength';
COMMENT ON FUNCTION memory.strength(uuid, timestamptz, text) IS
'What an episode counts at a time: its importance, halved with every half-life of its kind since it happened, or was reinforced last. NULL when there is no such episode.';

CREATE FUNCTION memory.consolidate(threshold float8 DEFAULT 0.9, dry_run boolean DEFAULT true, user_id text DEFAULT NULL)
    RETURNS TABLE (cluster bigint, kept uuid, merged uuid[], similarity float8)
    LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 100 AS 'MODULE_PATHNAME', 'memory_consolidate';
COMMENT ON FUNCTION memory.consolidate(float8, boolean, text) IS
    'Finds episodes that say nearly the same (case, punctuation, order of words, small edits), and, unless dry_run, merges them: one of each cluster is kept, the others stay and are not recalled.';

CREATE FUNCTION memory.undo_consolidation(kept uuid, user_id text DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'memory_undo_consolidation';
COMMENT ON FUNCTION memory.undo_consolidation(uuid, text) IS
    'Brings back what is merged into an episode, as it was.';

CREATE FUNCTION memory.scrub() RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_scrub';
COMMENT ON FUNCTION memory.scrub() IS
'After VACUUM (INDEX_CLEANUP ON): writes zeros over what deleted rows have left in the files of all tables of memory, their TOAST and their indexes, and builds indexes anew that keep words of such rows. Returns how many pages it has written: 0 when there was nothing left. For the owner of the tables.';
