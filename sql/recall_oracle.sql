-- recall_scored against its definition, written in SQL over all rows: BM25 by memory.bm25_rank, cosines by pgvector, ranks and
-- scales by window functions. Users of 1 to 1,300 episodes, deleted, updated, expired and uncommitted rows among them.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SET memory.context_weight = 0;
SET memory.recall_signals = none; -- recall_signals.sql has them
SET memory.fuzzy = off; -- recall_fuzzy.sql
SELECT setseed(0.4711);
CREATE TEMP TABLE sizes (who text, episodes int);
INSERT INTO sizes VALUES ('one', 1), ('few', 7), ('some', 90), ('more', 700), ('many', 1300);
CREATE FUNCTION pg_temp.words(n int) RETURNS text LANGUAGE sql VOLATILE
    RETURN (SELECT string_agg('w' || floor(60 * random() ^ 3)::int, ' ') FROM generate_series(1, n));
INSERT INTO memory.episodes (user_id, session_id, content, response, kind, importance, occurred_at, metadata, expires_at)
SELECT who, CASE WHEN i % 6 > 0 THEN 's' || i / 25 END, pg_temp.words(1 + i % 9), CASE WHEN i % 4 = 0 THEN pg_temp.words(3) END, (ARRAY['episodic', 'semantic', 'procedural'])[1 + i % 3],
    CASE WHEN i % 5 = 0 THEN 0.5 ELSE 1 END, timestamptz '2026-01-01' + (i / 3) * interval '1 hour', jsonb_build_object('n', i, 'even', i % 2 = 0),
    CASE WHEN i % 17 = 0 THEN timestamptz '2026-01-01' END
FROM sizes, generate_series(1, episodes) i;
INSERT INTO memory.embeddings (user_id, episode_id, embedding)
SELECT user_id, id, ARRAY[random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]::float4[]::vector
FROM memory.episodes WHERE (metadata ->> 'n')::int % 11 <> 0;
VACUUM ANALYZE memory.episodes;
DELETE FROM memory.episodes WHERE (metadata ->> 'n')::int % 13 = 5;
UPDATE memory.episodes SET content = pg_temp.words(4) WHERE (metadata ->> 'n')::int % 19 = 3;
UPDATE memory.episodes SET metadata = metadata || '{"touched": true}' WHERE (metadata ->> 'n')::int % 7 = 2;

-- How far the best of some scores stands out: from 1 to 10, NULL of fewer than 24.
CREATE FUNCTION pg_temp.lead(scores float8[]) RETURNS float8 LANGUAGE sql IMMUTABLE RETURN (
    SELECT CASE WHEN count(*) >= 24 THEN least(10, greatest(1, coalesce((max(s) - fifth) / nullif(round((avg(s) FILTER (WHERE place >= 5) - min(s))::numeric, 12)::float8, 0),
        CASE WHEN max(s) > fifth THEN 10 ELSE 1 END))) END
    FROM (SELECT s, row_number() OVER (ORDER BY s DESC) AS place, nth_value(s, 5) OVER (ORDER BY s DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS fifth
          FROM unnest(scores) s WHERE s IS NOT NULL) sorted WHERE place <= 48 GROUP BY fifth HAVING true);
-- How high the best of them stands over all: 1 as of normally distributed ones, NULL of equal ones.
CREATE FUNCTION pg_temp.height(scores float8[]) RETURNS float8 LANGUAGE sql IMMUTABLE RETURN (
    SELECT (max(s) - avg(s)) / nullif(stddev_pop(s) * sqrt(2 * ln(count(s)::float8)), 0) FROM unnest(scores) s);
CREATE FUNCTION pg_temp.by_definition(who text, asked text, direction vector, alpha float8, half_life_days float8, only_kinds text[], only_even boolean, fusion text)
RETURNS TABLE (id uuid, score float8, bm25_score float8, vector_score float8, bm25_rank int, vector_rank int) LANGUAGE sql STABLE AS $$
    WITH alive AS MATERIALIZED (
        SELECT * FROM memory.episodes e WHERE user_id = who AND (expires_at IS NULL OR expires_at > statement_timestamp())),
    words AS MATERIALIZED (
        SELECT b.id, b.score FROM (SELECT array_agg(a.id) AS ids, array_agg(memory_internal.episode_text(a.content, a.response)) AS texts FROM alive a) all_texts,
            memory.bm25_rank(ids, texts, asked) b WHERE asked IS NOT NULL),
    passing AS (
        SELECT a.*, w.score AS bm25, nullif(greatest(1 - (v.embedding <=> direction), 0), 0) AS cosine
        FROM alive a LEFT JOIN words w ON w.id = a.id
            LEFT JOIN memory.embeddings v ON v.user_id = who AND v.episode_id = a.id AND direction IS NOT NULL
        WHERE (only_kinds IS NULL OR a.kind = ANY (only_kinds)) AND (NOT only_even OR (metadata ->> 'even')::boolean)),
    ranked AS (
        SELECT *, max(bm25) OVER () AS most, max(cosine) OVER () AS nearest, 
            CASE WHEN max(cosine) OVER () > min(cosine) OVER () THEN min(cosine) OVER () - (max(cosine) OVER () - min(cosine) OVER ()) / count(cosine) OVER () ELSE 0 END AS low,
            CASE WHEN bm25 IS NOT NULL THEN row_number() OVER (ORDER BY bm25 DESC NULLS LAST, occurred_at DESC, passing.id) END AS b,
            CASE WHEN cosine IS NOT NULL THEN row_number() OVER (ORDER BY cosine DESC NULLS LAST, occurred_at DESC, passing.id) END AS v FROM passing),
    heard AS MATERIALIZED (
        SELECT alpha * greatest(0.2, least(coalesce(sqrt(1.25 * (pg_temp.lead(array_agg(cosine)) - 1)), 1), CASE WHEN count(cosine) >= 24 THEN greatest(pg_temp.height(array_agg(cosine)), pg_temp.height(array_agg(cosine)) ^ 3) END)) AS vectors,
            (1 - alpha) * coalesce(cbrt(pg_temp.lead(array_agg(bm25)) / 5), 1) AS texts FROM passing)
    SELECT ranked.id, CASE fusion
            WHEN 'rrf' THEN coalesce((1 - alpha) * (61::float8 / (60 + b)), 0) + coalesce(alpha * (61::float8 / (60 + v)), 0)
            WHEN 'blend' THEN (coalesce(texts * (bm25 / most), 0) + coalesce(vectors * ((cosine - low) / (nearest - low)) ^ 1.5, 0)) / (texts + vectors) END * importance
            * CASE WHEN half_life_days > 0 THEN 0.5 ^ (extract(epoch FROM statement_timestamp() - occurred_at)::float8 / 86400 / half_life_days) ELSE 1 END,
        bm25, cosine, b, v
    FROM ranked, heard WHERE (b IS NOT NULL AND alpha < 1) OR (v IS NOT NULL AND alpha > 0)
$$;

CREATE TEMP TABLE questions (n int, asked text, direction vector, alpha float8, half_life_days float8, only_kinds text[], only_even boolean, fusion text DEFAULT 'rrf');
INSERT INTO questions VALUES
    (1, 'w0', NULL, 0, 0, NULL, false), (2, 'w1 w30 w2', NULL, 0, 0, NULL, false), (3, NULL, '[1,0,0,0]', 1, 0, NULL, false),
    (4, 'w3 w3 w40', '[0.3,-0.2,1,0]', 0.5, 0, NULL, false), (5, 'w0 w1', '[0,1,0,-1]', 0.25, 0, NULL, false),
    (6, 'w5', '[0,1,0,-1]', 0.75, 30, NULL, false), (7, 'w7 w0', '[-1,0,1,1]', 0.5, 0, '{semantic}', false),
    (8, 'w2 w9', '[-1,0,1,1]', 0.5, 10, '{semantic,episodic}', true), (9, 'w59 w58 w57', '[1,1,1,1]', 0.5, 0, NULL, true);
INSERT INTO questions VALUES (10, 'w3 w3 w40', '[0.3,-0.2,1,0]', 0.35, 0, NULL, false, 'blend'), (11, 'w5', '[0,1,0,-1]', 0.1, 30, '{semantic}', true, 'blend'),
    (12, 'w1 w30 w2', NULL, 0, 0, NULL, false, 'blend'), (13, NULL, '[1,0,0,0]', 1, 0, NULL, false, 'blend');
-- The places where rows, their order or their numbers differ, among the best `most`.
CREATE FUNCTION pg_temp.differences(most int) RETURNS TABLE (who text, n int, place bigint) LANGUAGE sql STABLE AS $$
    SELECT both_answers.who, n, place FROM (
        SELECT s.who, q.n, d.* FROM sizes s CROSS JOIN questions q CROSS JOIN LATERAL (
            SELECT row_number() OVER (ORDER BY d.score DESC, e.occurred_at DESC, d.id) AS place, d.*
            FROM pg_temp.by_definition(s.who, asked, direction, alpha, half_life_days, only_kinds, only_even, fusion) d
                JOIN memory.episodes e ON e.id = d.id AND e.user_id = s.who
            ORDER BY place LIMIT most) d
        UNION ALL
        SELECT s.who, q.n, r.place, r.id, r.score, r.bm25_score, r.vector_score, r.bm25_rank, r.vector_rank
        FROM sizes s CROSS JOIN questions q CROSS JOIN LATERAL memory.recall_scored(asked, direction, k => most, alpha => alpha, fusion => q.fusion,
            user_id => s.who, kinds => only_kinds, filter => CASE WHEN only_even THEN '{"even": true}'::jsonb END,
            half_life => CASE WHEN half_life_days > 0 THEN half_life_days * interval '1 day' END)
            WITH ORDINALITY r (id, a1, a2, a3, a4, a5, a6, a7, a8, a9, score, relevance, bm25_score, vector_score, bm25_rank, vector_rank, match, place)
    ) both_answers
    GROUP BY 1, 2, 3
    HAVING count(*) <> 2 OR min(id::text) <> max(id::text) OR max(score) - min(score) > 1e-6
        OR max(bm25_score) - min(bm25_score) > 1e-9 OR max(vector_score) - min(vector_score) > 1e-6
        OR count(DISTINCT coalesce(bm25_rank, 0)) > 1 OR count(DISTINCT coalesce(vector_rank, 0)) > 1
$$;
SELECT count(*) AS wrong_of_all FROM pg_temp.differences(1000000);
SELECT count(*) AS wrong_of_ten FROM pg_temp.differences(10);
SELECT count(*) AS answers, count(*) FILTER (WHERE bm25_rank IS NOT NULL AND vector_rank IS NOT NULL) AS on_both_arms FROM sizes, questions,
    LATERAL memory.recall_scored(asked, direction, k => 1000000, alpha => alpha, user_id => who, kinds => only_kinds);
-- Inside a transaction that has written, deleted and not yet committed.
BEGIN;
DELETE FROM memory.episodes WHERE (metadata ->> 'n')::int % 23 = 1;
INSERT INTO memory.episodes (user_id, content, occurred_at, metadata) SELECT who, pg_temp.words(5), '2026-02-01', '{"even": true}' FROM sizes, generate_series(1, 40);
SELECT count(*) AS wrong_in_between FROM pg_temp.differences(1000000);
ROLLBACK;
SELECT count(*) AS wrong_afterwards FROM pg_temp.differences(1000000);
VACUUM memory.episodes;
SELECT count(*) AS wrong_after_vacuum FROM pg_temp.differences(25);

-- For a caller who may not read everything, rows come another way: the same answers.
CREATE ROLE regress_recall_reader;
SELECT memory.grant_access('regress_recall_reader', 'reader');
GRANT SELECT ON sizes, questions TO regress_recall_reader;
ALTER TABLE memory.episodes ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON memory.episodes FOR SELECT TO regress_recall_reader USING (true);
-- What conversations lend comes another way, too.
CREATE FUNCTION pg_temp.with_context() RETURNS TABLE (who text, n int, answer text) LANGUAGE sql STABLE AS $$
    SELECT who, q.n, string_agg(r.id || ' ' || r.score || ' ' || r.match, ', ' ORDER BY place) FROM sizes s CROSS JOIN questions q
        CROSS JOIN LATERAL (SELECT *, row_number() OVER () AS place FROM memory.recall_scored(asked, direction, k => 30, alpha => alpha, user_id => who,
            kinds => only_kinds, context_weight => 1)) r GROUP BY 1, 2
$$;
RESET memory.recall_signals;
CREATE TEMP TABLE lent AS SELECT * FROM pg_temp.with_context();
SELECT count(*) AS answers, count(*) FILTER (WHERE answer LIKE '% context%') AS with_neighbours FROM lent;
GRANT SELECT ON lent TO regress_recall_reader;
SET ROLE regress_recall_reader;
SELECT count(*) AS wrong_with_context FROM lent FULL JOIN pg_temp.with_context() c USING (who, n) WHERE lent.answer IS DISTINCT FROM c.answer;
SET memory.recall_signals = none;
SELECT count(*) AS wrong_under_a_policy FROM pg_temp.differences(1000000);
RESET ROLE;
-- What a policy hides is not there, for ranks neither.
ALTER POLICY everybody ON memory.episodes USING (kind <> 'episodic');
SET ROLE regress_recall_reader;
SELECT count(*) AS answers, count(*) FILTER (WHERE kind = 'episodic') AS hidden, max(bm25_rank) AS last_rank
FROM memory.recall_scored('w0', k => 1000000, user_id => 'more');
RESET ROLE;
SELECT count(*) AS answers, max(bm25_rank) AS last_rank FROM memory.recall_scored('w0', k => 1000000, user_id => 'more', kinds => '{semantic,procedural}');
DROP POLICY everybody ON memory.episodes;
ALTER TABLE memory.episodes DISABLE ROW LEVEL SECURITY;
SELECT memory.revoke_access('regress_recall_reader');
REVOKE ALL ON sizes, questions, lent FROM regress_recall_reader;
DROP ROLE regress_recall_reader;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
