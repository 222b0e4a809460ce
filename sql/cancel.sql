-- statement_timeout ends work on large texts in time: the same path as a cancel and a shutdown.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT FROM memory.init();
SET search_path = public, memory;

-- Uninterrupted, each takes a multiple of the time in which it must have ended. What is large is made in the statement, in no
-- time: reading it from a table is interrupted by the server itself.
\set words 'repeat(repeat(''lorem ipsum dolor '', 1000), 2000)'
\set letters 'repeat(repeat(''x'', 10000), 5000)'
\set Han 'repeat(repeat(''東京'', 1000), 5000)'
CREATE TEMP TABLE large (name text, contents text);
ALTER TABLE large ALTER contents SET STORAGE EXTERNAL;
INSERT INTO large SELECT 'different words', string_agg('w' || n, ' ') FROM generate_series(1, 500000) n;
INSERT INTO large SELECT 'different phrases', string_agg(format('"a%s b%s"', n, n), ' ') FROM generate_series(1, 200000) n;
INSERT INTO large SELECT 'different words required', string_agg('+w' || n, ' ') FROM generate_series(1, 200000) n;
INSERT INTO large SELECT 'different prefixes', string_agg(format('p%s*', n), ' ') FROM generate_series(1, 200000) n;

CREATE TEMP TABLE bodies (body text);
INSERT INTO bodies SELECT 'w' || n || ' and w' || n * 7 FROM generate_series(1, 10000) n;
CREATE INDEX ON bodies USING recall (body);
SET enable_seqscan = off;
SET memory.max_query = '1GB';
\set VERBOSITY sqlstate
\set QUIET on

SELECT clock_timestamp() AS began \gset
SET statement_timeout = '100ms';
SELECT count(*) FROM tokens(:words);
SELECT count(*) FROM tokens(:letters);
SELECT count(*) FROM tokens(:Han);
SELECT length(highlight(:words, 'ipsum'));
SELECT length(highlight(:words, 'ipsum', max_fragments => 1000000));
SELECT length(highlight('w7', contents)) FROM large WHERE name = 'different words';
SELECT hash_embedding(:words) IS NULL;
SELECT hash_embedding(:letters) IS NULL;
SELECT hash_embedding(:Han) IS NULL;
SELECT 'w7' @@@ query(contents) FROM large WHERE name = 'different words';
SELECT 'a7 b7' @@@ websearch_query(contents) FROM large WHERE name = 'different phrases';
SELECT bm25_rank(ARRAY[1], ARRAY[contents], 'w7') FROM large WHERE name = 'different words';
SELECT bm25_rank(ARRAY[1], ARRAY['w7'], contents) FROM large WHERE name = 'different words';
SELECT count(*) FROM bodies WHERE body @@@ query((SELECT contents FROM large WHERE name = 'different words'));
SELECT count(*) FROM bodies WHERE body @@@ websearch_query((SELECT contents FROM large WHERE name = 'different words required'));
SELECT count(*) FROM bodies WHERE body @@@ websearch_query((SELECT contents FROM large WHERE name = 'different prefixes'));
SELECT body FROM bodies ORDER BY body <@> query((SELECT contents FROM large WHERE name = 'different words')) LIMIT 1;
SELECT recall_scored(contents) FROM large WHERE name = 'different words';
SELECT recall_facts(contents) FROM large WHERE name = 'different words';
INSERT INTO bodies SELECT contents FROM large WHERE name = 'different words';
SELECT assert_fact(:Han, 'is', 'long');
RESET statement_timeout;
\set VERBOSITY default
-- Twenty-one statements. A time is shown only if they took too long.
SELECT clock_timestamp() - :'began' AS elapsed \gset
SELECT :'elapsed'::interval AS too_long WHERE :'elapsed' > '15 s'::interval;

-- These took the square of the number of words, or of seeds, and were not ended meanwhile.
SET statement_timeout = '20s';
SELECT body FROM bodies ORDER BY body <@> query((SELECT string_agg('w' || n, ' ') FROM generate_series(1, 200000) n)) LIMIT 1;
SELECT path FROM traverse((SELECT array_agg('s' || n) FROM generate_series(1, 120000) n));
RESET statement_timeout;

-- One row of marks, which ICU alone would be at for minutes.
SET memory.max_content = '1MB';
SELECT assert_fact('it', 'is marked', repeat(U&'\0301\0316', 250000)) IS NOT NULL AS asserted;
DROP TABLE large, bodies;
