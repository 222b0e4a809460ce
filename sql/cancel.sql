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

-- What they take is counted in this process's time: a busy machine makes them wait, not longer.
CREATE FUNCTION pg_temp.seconds() RETURNS float8 LANGUAGE sql
    RETURN (SELECT (s[1]::float8 + s[2]::float8) / 100 FROM regexp_match(pg_read_file('/proc/self/stat'), '\) \S(?: -?\d+){10} (\d+) (\d+)') s);
SELECT pg_temp.seconds() AS began \gset
-- With the statement that is to end, in one message: nothing else has this little time.
\set soon 'SET LOCAL statement_timeout = ''100ms'' \\;'
:soon SELECT count(*) FROM tokens(:words);
:soon SELECT count(*) FROM tokens(:letters);
:soon SELECT count(*) FROM tokens(:Han);
:soon SELECT length(highlight(:words, 'ipsum'));
:soon SELECT length(highlight(:words, 'ipsum', max_fragments => 1000000));
:soon SELECT length(highlight('w7', contents)) FROM large WHERE name = 'different words';
:soon SELECT hash_embedding(:words) IS NULL;
:soon SELECT hash_embedding(:letters) IS NULL;
:soon SELECT hash_embedding(:Han) IS NULL;
:soon SELECT 'w7' @@@ query(contents) FROM large WHERE name = 'different words';
:soon SELECT 'a7 b7' @@@ websearch_query(contents) FROM large WHERE name = 'different phrases';
:soon SELECT bm25_rank(ARRAY[1], ARRAY[contents], 'w7') FROM large WHERE name = 'different words';
:soon SELECT bm25_rank(ARRAY[1], ARRAY['w7'], contents) FROM large WHERE name = 'different words';
:soon SELECT count(*) FROM bodies WHERE body @@@ query((SELECT contents FROM large WHERE name = 'different words'));
:soon SELECT count(*) FROM bodies WHERE body @@@ websearch_query((SELECT contents FROM large WHERE name = 'different words required'));
:soon SELECT count(*) FROM bodies WHERE body @@@ websearch_query((SELECT contents FROM large WHERE name = 'different prefixes'));
:soon SELECT body FROM bodies ORDER BY body <@> query((SELECT contents FROM large WHERE name = 'different words')) LIMIT 1;
:soon SELECT recall_scored(contents) FROM large WHERE name = 'different words';
:soon SELECT recall_facts(contents) FROM large WHERE name = 'different words';
:soon INSERT INTO bodies SELECT contents FROM large WHERE name = 'different words';
:soon SELECT assert_fact(:Han, 'is', 'long');
\set VERBOSITY default
-- Twenty-one statements. A time is shown only if they took too long.
SELECT pg_temp.seconds() - :began AS taken \gset
SELECT :taken AS too_long WHERE :taken > 15;

-- These took the square of the number of words, or of seeds, and were not ended meanwhile.
SET statement_timeout = '10min';
SELECT pg_temp.seconds() AS began \gset
SELECT body FROM bodies ORDER BY body <@> query((SELECT string_agg('w' || n, ' ') FROM generate_series(1, 200000) n)) LIMIT 1;
SELECT path FROM traverse((SELECT array_agg('s' || n) FROM generate_series(1, 120000) n));
SELECT pg_temp.seconds() - :began AS taken \gset
SELECT :taken AS too_long WHERE :taken > 20;
RESET statement_timeout;

-- One row of marks, which ICU alone would be at for minutes.
SET memory.max_content = '1MB';
SELECT assert_fact('it', 'is marked', repeat(U&'\0301\0316', 250000)) IS NOT NULL AS asserted;
DROP TABLE large, bodies;
