-- Ranking without an index.

CREATE FUNCTION memory.bm25_rank(ids anyarray, texts text[], query text, k1 float8 DEFAULT 0.9,
    b float8 DEFAULT 0.4, dictionary regdictionary DEFAULT NULL)
    RETURNS TABLE (id anyelement, score float8, rank bigint)
    LANGUAGE C STABLE PARALLEL SAFE ROWS 100
    AS 'MODULE_PATHNAME', 'memory_bm25_rank';
COMMENT ON FUNCTION memory.bm25_rank(anyarray, text[], text, float8, float8, regdictionary) IS
'Exact BM25 scores of the texts that match a query, best first; of equal ones the one given first. ids[i] belongs to texts[i]. The texts given are the corpus; a NULL text is none. For small sets, and to check an index: a recall index with the same k1, b and dictionary has the same scores.';

-- Reciprocal rank fusion. The functions behind it take a state that no SQL can make.

CREATE FUNCTION memory_internal.rrf_add(internal, rank bigint) RETURNS internal
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_rrf_add';
COMMENT ON FUNCTION memory_internal.rrf_add(internal, bigint) IS 'Adds a rank to a state of aggregate memory.rrf.';
CREATE FUNCTION memory_internal.rrf_add(internal, rank bigint, weight float8) RETURNS internal
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_rrf_add';
COMMENT ON FUNCTION memory_internal.rrf_add(internal, bigint, float8) IS 'Adds a rank to a state of aggregate memory.rrf.';
CREATE FUNCTION memory_internal.rrf_add(internal, rank bigint, weight float8, k bigint) RETURNS internal
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_rrf_add';
COMMENT ON FUNCTION memory_internal.rrf_add(internal, bigint, float8, bigint) IS 'Adds a rank to a state of aggregate memory.rrf.';
CREATE FUNCTION memory_internal.rrf_combine(internal, internal) RETURNS internal
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_rrf_combine';
COMMENT ON FUNCTION memory_internal.rrf_combine(internal, internal) IS 'Adds two states of aggregate memory.rrf.';
CREATE FUNCTION memory_internal.rrf_serialize(internal) RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_rrf_serialize';
COMMENT ON FUNCTION memory_internal.rrf_serialize(internal) IS 'Serializes a state of aggregate memory.rrf in a parallel worker.';
CREATE FUNCTION memory_internal.rrf_deserialize(bytea, internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_rrf_deserialize';
COMMENT ON FUNCTION memory_internal.rrf_deserialize(bytea, internal) IS 'Deserializes a state of aggregate memory.rrf from a parallel worker.';
CREATE FUNCTION memory_internal.rrf_value(internal) RETURNS float8
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_rrf_value';
COMMENT ON FUNCTION memory_internal.rrf_value(internal) IS 'The result of aggregate memory.rrf.';

CREATE AGGREGATE memory.rrf(rank bigint) (
    SFUNC = memory_internal.rrf_add, STYPE = internal, SSPACE = 16, FINALFUNC = memory_internal.rrf_value,
    COMBINEFUNC = memory_internal.rrf_combine, SERIALFUNC = memory_internal.rrf_serialize,
    DESERIALFUNC = memory_internal.rrf_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE memory.rrf(bigint) IS
'Reciprocal rank fusion: the sum of 1/(60 + rank) over the ranked lists that have a row; GROUP BY its id. The best rank is 1. A NULL adds nothing; NULL when nothing is added.';
CREATE AGGREGATE memory.rrf(rank bigint, weight float8) (
    SFUNC = memory_internal.rrf_add, STYPE = internal, SSPACE = 16, FINALFUNC = memory_internal.rrf_value,
    COMBINEFUNC = memory_internal.rrf_combine, SERIALFUNC = memory_internal.rrf_serialize,
    DESERIALFUNC = memory_internal.rrf_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE memory.rrf(bigint, float8) IS
'The same with weights: the sum of weight/(60 + rank). A list with a negative weight counts against its rows.';
CREATE AGGREGATE memory.rrf(rank bigint, weight float8, k bigint) (
    SFUNC = memory_internal.rrf_add, STYPE = internal, SSPACE = 16, FINALFUNC = memory_internal.rrf_value,
    COMBINEFUNC = memory_internal.rrf_combine, SERIALFUNC = memory_internal.rrf_serialize,
    DESERIALFUNC = memory_internal.rrf_deserialize, PARALLEL = SAFE);
COMMENT ON AGGREGATE memory.rrf(bigint, float8, bigint) IS
'The same with another constant: the sum of weight/(k + rank). The smaller k, the more the first ranks count.';
