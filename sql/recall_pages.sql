-- Pages: skip leaves out the rows that come before, whatever k is. Put one behind the other they are the one long answer, with
-- what conversations lend and with diversity, too.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SELECT setseed(0.15);
INSERT INTO memory.episodes (user_id, session_id, content, occurred_at)
SELECT 'ada', 's' || i / 4, (SELECT string_agg('w' || floor(12 * random() ^ 2)::int, ' ') FROM generate_series(1, 2 + i % 7)), timestamptz '2026-01-01' + i / 2 * interval '1 hour'
FROM generate_series(1, 260) i;
INSERT INTO memory.embeddings (user_id, episode_id, embedding)
SELECT user_id, id, ARRAY[random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]::float4[]::vector FROM memory.episodes;
CREATE TEMP TABLE ways (n int, query text, embedding vector, context float8, diversity float8);
INSERT INTO ways VALUES (1, 'w1 w2', NULL, 0, 0), (2, 'w1 w2', '[1,0,0,1]', 0, 0), (3, 'w1 w2', '[1,0,0,1]', 1, 0), (4, 'w1 w2', '[1,0,0,1]', 1, 0.5),
    (5, 'w3', NULL, 1, 0.9), (6, NULL, '[1,0,0,1]', 1, 0.5), (7, ' ', NULL, 0, 0);
CREATE TEMP TABLE whole AS SELECT n, r.id, r.score, row_number() OVER (PARTITION BY n) AS place FROM ways w, LATERAL memory.recall_scored(query, w.embedding, k => NULL,
    user_id => 'ada', context_weight => context, diversity => w.diversity) r;
SELECT n, count(*) AS answers, count(*) = count(DISTINCT id) AS each_once FROM whole GROUP BY n ORDER BY n;
-- Pages of 7 and of 90 rows.
CREATE TEMP TABLE pages AS SELECT n, size, r.id, r.score, size * page + r.place AS place FROM ways w, unnest(ARRAY[7, 90]) size, generate_series(0, 37) page,
    LATERAL memory.recall_scored(query, w.embedding, k => size, skip => size * page, user_id => 'ada', context_weight => context, diversity => w.diversity)
    WITH ORDINALITY r (id, a1, a2, a3, a4, a5, a6, a7, a8, a9, score, b1, b2, b3, b4, b5, b6, place) WHERE size * page < 260;
SELECT count(*) AS on_pages, count(*) = 2 * (SELECT count(*) FROM whole) AS as_many, count(*) FILTER (WHERE w.id IS DISTINCT FROM p.id OR w.score <> p.score) AS differ
FROM pages p LEFT JOIN whole w USING (n, place);
-- Behind the end there is nothing, and nothing to fall back from; a fallback has pages as well.
SELECT count(*) FROM memory.recall_scored('w1', user_id => 'ada', skip => 260, fallback => 'recent');
SELECT count(*) FROM memory.recall_scored('w1', user_id => 'ada', skip => 9223372036854775807, diversity => 0.5);
SELECT count(*) AS recent, bool_and(r.id = w.id) AS those FROM memory.recall_scored('zebra', user_id => 'ada', k => 3, skip => 2, fallback => 'recent') WITH ORDINALITY
    r (id, a1, a2, a3, a4, a5, a6, a7, a8, a9, score, b1, b2, b3, b4, b5, b6, place) JOIN whole w ON w.n = 7 AND w.place = r.place + 2;
-- An arm without weight has no part in what is lent: as without the embedding, or without the query.
SELECT count(*) AS differ FROM memory.recall_scored('w1 w2', '[1,0,0,1]', user_id => 'ada', k => NULL, alpha => 0) a FULL JOIN memory.recall_scored('w1 w2', user_id => 'ada', k => NULL) b USING (id, score)
WHERE a.id IS NULL OR b.id IS NULL;
SELECT count(*) AS differ FROM memory.recall_scored('w1 w2', '[1,0,0,1]', user_id => 'ada', k => NULL, alpha => 1) a FULL JOIN memory.recall_scored(embedding => '[1,0,0,1]', user_id => 'ada', k => NULL) b USING (id, score)
WHERE a.id IS NULL OR b.id IS NULL;
-- Explained: the place in the whole answer, and whether it is on the page.
SELECT x -> 'answered' AS answered, x -> 'position' AS position, x ->> 'reason' AS reason FROM whole w,
    LATERAL memory.explain_recall(w.id, 'w1 w2', user_id => 'ada', k => 2, skip => 2, context_weight => 0) x WHERE n = 1 AND place BETWEEN 2 AND 5 ORDER BY place;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
