-- Retention: how long things live in a namespace.

CREATE FUNCTION memory_internal.kind_ends(namespace text, kind text) RETURNS boolean
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_kind_ends';
COMMENT ON FUNCTION memory_internal.kind_ends(text, text) IS
'Whether episodes of a kind live for a time only (memory.set_retention): the WHEN condition of a trigger on memory.episodes.';

CREATE FUNCTION memory_internal.alive_since(namespace text, thing text) RETURNS timestamptz
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_alive_since';
COMMENT ON FUNCTION memory_internal.alive_since(text, text) IS
'What was written last at this time or earlier has expired (memory.set_retention); -infinity where nothing of the thing does.';

CREATE FUNCTION memory_internal.retention_changed() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_retention_changed';
COMMENT ON FUNCTION memory_internal.retention_changed() IS
'Trigger function: has all sessions read the rules of retention again.';

CREATE FUNCTION memory_internal.faded(namespace text, kind text, weight double precision, since timestamptz, at timestamptz) RETURNS double precision
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_faded';
COMMENT ON FUNCTION memory_internal.faded(text, text, double precision, timestamptz, timestamptz) IS
'What is left of a weight between two times, by the half-life of a kind of episodes.';
