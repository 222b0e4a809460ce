-- Ranking without an index.

CREATE FUNCTION memory.bm25_rank(ids anyarray, texts text[], query text, k1 float8 DEFAULT 0.9,
    b float8 DEFAULT 0.4, dictionary regdictionary DEFAULT NULL)
    RETURNS TABLE (id anyelement, score float8, rank bigint)
    LANGUAGE C STABLE PARALLEL SAFE ROWS 100
    AS 'MODULE_PATHNAME', 'memory_bm25_rank';
COMMENT ON FUNCTION memory.bm25_rank(anyarray, text[], text, float8, float8, regdictionary) IS
'The texts that match a query with their exact BM25 scores, best first, of equal ones the one given first; ids[i] belongs to texts[i]. The corpus is the texts given; a NULL text is none. For small sets, and to check an index against: a recall index with the same k1, b and dictionary has the same scores.';
