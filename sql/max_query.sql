-- memory.max_query: a longer query is an error in everything that takes one.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT FROM memory.init();
SET search_path = public, memory;
SHOW memory.max_query;

-- What a statement's error says; nothing, if there is none.
CREATE FUNCTION error_of(statement text, OUT code text, OUT message text, OUT hint text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
END $$;

-- Each with a query of $1; what the statement has for it is longer than the limit, then as long.
CREATE TABLE takers (function text, statement text);
INSERT INTO takers VALUES
    ('query', 'SELECT memory.query($1)'),
    ('websearch_query', 'SELECT memory.websearch_query($1)'),
    ('matches', 'SELECT ''a text'' @@@ $1::memory.query'),
    ('matches', 'SELECT ''a text'' @@@ (''memory.websearch_query:'' || $1)::memory.query'),
    ('distance', 'SELECT body <@> $1::memory.query FROM bodies ORDER BY body <@> $1::memory.query'),
    ('score', 'SELECT memory.score(body, $1) FROM bodies ORDER BY memory.score(body, $1)'),
    ('found', 'SELECT memory.found(body, $1) FROM bodies'),
    ('recall', 'SELECT memory.recall($1)'),
    ('recall_scored', 'SELECT memory.recall_scored($1)'),
    ('context', 'SELECT memory.context($1)'),
    ('explain_recall', 'SELECT memory.explain_recall(''00000000-0000-0000-0000-000000000000'', $1)'),
    ('recall_facts', 'SELECT memory.recall_facts($1)'),
    ('recall_graph', 'SELECT memory.recall_graph($1)'),
    ('items', 'SELECT memory.items(query => $1)'),
    ('highlight', 'SELECT memory.highlight(''a text'', $1)'),
    ('bm25_rank', 'SELECT memory.bm25_rank(ARRAY[1], ARRAY[''a text''], $1)');
CREATE TABLE bodies (body text);
INSERT INTO bodies VALUES ('a text');
CREATE INDEX ON bodies USING recall (body);
SET enable_seqscan = off;
SELECT function, length, e.*
FROM takers, (VALUES (65536), (65537)) AS v(length),
     error_of(replace(statement, '$1', format('repeat(''x'', %s)', length))) AS e
ORDER BY takers.ctid, length;

-- Bytes, not characters; and as long as one says.
SET memory.max_query = 10;
SELECT (error_of('SELECT memory.recall(repeat(''é'', 5))')).code, (error_of('SELECT memory.recall(repeat(''é'', 6))')).code;
SET memory.max_query = '1MB';
SELECT (error_of(replace(statement, '$1', 'repeat(''x'', 1000000)'))).code, count(*) FROM takers GROUP BY 1;
\set VERBOSITY sqlstate
SET memory.max_query = 0;
\set VERBOSITY default
RESET memory.max_query;

-- A query in a table is read whatever the limit is, so that every dump loads; to search with it is another matter.
CREATE TABLE asked (q query);
INSERT INTO asked VALUES (repeat('x', 100000)::query);
SELECT length(q::text) FROM asked;
SELECT (error_of('SELECT ''a text'' @@@ q FROM asked')).code;

-- A function that takes a query and is not tested here.
SELECT p.oid::regprocedure FROM pg_proc p
WHERE pronamespace = 'memory'::regnamespace AND prokind = 'f'
    AND ('query' = ANY (proargnames) OR prorettype = 'query'::regtype OR 'query'::regtype = ANY (proargtypes))
    AND proname NOT IN (SELECT function FROM takers)
    -- what reads and writes values, and what only the planner calls
    AND proname NOT IN ('query_in', 'query_out', 'query_recv', 'query_send', 'query_for_dictionary', 'query_for_source')
ORDER BY 1;

DROP TABLE takers, bodies, asked;
DROP FUNCTION error_of;
