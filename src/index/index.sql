-- The `recall` index, for any table.

CREATE TYPE memory.query;
CREATE FUNCTION memory_internal.query_in(cstring) RETURNS memory.query
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_query_in';
COMMENT ON FUNCTION memory_internal.query_in(cstring) IS
'Input function of type memory.query: a bag of words, or, after the prefix "memory.websearch_query:", the text of a websearch_query.';
CREATE FUNCTION memory_internal.query_out(memory.query) RETURNS cstring
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_query_out';
COMMENT ON FUNCTION memory_internal.query_out(memory.query) IS
'Output function of type memory.query; the input function reads the same query back.';
CREATE FUNCTION memory_internal.query_recv(internal) RETURNS memory.query
    LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_query_recv';
COMMENT ON FUNCTION memory_internal.query_recv(internal) IS
'Binary input function of type memory.query: a byte (0: query, 1: websearch_query), then the text; or 2, min_relevance as a float8, and the text.';
CREATE FUNCTION memory_internal.query_send(memory.query) RETURNS bytea
    LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_query_send';
COMMENT ON FUNCTION memory_internal.query_send(memory.query) IS 'Binary output function of type memory.query.';
CREATE TYPE memory.query (INPUT = memory_internal.query_in, OUTPUT = memory_internal.query_out,
    RECEIVE = memory_internal.query_recv, SEND = memory_internal.query_send, STORAGE = extended);
COMMENT ON TYPE memory.query IS
'A text search query. It is cut into terms by the rules of the index that it is used with.';

CREATE FUNCTION memory.query(text) RETURNS memory.query
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_query';
COMMENT ON FUNCTION memory.query(text) IS
'A plain bag of words to search for: no character is special.';
CREATE FUNCTION memory.query(text, min_relevance float8) RETURNS memory.query
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_query';
COMMENT ON FUNCTION memory.query(text, float8) IS
'The same with a floor, for ORDER BY: the rows end where the score is below that share of the most that the query could score. No condition: @@@ refuses it.';
CREATE FUNCTION memory.websearch_query(text) RETURNS memory.query
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_websearch_query';
COMMENT ON FUNCTION memory.websearch_query(text) IS
'A query as it is typed into a search field: words, +must, -not, "a phrase", prefix*, misspelt~. Any text is legal. An operator counts only at the beginning of a word, star and tilde at its end.';

CREATE FUNCTION memory_internal.query_for_dictionary(memory.query, regdictionary) RETURNS memory.query
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_query_for_dictionary';
COMMENT ON FUNCTION memory_internal.query_for_dictionary(memory.query, regdictionary) IS
'The query bound to a dictionary: inserted by planner support where a query is compared with a column whose recall index has one. Its output is that of the query alone.';
CREATE FUNCTION memory_internal.matches_support(internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_matches_support';
COMMENT ON FUNCTION memory_internal.matches_support(internal) IS
'Planner support function of memory_internal.matches: finds the dictionary of the column''s index.';
CREATE FUNCTION memory_internal.matches(text, memory.query) RETURNS boolean
    LANGUAGE C STABLE STRICT PARALLEL SAFE SUPPORT memory_internal.matches_support AS 'MODULE_PATHNAME', 'memory_matches';
COMMENT ON FUNCTION memory_internal.matches(text, memory.query) IS
'Whether a text matches a query: implementation of operator @@@. For a column with a recall index, the dictionary of that index is used. A query without a word that could match matches nothing.';
CREATE FUNCTION memory_internal.query_for_source(memory.query, level bigint, relation int, index oid, descends boolean DEFAULT false) RETURNS memory.query
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_query_for_source';
COMMENT ON FUNCTION memory_internal.query_for_source(memory.query, bigint, int, oid, boolean) IS
'The query bound to one relation of a plan: inserted by planner support on the right of <@>. Its output is that of the query alone.';
CREATE FUNCTION memory_internal.distance_support(internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_distance_support';
COMMENT ON FUNCTION memory_internal.distance_support(internal) IS
'Planner support function of memory_internal.distance: finds the relation that the text is a column of.';
CREATE FUNCTION memory_internal.distance(text, memory.query) RETURNS float8
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT memory_internal.distance_support AS 'MODULE_PATHNAME', 'memory_distance';
COMMENT ON FUNCTION memory_internal.distance(text, memory.query) IS
'The negative BM25 score of a row in the recall index scan that returned it: implementation of operator <@>.';

CREATE OPERATOR memory.@@@ (LEFTARG = text, RIGHTARG = memory.query, FUNCTION = memory_internal.matches,
    RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR memory.@@@ (text, memory.query) IS 'text matches query';
CREATE OPERATOR memory.<@> (LEFTARG = text, RIGHTARG = memory.query, FUNCTION = memory_internal.distance);
COMMENT ON OPERATOR memory.<@> (text, memory.query) IS 'negative BM25 score of text for query: smaller is better';

-- The same as functions, which need no search_path. Their bodies are strings, so that the planner, which puts them in the
-- place of a call, gives the operators the collation of the column.
CREATE FUNCTION memory.score(text, query text) RETURNS float8
    LANGUAGE sql STABLE PARALLEL RESTRICTED AS 'SELECT $1 OPERATOR(memory.<@>) memory.query($2)';
COMMENT ON FUNCTION memory.score(text, text) IS
'The negative BM25 score of a row for a bag of words: ORDER BY it, ascending. What operator <@> is, with the same rules.';
CREATE FUNCTION memory.found(text, query text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT $1 OPERATOR(memory.@@@) memory.websearch_query($2)';
COMMENT ON FUNCTION memory.found(text, text) IS
'Whether a text matches a query as it is typed into a search field (memory.websearch_query). What operator @@@ is.';

CREATE FUNCTION memory_internal.recall_handler(internal) RETURNS index_am_handler
    LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'memory_recall_handler';
COMMENT ON FUNCTION memory_internal.recall_handler(internal) IS 'Handler of access method recall.';
CREATE ACCESS METHOD recall TYPE INDEX HANDLER memory_internal.recall_handler;
COMMENT ON ACCESS METHOD recall IS 'ranked text search within a scope: BM25 with the scope''s own statistics';

CREATE OPERATOR FAMILY memory.text_ops USING recall;
CREATE OPERATOR CLASS memory.text_ops DEFAULT FOR TYPE text USING recall FAMILY memory.text_ops AS
    OPERATOR 1 pg_catalog.= (text, text),
    OPERATOR 2 memory.@@@ (text, memory.query),
    OPERATOR 3 memory.<@> (text, memory.query) FOR ORDER BY pg_catalog.float_ops;
COMMENT ON OPERATOR FAMILY memory.text_ops USING recall IS 'texts, as scope and to search';
COMMENT ON OPERATOR CLASS memory.text_ops USING recall IS 'texts, as scope and to search';
CREATE OPERATOR FAMILY memory.uuid_ops USING recall;
CREATE OPERATOR CLASS memory.uuid_ops DEFAULT FOR TYPE uuid USING recall FAMILY memory.uuid_ops AS
    OPERATOR 1 pg_catalog.= (uuid, uuid);
COMMENT ON OPERATOR FAMILY memory.uuid_ops USING recall IS 'uuids as scope';
COMMENT ON OPERATOR CLASS memory.uuid_ops USING recall IS 'uuids as scope';
CREATE OPERATOR FAMILY memory.integer_ops USING recall;
CREATE OPERATOR CLASS memory.int4_ops DEFAULT FOR TYPE int4 USING recall FAMILY memory.integer_ops AS
    OPERATOR 1 pg_catalog.= (int4, int4),
    OPERATOR 1 pg_catalog.= (int4, int8);
CREATE OPERATOR CLASS memory.int8_ops DEFAULT FOR TYPE int8 USING recall FAMILY memory.integer_ops AS
    OPERATOR 1 pg_catalog.= (int8, int8),
    OPERATOR 1 pg_catalog.= (int8, int4);
COMMENT ON OPERATOR FAMILY memory.integer_ops USING recall IS 'integers as scope';
COMMENT ON OPERATOR CLASS memory.int4_ops USING recall IS 'int as scope';
COMMENT ON OPERATOR CLASS memory.int8_ops USING recall IS 'bigint as scope';
-- Without operators, so that nothing plans a scan of it: recall reads codes by itself.
CREATE OPERATOR FAMILY memory.vector_codes USING recall;
CREATE OPERATOR CLASS memory.vector_codes DEFAULT FOR TYPE vector USING recall FAMILY memory.vector_codes AS
    STORAGE vector;
COMMENT ON OPERATOR FAMILY memory.vector_codes USING recall IS 'codes of vectors';
COMMENT ON OPERATOR CLASS memory.vector_codes USING recall IS 'codes of vectors';

-- Looking into an index.

CREATE TYPE memory.index_figures AS (
    tenants bigint,
    tiny_tenants bigint,
    documents bigint,
    tokens bigint,
    leaf_pages bigint,
    log_pages bigint,
    segments bigint,
    segment_pages bigint,
    retired_pages bigint,
    pages bigint,
    record_bytes bigint,
    free_pages bigint,
    lost_pages bigint
);
COMMENT ON TYPE memory.index_figures IS 'What memory.index_stats tells of a recall index.';
COMMENT ON COLUMN memory.index_figures.tenants IS 'Values of the scope columns: users, where the index is on their rows. Healthy: any number.';
COMMENT ON COLUMN memory.index_figures.tiny_tenants IS 'Those of them whose records are in the directory, up to about a page each. Healthy: any number; they are the cheapest.';
COMMENT ON COLUMN memory.index_figures.documents IS 'Rows with a text, dead ones that VACUUM has not yet taken included. Healthy: near the rows that have one; twice as many ask for VACUUM.';
COMMENT ON COLUMN memory.index_figures.tokens IS 'Their length in terms, in all. Healthy: any number.';
COMMENT ON COLUMN memory.index_figures.leaf_pages IS 'Pages of the directory that hold tenants. Healthy: it follows the tenants, tiny ones with their records.';
COMMENT ON COLUMN memory.index_figures.log_pages IS 'Pages of records not yet sealed into segments, root pages included. Healthy: one or a few for each tenant that is not tiny. Searches read them whole; many more ask for VACUUM, which seals.';
COMMENT ON COLUMN memory.index_figures.segments IS 'Segments that are read. Healthy: a few for each tenant that is not tiny; they merge as they grow.';
COMMENT ON COLUMN memory.index_figures.segment_pages IS 'Their pages. Healthy: most of the file, where tenants are large.';
COMMENT ON COLUMN memory.index_figures.retired_pages IS 'Pages that wait for the last snapshot that might read them. Healthy: few after a VACUUM. If they stay, a transaction, a prepared one, a replication slot or a standby with feedback holds an old snapshot.';
COMMENT ON COLUMN memory.index_figures.pages IS 'All pages of the file, of 8 kB. Healthy: little more than leaf_pages + log_pages + segment_pages.';
COMMENT ON COLUMN memory.index_figures.record_bytes IS 'Bytes of the terms in records, without the records'' heads. Healthy: any number.';
COMMENT ON COLUMN memory.index_figures.free_pages IS 'Pages to be used again. Healthy: any number; the next writes take them. A file that is mostly free is made small by REINDEX CONCURRENTLY.';
COMMENT ON COLUMN memory.index_figures.lost_pages IS 'Pages of an interrupted statement or a crash, until VACUUM. Healthy: 0 after a VACUUM.';

CREATE FUNCTION memory.index_stats(index regclass) RETURNS memory.index_figures
    LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'memory_index_stats';
COMMENT ON FUNCTION memory.index_stats(regclass) IS
'Counts what is in a recall index: tenants, documents, pages by kind. Reads the whole index. For its owner and members of pg_monitor (with USAGE on schema memory).';

CREATE FUNCTION memory.verify_index(index regclass) RETURNS SETOF text
    LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'memory_verify_index';
COMMENT ON FUNCTION memory.verify_index(regclass) IS
'Lists what is wrong with a recall index, a row each; no rows when it is sound. Reads the whole index and the whole table. A damaged page is an error. For its owner.';
