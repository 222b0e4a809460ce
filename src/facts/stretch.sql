-- Stretches of lines of time: what proves that no two current facts of a line overlap.

CREATE TYPE memory.stretch;
CREATE FUNCTION memory.stretch_in(cstring) RETURNS memory.stretch
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_in';
COMMENT ON FUNCTION memory.stretch_in(cstring) IS 'Refuses: memory.stretch(namespace, user_id, line, valid_from, valid_until) makes one.';
CREATE FUNCTION memory.stretch_out(memory.stretch) RETURNS cstring
    LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_out';
COMMENT ON FUNCTION memory.stretch_out(memory.stretch) IS 'Output of type memory.stretch.';
CREATE TYPE memory.stretch (INPUT = memory.stretch_in, OUTPUT = memory.stretch_out,
    INTERNALLENGTH = 48, ALIGNMENT = double, STORAGE = plain);
COMMENT ON TYPE memory.stretch IS 'A span of time of one line of a user: the key of the exclusion constraint of memory.facts.';

CREATE FUNCTION memory.stretch(namespace text, user_id text, line bigint, valid_from timestamptz, valid_until timestamptz)
    RETURNS memory.stretch
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch';
COMMENT ON FUNCTION memory.stretch(text, text, bigint, timestamptz, timestamptz) IS
'The span [valid_from, valid_until) of a line of a user, for the exclusion constraint of memory.facts. It holds the first 64 bits of SHA-256 of the namespace, a byte 0 and the user.';
CREATE FUNCTION memory.overlap(memory.stretch, memory.stretch) RETURNS boolean
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_overlap';
COMMENT ON FUNCTION memory.overlap(memory.stretch, memory.stretch) IS
'Whether two stretches are of the same user and line and have a time in common: behind operator &&.';
CREATE OPERATOR memory.&& (LEFTARG = memory.stretch, RIGHTARG = memory.stretch, FUNCTION = memory.overlap,
    COMMUTATOR = OPERATOR(memory.&&), RESTRICT = areasel, JOIN = areajoinsel);
COMMENT ON OPERATOR memory.&& (memory.stretch, memory.stretch) IS 'overlaps';

CREATE FUNCTION memory.stretch_consistent(internal, memory.stretch, smallint, oid, internal) RETURNS boolean
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_consistent';
COMMENT ON FUNCTION memory.stretch_consistent(internal, memory.stretch, smallint, oid, internal) IS 'GiST support.';
CREATE FUNCTION memory.stretch_union(internal, internal) RETURNS memory.stretch
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_union';
COMMENT ON FUNCTION memory.stretch_union(internal, internal) IS 'GiST support.';
CREATE FUNCTION memory.stretch_penalty(internal, internal, internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_penalty';
COMMENT ON FUNCTION memory.stretch_penalty(internal, internal, internal) IS 'GiST support.';
CREATE FUNCTION memory.stretch_picksplit(internal, internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_picksplit';
COMMENT ON FUNCTION memory.stretch_picksplit(internal, internal) IS 'GiST support.';
CREATE FUNCTION memory.stretch_same(memory.stretch, memory.stretch, internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_same';
COMMENT ON FUNCTION memory.stretch_same(memory.stretch, memory.stretch, internal) IS 'GiST support.';
CREATE FUNCTION memory.stretch_sortsupport(internal) RETURNS void
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_sortsupport';
COMMENT ON FUNCTION memory.stretch_sortsupport(internal) IS 'GiST support: builds by sorting.';
CREATE OPERATOR FAMILY memory.stretch_ops USING gist;
CREATE OPERATOR CLASS memory.stretch_ops DEFAULT FOR TYPE memory.stretch USING gist FAMILY memory.stretch_ops AS
    OPERATOR 3 memory.&& (memory.stretch, memory.stretch),
    FUNCTION 1 memory.stretch_consistent (internal, memory.stretch, smallint, oid, internal),
    FUNCTION 2 memory.stretch_union (internal, internal),
    FUNCTION 5 memory.stretch_penalty (internal, internal, internal),
    FUNCTION 6 memory.stretch_picksplit (internal, internal),
    FUNCTION 7 memory.stretch_same (memory.stretch, memory.stretch, internal),
    FUNCTION 11 memory.stretch_sortsupport (internal);
COMMENT ON OPERATOR FAMILY memory.stretch_ops USING gist IS 'stretches, to prove that none overlap';
COMMENT ON OPERATOR CLASS memory.stretch_ops USING gist IS 'stretches, to prove that none overlap';

CREATE FUNCTION memory.default_line() RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_line';
COMMENT ON FUNCTION memory.default_line() IS
'A number for a new line of memory.timelines: 63 random bits, never 0.';
