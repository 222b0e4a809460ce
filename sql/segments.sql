-- Segments of a recall index beside the log that goes on on the same root page.
-- The generated statements are not shown.
\set ECHO none
\set QUIET on
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;

-- A root page filled by records to every degree, when VACUUM writes its segment anew: one run takes
-- the place of one, and what it replaces is retired.
SELECT format('CREATE TABLE filled_%s (id int, body text) WITH (autovacuum_enabled = off)', i) FROM generate_series(1, 30) i \gexec
SELECT format('INSERT INTO filled_%s SELECT n, ''old w'' || n FROM generate_series(1, 100) n', i) FROM generate_series(1, 30) i \gexec
SELECT format('CREATE INDEX filled_%s_recall ON filled_%s USING recall (body)', i, i) FROM generate_series(1, 30) i \gexec
SELECT format('INSERT INTO filled_%s SELECT 1000 + n, ''abcdefgh'' FROM generate_series(1, 405 + %s) n', i, i) FROM generate_series(1, 30) i \gexec
SELECT min(log_pages) AS least_log_pages, max(log_pages) AS most_log_pages
FROM generate_series(1, 30) i, memory.index_stats(format('filled_%s_recall', i)::regclass);
SELECT format('DELETE FROM filled_%s WHERE id <= 20', i) FROM generate_series(1, 30) i \gexec
SELECT format('VACUUM filled_%s', i) FROM generate_series(1, 30) i \gexec
SELECT i, problem FROM generate_series(1, 30) i, memory.verify_index(format('filled_%s_recall', i)::regclass) problem;
SELECT sum(documents) - sum(80 + 405 + i) AS wrong FROM generate_series(1, 30) i, memory.index_stats(format('filled_%s_recall', i)::regclass);
-- Those that had room have been written anew; the others are when there is room again.
SELECT format('INSERT INTO filled_%s SELECT 2000 + n, ''more words of row '' || n FROM generate_series(1, 400) n', i) FROM generate_series(1, 30) i \gexec
SELECT format('VACUUM filled_%s', i) FROM generate_series(1, 30) i \gexec
SELECT i, problem FROM generate_series(1, 30) i, memory.verify_index(format('filled_%s_recall', i)::regclass) problem;
SELECT format('DROP TABLE filled_%s', i) FROM generate_series(1, 30) i \gexec
