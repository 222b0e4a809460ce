-- What conversations lend, whatever distances their rows have: read along the index, and by a statement where row security applies.
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/fresh.sql
-- Sessions of rows that lie microseconds to years apart, all at one time, at the ends of time, and in one session all kinds of distances.
SELECT setseed(0.5);
CREATE FUNCTION pg_temp.word(n int) RETURNS text LANGUAGE sql IMMUTABLE RETURN 'q' || translate(n::text, '0123456789', 'bcdfghjklm');
CREATE TEMP TABLE distances AS SELECT * FROM (VALUES ('moments', 1e-6), ('seconds', 5), ('minutes', 200), ('days', 2e5), ('years', 6e7), ('at once', 0)) d (session, seconds);
INSERT INTO memory.episodes (user_id, id, session_id, content, occurred_at)
SELECT 'cyd', ('01890000-0000-7000-8000-' || lpad((1000 * k + n)::text, 12, '0'))::uuid, session || n % 2, (SELECT string_agg(pg_temp.word(floor(60 * random() ^ 2)::int), ' ') FROM generate_series(1, 3) g WHERE n > 0), '2020-01-01'::timestamptz + n * seconds * interval '1 second'
FROM (SELECT row_number() OVER () AS k, * FROM distances) d, generate_series(1, 300) n;
INSERT INTO memory.episodes (user_id, id, session_id, content, occurred_at)
SELECT 'cyd', ('01890000-0000-7000-8000-' || lpad((9000 + n)::text, 12, '0'))::uuid, 'mixed', pg_temp.word(n % 50) || ' ' || pg_temp.word(n % 7), '2020-01-01'::timestamptz + (10 ^ (n % 9) + n) * interval '1 second' FROM generate_series(1, 400) n;
INSERT INTO memory.episodes (user_id, id, session_id, content, occurred_at) VALUES ('cyd', '01890000-0000-7000-8000-000000009991', 'ends', 'first of all', '4713-01-01 00:00:00+00 BC'), ('cyd', '01890000-0000-7000-8000-000000009992', 'ends', 'at last', '294276-12-31 23:59:59+00');
-- Versions that are gone, rows that are gone or have expired, rows that have left their session.
UPDATE memory.episodes SET occurred_at = occurred_at + interval '1 second' WHERE right(id::text, 1) = '3';
DELETE FROM memory.episodes WHERE right(id::text, 2) BETWEEN '40' AND '46';
UPDATE memory.episodes SET expires_at = now() - interval '1 second' WHERE right(id::text, 2) BETWEEN '60' AND '67';
UPDATE memory.episodes SET session_id = NULL WHERE right(id::text, 2) = '80';

CREATE FUNCTION pg_temp.answer(words text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT string_agg((r.id, r.score, r.bm25_rank, r.match)::text, ' ') FROM memory.recall_scored(words, user_id => 'cyd', k => 300, context_weight => 1) r $$;
CREATE TEMP TABLE asked AS SELECT n, pg_temp.word(n) || ' ' || pg_temp.word(n * 7 % 60) AS words FROM generate_series(0, 39) n;
SET memory.recall_signals = 'coverage, terms, roles'; -- whatever the neighbours know
CREATE TEMP TABLE answers AS SELECT n, pg_temp.answer(words) AS answer FROM asked;
GRANT SELECT ON asked, answers TO public;
SELECT count(*) AS calls, count(*) FILTER (WHERE answer LIKE '%,context)%') AS "that are lent something" FROM answers;
CREATE ROLE recall_neighbours_reader;
SELECT memory.grant_access('recall_neighbours_reader', 'reader');
SELECT memory.protect();
SET ROLE recall_neighbours_reader;
SET memory.user_id = 'cyd';
SELECT count(*) AS calls, count(*) FILTER (WHERE answer = pg_temp.answer(words)) AS same FROM asked JOIN answers USING (n);
RESET memory.user_id;
RESET ROLE;
SELECT memory.unprotect();
-- A row of the ends of time has its neighbour.
SELECT right(id::text, 4), match FROM memory.recall_scored('first', user_id => 'cyd', session_id => 'ends') ORDER BY 1;
DROP OWNED BY recall_neighbours_reader;
DROP ROLE recall_neighbours_reader;
