-- Stretches of lines of time: what proves that no two current facts of a line overlap.

CREATE TYPE memory_internal.stretch;
CREATE FUNCTION memory_internal.stretch_in(cstring) RETURNS memory_internal.stretch
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_in';
COMMENT ON FUNCTION memory_internal.stretch_in(cstring) IS 'Refuses: memory_internal.stretch(namespace, user_id, line, valid_from, valid_until) makes one.';
CREATE FUNCTION memory_internal.stretch_out(memory_internal.stretch) RETURNS cstring
    LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_out';
COMMENT ON FUNCTION memory_internal.stretch_out(memory_internal.stretch) IS 'Output of type memory_internal.stretch.';
CREATE TYPE memory_internal.stretch (INPUT = memory_internal.stretch_in, OUTPUT = memory_internal.stretch_out,
    INTERNALLENGTH = 48, ALIGNMENT = double, STORAGE = plain);
COMMENT ON TYPE memory_internal.stretch IS 'A span of time of one line of a user: the key of the exclusion constraint of memory.facts.';

CREATE FUNCTION memory_internal.stretch(namespace text, user_id text, line bigint, valid_from timestamptz, valid_until timestamptz)
    RETURNS memory_internal.stretch
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch';
COMMENT ON FUNCTION memory_internal.stretch(text, text, bigint, timestamptz, timestamptz) IS
'The span [valid_from, valid_until) of a line of a user, for the exclusion constraint of memory.facts. It holds the first 64 bits of SHA-256 of the namespace, a byte 0 and the user.';
CREATE FUNCTION memory_internal.overlap(memory_internal.stretch, memory_internal.stretch) RETURNS boolean
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_overlap';
COMMENT ON FUNCTION memory_internal.overlap(memory_internal.stretch, memory_internal.stretch) IS
'Whether two stretches are of the same user and line and have a time in common: behind operator &&.';
CREATE OPERATOR memory_internal.&& (LEFTARG = memory_internal.stretch, RIGHTARG = memory_internal.stretch, FUNCTION = memory_internal.overlap,
    COMMUTATOR = OPERATOR(memory_internal.&&), RESTRICT = areasel, JOIN = areajoinsel);
COMMENT ON OPERATOR memory_internal.&& (memory_internal.stretch, memory_internal.stretch) IS 'overlaps';

CREATE FUNCTION memory_internal.stretch_consistent(internal, memory_internal.stretch, smallint, oid, internal) RETURNS boolean
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_consistent';
COMMENT ON FUNCTION memory_internal.stretch_consistent(internal, memory_internal.stretch, smallint, oid, internal) IS 'GiST support.';
CREATE FUNCTION memory_internal.stretch_union(internal, internal) RETURNS memory_internal.stretch
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_union';
COMMENT ON FUNCTION memory_internal.stretch_union(internal, internal) IS 'GiST support.';
CREATE FUNCTION memory_internal.stretch_penalty(internal, internal, internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_penalty';
COMMENT ON FUNCTION memory_internal.stretch_penalty(internal, internal, internal) IS 'GiST support.';
CREATE FUNCTION memory_internal.stretch_picksplit(internal, internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_picksplit';
COMMENT ON FUNCTION memory_internal.stretch_picksplit(internal, internal) IS 'GiST support.';
CREATE FUNCTION memory_internal.stretch_same(memory_internal.stretch, memory_internal.stretch, internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_same';
COMMENT ON FUNCTION memory_internal.stretch_same(memory_internal.stretch, memory_internal.stretch, internal) IS 'GiST support.';
CREATE FUNCTION memory_internal.stretch_sortsupport(internal) RETURNS void
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_stretch_sortsupport';
COMMENT ON FUNCTION memory_internal.stretch_sortsupport(internal) IS 'GiST support: builds by sorting.';
CREATE OPERATOR FAMILY memory_internal.stretch_ops USING gist;
CREATE OPERATOR CLASS memory_internal.stretch_ops DEFAULT FOR TYPE memory_internal.stretch USING gist FAMILY memory_internal.stretch_ops AS
    OPERATOR 3 memory_internal.&& (memory_internal.stretch, memory_internal.stretch),
    FUNCTION 1 memory_internal.stretch_consistent (internal, memory_internal.stretch, smallint, oid, internal),
    FUNCTION 2 memory_internal.stretch_union (internal, internal),
    FUNCTION 5 memory_internal.stretch_penalty (internal, internal, internal),
    FUNCTION 6 memory_internal.stretch_picksplit (internal, internal),
    FUNCTION 7 memory_internal.stretch_same (memory_internal.stretch, memory_internal.stretch, internal),
    FUNCTION 11 memory_internal.stretch_sortsupport (internal);
COMMENT ON OPERATOR FAMILY memory_internal.stretch_ops USING gist IS 'stretches, to prove that none overlap';
COMMENT ON OPERATOR CLASS memory_internal.stretch_ops USING gist IS 'stretches, to prove that none overlap';

CREATE FUNCTION memory_internal.default_line() RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_line';
COMMENT ON FUNCTION memory_internal.default_line() IS
'A number for a new line of memory.timelines: 63 random bits, never 0.';
