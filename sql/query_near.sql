-- What words with a tilde add to the score: <@> against the definition in SQL, over random texts, tiny tenants, logs and segments; rows
-- that were deleted, rolled back and updated, before and after VACUUM; another tenant has the very words.
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/fresh.sql
SET search_path = public, memory;
SET jit = off;
SELECT setseed(0.47);
\i :source/sql/shared/misspelt.sql
CREATE TABLE notes (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant int, body text) WITH (autovacuum_enabled = off);
CREATE INDEX notes_recall ON notes USING recall (tenant, body);

CREATE TEMP TABLE alive (tenant int, id int, term text, times int);
CREATE FUNCTION pg_temp.look() RETURNS void LANGUAGE sql AS $$
    TRUNCATE alive;
    INSERT INTO alive SELECT tenant, id, token, count(*) FROM public.notes, memory.tokens(body) GROUP BY 1, 2, 3;
    ANALYZE alive;
$$;
-- Clauses: their marks, words, and whether with a tilde.
CREATE TEMP TABLE clauses AS
SELECT n, place, (ARRAY['', '', '', '+', '-'])[1 + floor(random() * 5)::int + 0 * place] AS mark, random() < 0.7 AS near,
    CASE floor(random() * 3) WHEN 0 THEN word WHEN 1 THEN pg_temp.mistyped(word) ELSE pg_temp.mistyped(pg_temp.mistyped(word)) END AS word
FROM generate_series(1, 12) n, generate_series(1, 4) place, LATERAL (SELECT word FROM vocabulary v WHERE v.n = 1 + (n * 37 + place * 11) % 120) w WHERE place <= 1 + n % 4;
CREATE TEMP TABLE questions AS SELECT n, string_agg(mark || word || CASE WHEN near THEN '~' ELSE '' END, ' ' ORDER BY place) AS asked,
    coalesce(string_agg(word, ' ') FILTER (WHERE mark <> '-'), '') AS bag, coalesce(string_agg(word, ' ') FILTER (WHERE mark <> '-' AND near), '') AS near FROM clauses GROUP BY 1;
CREATE TEMP TABLE distances AS SELECT word, term, pg_temp.distance(word, term) AS d FROM (SELECT DISTINCT token AS word FROM questions, memory.tokens(near)) w,
    (SELECT token AS term FROM vocabulary, memory.tokens(word) UNION SELECT token FROM questions, memory.tokens(bag)) t WHERE abs(length(term) - length(word)) <= 2;
CREATE INDEX ON distances (word);
ANALYZE distances;
CREATE FUNCTION pg_temp.by_definition(bag text, near text, of int) RETURNS TABLE (id int, score float8) LANGUAGE sql STABLE AS $$
    WITH documents AS MATERIALIZED (SELECT id, sum(times) AS length FROM alive WHERE tenant = of GROUP BY 1),
    corpus AS MATERIALIZED (SELECT count(*) AS n, avg(length)::float8 AS average FROM documents),
    terms AS MATERIALIZED (SELECT term, count(*) AS documents FROM alive WHERE tenant = of GROUP BY 1),
    words AS MATERIALIZED (SELECT token AS word, count(*) AS times FROM memory.tokens(bag) GROUP BY 1),
    missing AS MATERIALIZED (SELECT * FROM words WHERE word IN (SELECT token FROM memory.tokens(near)) AND length(word) BETWEEN 4 AND 32 AND word ~ '^[[:alpha:]]+$' AND word NOT IN (SELECT term FROM terms)),
    nearest AS (
        SELECT DISTINCT ON (word) times, term FROM missing JOIN distances USING (word) JOIN terms USING (term)
        WHERE d <= CASE WHEN length(word) < 6 THEN 1 ELSE 2 END ORDER BY word, d, left(term, 1) <> left(word, 1), documents DESC, term COLLATE "C"),
    wanted AS (SELECT word AS term, times::float8 AS weight FROM words UNION ALL SELECT term, 0.5 * times FROM nearest WHERE term NOT IN (SELECT word FROM words))
    SELECT d.id, sum(w.weight * ln(1 + (n - df + 0.5) / (df + 0.5)) * a.times * 1.9 / (a.times + 0.9 * (0.6 + 0.4 * d.length / average)))
    FROM wanted w JOIN alive a ON a.tenant = of AND a.term = w.term JOIN documents d USING (id), corpus,
        LATERAL (SELECT documents AS df FROM terms t WHERE t.term = w.term) f GROUP BY 1
$$;
CREATE FUNCTION pg_temp.by_index(asked text, of int) RETURNS TABLE (id int, score float8, body text) LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    SELECT id, -(body <@> memory.websearch_query(asked)), body FROM public.notes WHERE tenant = of ORDER BY body <@> memory.websearch_query(asked) $$;
-- The same, of the rows that match, and the best alone.
CREATE FUNCTION pg_temp.best(asked text, of int) RETURNS TABLE (id int, score float8) LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    SELECT id, -(body <@> memory.websearch_query(asked)) FROM public.notes WHERE tenant = of AND body @@@ memory.websearch_query(asked) ORDER BY body <@> memory.websearch_query(asked) LIMIT 10 $$;

CREATE TEMP TABLE sizes (tenant int, rows int);
INSERT INTO sizes VALUES (1, 1), (2, 7), (3, 150);
CREATE TEMP TABLE states (state text, compared bigint, near bigint, wrong bigint, out_of_order bigint, best bigint, not_the_best bigint);
CREATE TEMP TABLE given (n int, tenant int, place bigint, id int, given float8, defined float8, near boolean, is_late boolean);
CREATE FUNCTION pg_temp.judge(name text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_temp.look();
    TRUNCATE given;
    INSERT INTO given
        WITH defined AS MATERIALIZED (SELECT n, tenant, d.* FROM sizes, questions, LATERAL pg_temp.by_definition(bag, near, tenant) d),
        plain AS MATERIALIZED (SELECT n, tenant, p.id, p.score AS plain FROM sizes, questions, LATERAL pg_temp.by_definition(bag, '', tenant) p),
        ranked AS MATERIALIZED (SELECT n, tenant, asked, i.* FROM sizes, questions, LATERAL (SELECT *, row_number() OVER () AS place FROM pg_temp.by_index(asked, tenant)) i)
        SELECT n, tenant, place, id, r.score AS given, CASE WHEN does THEN coalesce(d.score, 0) ELSE 0 END AS defined, does AND coalesce(plain, 0) < d.score - 1e-9 AS near,
            lag(r.score) OVER (PARTITION BY n, tenant ORDER BY place) < r.score AS is_late
        FROM ranked r CROSS JOIN LATERAL memory_internal.matches(body, memory.websearch_query(asked)) does LEFT JOIN defined d USING (n, tenant, id) LEFT JOIN plain USING (n, tenant, id);
    INSERT INTO states SELECT name, count(*), count(*) FILTER (WHERE near), count(*) FILTER (WHERE abs(given - defined) > 1e-9), count(*) FILTER (WHERE is_late),
        (SELECT count(*) FROM sizes, questions, pg_temp.best(asked, tenant)),
        (SELECT count(*) FROM sizes, questions, LATERAL (SELECT questions.n, sizes.tenant, *, row_number() OVER () AS place FROM pg_temp.best(asked, sizes.tenant)) b JOIN given g USING (n, tenant, place) WHERE b.score > 0 AND (b.score <> g.given OR b.id <> g.id)) FROM given;
$$;

INSERT INTO notes (tenant, body) SELECT tenant, pg_temp.words(1 + i % 9) FROM sizes, generate_series(1, rows) i;
INSERT INTO notes (tenant, body) SELECT 5, bag FROM questions; -- every word, just as it is asked
SELECT pg_temp.judge('written');
VACUUM notes;
SELECT pg_temp.judge('vacuumed');
-- What was asked, word for word: rolled back and deleted; and words that no row has any more.
BEGIN;
INSERT INTO notes (tenant, body) SELECT tenant, bag FROM sizes, questions;
ROLLBACK;
INSERT INTO notes (tenant, body) SELECT tenant, bag FROM sizes, questions;
DELETE FROM notes WHERE tenant <> 5 AND body IN (SELECT bag FROM questions);
DELETE FROM notes WHERE tenant <> 5 AND id % 5 = 1;
UPDATE notes SET body = pg_temp.words(4) WHERE tenant <> 5 AND id % 7 = 3;
SELECT pg_temp.judge('changed');
VACUUM notes;
SELECT pg_temp.judge('vacuumed again');
REINDEX INDEX notes_recall;
SELECT pg_temp.judge('built');
SELECT state, compared > 1000, near > 10, wrong, out_of_order, best > 20, not_the_best FROM states;

SET enable_seqscan = off;
SET enable_bitmapscan = off;
-- Examples: the nearest term counts half of what it would count; the word itself, where a text has it, alone.
INSERT INTO notes (tenant, body) VALUES (6, 'The night train to Vienna was late.'), (6, 'A friend from Vienna called.'), (6, 'Trains, at night.'), (6, 'Coffee, strong.'), (6, 'A train of thought.'), (6, NULL);
CREATE FUNCTION pg_temp.shown(asked text) RETURNS TABLE (query text, score numeric, body text) LANGUAGE sql STABLE AS $$
    SELECT asked, (-(body <@> memory.websearch_query(asked)))::numeric(6, 4), body FROM public.notes WHERE tenant = 6 AND body @@@ memory.websearch_query(asked) ORDER BY body <@> memory.websearch_query(asked) $$;
SELECT s.* FROM unnest(ARRAY['vienna', 'viena', 'viena~', 'vienna~', 'viena vienna', 'viena~ vienna', '+viena~ trian~', 'trian~ -viena~', 'viena~ viena~', 'vienna* viena~', '+nigth~ "to vienna"']) WITH ORDINALITY q (asked, n), LATERAL pg_temp.shown(asked) s ORDER BY n;
-- Another query filters; that which ranks is the same.
SELECT (-(body <@> memory.websearch_query('viena~')))::numeric(6, 4), body FROM notes WHERE tenant = 6 AND body @@@ memory.websearch_query('nigth~') ORDER BY body <@> memory.websearch_query('viena~');
SELECT (-(body <@> memory.query('night')))::numeric(6, 4), body FROM notes WHERE tenant = 6 AND body @@@ memory.websearch_query('viena~') ORDER BY body <@> memory.query('night');
DROP TABLE notes;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
