-- A LIMIT without an order reads as much of the index as holds its rows: matches come stretch by stretch, in one order whether all or some are asked for.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/blocks.sql
SET search_path = public, memory;
CREATE TABLE filtered_notes AS SELECT n AS id, 'everywhere ' || repeat(md5(n::text) || ' ', 3) || CASE WHEN n % 7 = 0 THEN 'seventh' ELSE '' END || CASE WHEN n > 21000 THEN ' late' ELSE '' END AS body
    FROM generate_series(1, 22000) n;
CREATE INDEX filtered_notes_body ON filtered_notes USING recall (body);
VACUUM ANALYZE filtered_notes;
-- Behind the segment: some in the log, and some that are gone from both.
INSERT INTO filtered_notes SELECT n, 'everywhere ' || n FROM generate_series(22001, 22100) n;
DELETE FROM filtered_notes WHERE id % 11 = 0;
SET enable_seqscan = off;
CREATE FUNCTION pg_temp.found(words text, most bigint) RETURNS int[] LANGUAGE sql AS $$
    SELECT array_agg(id) FROM (SELECT id FROM filtered_notes WHERE body @@@ websearch_query(words) LIMIT most) n $$;
SET enable_bitmapscan = off;
-- Each word by itself, one that all must have with another, one that none may have, and a phrase: all rows, and the first are the first of all.
SELECT words, cardinality(pg_temp.found(words, NULL)) AS found,
    (SELECT array_agg(id ORDER BY id) FROM unnest(pg_temp.found(words, NULL)) id) = (SELECT array_agg(id ORDER BY id) FROM filtered_notes WHERE body || '' ~ pattern AND body || '' !~ unlike) AS right_ones,
    (SELECT bool_and(pg_temp.found(words, k) = (pg_temp.found(words, NULL))[:k]) FROM unnest('{1,1000}'::int[]) k) AS first_ones
FROM (VALUES ('everywhere', 'everywhere', '-'), ('seventh', 'seventh', '-'), ('+everywhere +late', 'late', '-'), ('seventh late', 'seventh|late', '-'),
    ('late -seventh', 'late', 'seventh'), ('"seventh late"', 'seventh late', '-'), ('nowhere', 'nowhere', '-')) w (words, pattern, unlike);
-- What the first ten cost is not what all cost, and the same rows come from a bitmap.
CREATE FUNCTION pg_temp.cost(words text, most bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT pg_temp.blocks(format('SELECT id FROM filtered_notes WHERE body @@@ websearch_query(%L) LIMIT %s', words, coalesce(most::text, 'ALL'))) $$;
SELECT words, pg_temp.cost(words, 10) < 60 AS cheap, pg_temp.cost(words, NULL) > 200 AS dear FROM (VALUES ('everywhere'), ('seventh')) w (words);
-- Where it may choose, the planner asks the index for the first.
RESET enable_bitmapscan;
RESET enable_seqscan;
EXPLAIN (COSTS OFF) SELECT id FROM filtered_notes WHERE body @@@ query('everywhere') LIMIT 3;
SET enable_seqscan = off;
SET enable_indexscan = off;
SELECT cardinality(pg_temp.found('seventh', NULL)) AS found;
DROP TABLE filtered_notes;
