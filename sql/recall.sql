-- What memory.recall_scored and its relatives answer.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SET memory.context_weight = 0;

-- Golden numbers: BM25 with k1 1.5, b .75 and plain tokens.
DROP INDEX memory.episodes_by_text;
CREATE INDEX episodes_by_text ON memory.episodes
    USING recall (namespace, user_id, (memory_internal.episode_text(content, response)))
    WITH (dictionary = 'simple', k1 = 1.5, b = 0.75);
CREATE FUNCTION pg_temp.uuid(n int) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid;
SELECT count(memory.remember(content, user_id => 'golden', id => pg_temp.uuid(n), occurred_at => '2026-01-01'))
FROM (VALUES (0, 'the cat sat on the mat'), (1, 'dogs run fast'), (2, 'cats love fish')) docs (n, content);
SELECT content, round(bm25_score::numeric, 12) AS bm25, bm25_rank, score, match
FROM memory.recall_scored('cat', user_id => 'golden');
SELECT content, round(bm25_score::numeric, 12) AS bm25, bm25_rank, match
FROM memory.recall_scored('fish dogs', user_id => 'golden');
DROP INDEX memory.episodes_by_text;
SELECT memory.init();

-- Golden numbers: replicated fusion of the lexical order 0, 1, 2 with the vector order 2, 1, 3.
SELECT count(memory.remember(content, user_id => 'lists', id => pg_temp.uuid(n), occurred_at => '2026-01-01', embedding => embedding::vector))
FROM (VALUES (0, 'word word word', '[-1,0]'), (1, 'word word other', '[0.8,0.6]'), (2, 'word other other', '[1,0]'),
             (3, 'nothing here', '[0.6,0.8]')) docs (n, content, embedding);
SELECT right(id::text, 1) AS id, round(score::numeric, 9) AS score, bm25_rank, vector_rank, match
FROM memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 0.5, fusion => 'rrf_replicated');
SELECT right(id::text, 1) AS id, round(score::numeric, 9) AS score,
    round(((0.5 / (60 + bm25_rank) + 0.5 / (60 + vector_rank)) * 61)::numeric, 9) AS both_by_hand, match
FROM memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 0.5, fusion => 'rrf');
-- Blend: of 3 cosines the floor is a third of their distance below the lowest. Of so few rows none can stand out.
SELECT right(id::text, 1) AS id, round(score::numeric, 9) AS score,
    round((0.25 * coalesce(bm25_score, 0) / max(bm25_score) OVER () + 0.75 * coalesce(((vector_score - f) / (1 - f)) ^ 1.5, 0))::numeric, 9) AS by_hand
FROM memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 0.75, fusion => 'blend'), (VALUES (0.6 - 0.4 / 3)) floor (f);
-- An arm without weight contributes nothing, and its rows do not appear.
SELECT right(id::text, 1) AS id, round(score::numeric, 9) AS score, bm25_rank, vector_rank FROM memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 0);
SELECT right(id::text, 1) AS id, round(score::numeric, 9) AS score, bm25_rank, vector_rank FROM memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 1);

-- Without a word about it: blend, by the setting, at .1 for a model that nobody has declared.
SELECT count(*) AS differ FROM memory.recall_scored('word', '[1,0]', user_id => 'lists') a FULL JOIN memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 0.1, fusion => 'blend') b USING (id, score)
WHERE a.id IS NULL OR b.id IS NULL;
SET memory.fusion = 'rrf';
SELECT count(*) AS differ FROM memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => NULL, fusion => NULL) a FULL JOIN memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 0.1, fusion => 'rrf') b USING (id, score)
WHERE a.id IS NULL OR b.id IS NULL;
SELECT count(*) AS differ FROM memory.recall('word', embedding => '[1,0]', user_id => 'lists') a FULL JOIN memory.recall_scored('word', '[1,0]', user_id => 'lists') b USING (id, score) WHERE a.id IS NULL OR b.id IS NULL;
RESET memory.fusion;
-- Cosines in a narrow band weigh as the same cosines in a wide one, with what conversations lend, too.
INSERT INTO memory.episodes (user_id, session_id, id, content, occurred_at)
SELECT u, CASE WHEN n % 7 > 0 THEN 's' || n / 5 END, pg_temp.uuid(n), 'w' || n % 5 || ' w' || n % 3 || ' w' || n % 11, timestamptz '2026-01-01' + n * interval '1 minute' FROM unnest('{wide,narrow}'::text[]) u, generate_series(1, 200) n;
INSERT INTO memory.embeddings (user_id, episode_id, embedding)
SELECT u, pg_temp.uuid(n), ARRAY[c, sqrt(1 - c * c)]::float4[]::vector FROM generate_series(1, 200) n, unnest('{wide,narrow}'::text[]) u,
    LATERAL (SELECT CASE u WHEN 'wide' THEN 0.1 ELSE 0.8 END + CASE u WHEN 'wide' THEN 0.8 ELSE 0.1 END * (n * 37 % 199) / 199.0::float8 AS c) cosine;
SELECT w, count(*) AS answers, count(*) FILTER (WHERE a.id <> b.id) AS differ FROM unnest('{0,1}'::float8[]) w, LATERAL
    (SELECT id, row_number() OVER () AS place FROM memory.recall_scored('w1 w2', '[1,0]', k => 20, alpha => 0.35, user_id => 'wide', context_weight => w)) a JOIN LATERAL
    (SELECT id, row_number() OVER () AS place FROM memory.recall_scored('w1 w2', '[1,0]', k => 20, alpha => 0.35, user_id => 'narrow', context_weight => w)) b USING (place) GROUP BY w ORDER BY w;
-- No cosine stands out of such an even row of them, so their weight is less than alpha: by what the words show, cbrt(lead / 5), and 0.2. None stands high
-- either, so where conversations lend it is less still.
SELECT u, w, round((why ->> 'alpha')::numeric, 4) AS alpha, round((why ->> 'vector_weight')::numeric, 4) AS vector_weight, round((why ->> 'vector_lead')::numeric, 4) AS vector_lead, round((why ->> 'vector_height')::numeric, 4) AS vector_height,
    round((why ->> 'lexical_lead')::numeric - lead::numeric, 6) AS other_lead, round((0.35 * v / (0.35 * v + 0.65 * cbrt(lead / 5)))::numeric, 4) AS by_hand
FROM unnest('{wide,narrow}'::text[]) u, unnest('{0,1}'::float8[]) w, LATERAL memory.explain_recall(pg_temp.uuid(1), 'w1 w2', '[1,0]', alpha => 0.35, user_id => u, context_weight => w) why,
    LATERAL (SELECT 0.2 * CASE w WHEN 1 THEN least((why ->> 'vector_height')::float8 / 1.15, 1) ^ 4 ELSE 1 END AS v) vectors, LATERAL (
    SELECT least(10, greatest(1, (max(s) FILTER (WHERE o = 1) - max(s) FILTER (WHERE o = 5)) / (avg(s) FILTER (WHERE o >= 5) - min(s)))) AS lead
    FROM (SELECT bm25_score AS s, row_number() OVER (ORDER BY bm25_score DESC) AS o FROM memory.recall_scored('w1 w2', k => 48, user_id => u, context_weight => 0)) best) words ORDER BY u DESC, w;

-- Filters come before k and before ranks.
SELECT memory.remember('the red train', user_id => 'ada', id => pg_temp.uuid(1), session_id => 's1', agent_id => 'a', kind => 'semantic',
    metadata => '{"topic": "travel", "stars": 5}', occurred_at => '2026-01-01');
SELECT memory.remember('a train train', user_id => 'ada', id => pg_temp.uuid(2), session_id => 's2', agent_id => 'b',
    metadata => '{"topic": "travel", "stars": 2}', occurred_at => '2026-01-02');
SELECT memory.remember('Which train?', 'The slow train.', user_id => 'ada', id => pg_temp.uuid(3), session_id => 's2', agent_id => 'a',
    metadata => '{"topic": "toys"}', occurred_at => '2026-01-03', importance => 0.5);
INSERT INTO memory.episodes (user_id, id, content, expires_at) VALUES ('ada', pg_temp.uuid(4), 'expired train', '2026-01-01');
SELECT memory.remember('train of somebody else', user_id => 'bob') IS NOT NULL AS remembered;
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', session_id => 's2');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', agent_id => 'a');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', kinds => '{semantic,procedural}');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', kinds => '{}');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', filter => '{"topic": "travel"}');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', filter => '{"$path": "$.stars > 3"}');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', filter => '{"topic": "travel", "$path": "$.stars < 3"}');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', since => '2026-01-02', until => '2026-01-03');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', k => 1);
-- Filters change ranks, not what BM25 knows of the user.
SELECT DISTINCT bm25_score = (SELECT bm25_score FROM memory.recall_scored('train', user_id => 'ada') WHERE id = pg_temp.uuid(1)) AS same
FROM memory.recall_scored('train', user_id => 'ada', kinds => '{semantic}');

-- Importance, age and relevance.
SELECT right(id::text, 1) AS id, round(score::numeric, 6) AS score FROM memory.recall_scored('slow train', user_id => 'ada');
SELECT right(id::text, 1) AS id, round((score / 0.5 ^ (extract(epoch FROM statement_timestamp() - occurred_at) / 86400))::numeric, 6) AS undecayed
FROM memory.recall_scored('train', user_id => 'ada', half_life => '1 day') ORDER BY id;
SELECT right(id::text, 1) AS id, round(relevance::numeric, 6) AS relevance FROM memory.recall_scored('slow red train', user_id => 'ada');
SELECT right(id::text, 1) AS id FROM memory.recall_scored('slow red train', user_id => 'ada', min_relevance => 0.28);
SELECT count(*) FROM memory.recall_scored('train', user_id => 'ada', min_relevance => 1);

-- Nothing asked for; nothing found.
SELECT right(id::text, 1) AS id, score, relevance, match FROM memory.recall_scored(user_id => 'ada');
SELECT right(id::text, 1) AS id, match FROM memory.recall_scored(E' \t ', user_id => 'ada', k => 1, agent_id => 'a');
SELECT count(*) FROM memory.recall_scored('zebra', user_id => 'ada');
SELECT count(*) FROM memory.recall_scored('!?', user_id => 'ada');
SELECT right(id::text, 1) AS id, score, match FROM memory.recall_scored('zebra', user_id => 'ada', fallback => 'recent', k => 2);
SELECT count(*) FROM memory.recall_scored('train', user_id => 'nobody');

-- recall() is the same ranking.
SELECT right(id::text, 1) AS id, content, response, occurred_at = '2026-01-03' AS newest, score = (SELECT score FROM memory.recall_scored('train', user_id => 'ada') s WHERE s.id = r.id) AS same_score
FROM memory.recall('train', user_id => 'ada') r;
SELECT right(id::text, 1) AS id, score FROM memory.recall(NULL, k => 2, user_id => 'ada');
SELECT right(id::text, 1) AS id FROM memory.recall('train', 1, 'ada', until => '2026-01-01');

-- What was written is found in the next statement; what was rolled back never was there.
BEGIN;
SELECT memory.remember('a steam train', user_id => 'ada', id => pg_temp.uuid(9)) IS NOT NULL AS remembered;
SELECT right(id::text, 1) AS id, bm25_rank FROM memory.recall_scored('steam', user_id => 'ada');
ROLLBACK;
SELECT count(*) FROM memory.recall_scored('steam', user_id => 'ada');
-- A changed row that stays on its page keeps its place in the index.
UPDATE memory.episodes SET metadata = '{"hot": true}' WHERE user_id = 'ada' AND id = pg_temp.uuid(2);
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada');
SELECT string_agg(right(id::text, 1) || '/' || bm25_rank, ' ') FROM memory.recall_scored('train', user_id => 'ada', filter => '{"hot": true}');

-- By meaning alone: strictly above the threshold.
SELECT right(id::text, 1) AS id, content, round(similarity::numeric, 6) AS similarity FROM memory.recall_semantic('[1,0]', user_id => 'lists');
SELECT right(id::text, 1) AS id, round(similarity::numeric, 6) AS similarity FROM memory.recall_semantic('[1,0]', user_id => 'lists', threshold => 0.8);
SELECT right(id::text, 1) AS id, round(similarity::numeric, 6) AS similarity FROM memory.recall_semantic('[1,0]', user_id => 'lists', threshold => -1, k => 3);
SELECT count(*) FROM memory.recall_semantic('[1,0]', user_id => 'lists', threshold => -1, kind => 'semantic');
-- Vectors of another model are never compared.
SET memory.embedding_model = 'other';
SELECT count(*) FROM memory.recall_semantic('[1,0]', user_id => 'lists', threshold => -1);
SELECT count(*) FROM memory.recall_scored(embedding => '[1,0,0]', user_id => 'lists');
RESET memory.embedding_model;
-- The model is an argument, too: of writing, of elements, and of every recall; NULL is the setting's.
SELECT memory.remember('by two models', user_id => 'models', id => pg_temp.uuid(1), embedding => '[1,0]', model => 'two') IS NOT NULL AS remembered;
SELECT count(*) AS remembered FROM memory.remember_many('[{"content": "by three", "embedding": [1, 0, 0], "model": "three"}, {"content": "by the setting''s", "embedding": [0, 1]}]', user_id => 'models');
SELECT model, embedding FROM memory.embeddings WHERE user_id = 'models' ORDER BY model COLLATE "C";
SELECT content, vector_score FROM memory.recall_scored(embedding => '[1,0]', user_id => 'models', model => 'two');
SELECT content FROM memory.recall_semantic('[1,0,0]', user_id => 'models', model => 'three');
SELECT content FROM memory.recall_semantic('[0,1]', user_id => 'models', model => NULL);
SELECT x -> 'vector' -> 'rank' AS rank FROM memory.explain_recall(pg_temp.uuid(1), embedding => '[1,0]', user_id => 'models', model => 'two') x;
-- Reciprocal ranks with a constant of the caller's; that of the replicated lists is theirs.
SELECT right(id::text, 1) AS id, round(score::numeric, 9) AS score,
    round(((0.5 / (10 + bm25_rank) + 0.5 / (10 + vector_rank)) * 11)::numeric, 9) AS both_by_hand
FROM memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 0.5, fusion => 'rrf', rrf_k => 10);
SELECT count(*) AS the_same FROM memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 0.5, fusion => 'rrf_replicated', rrf_k => 0)
    JOIN memory.recall_scored('word', '[1,0]', user_id => 'lists', alpha => 0.5, fusion => 'rrf_replicated') r USING (id, score);

-- Conversations lend.
SELECT count(memory.remember(content, user_id => 'chat', session_id => session, id => pg_temp.uuid(n), occurred_at => timestamptz '2026-01-01' + n * interval '1 minute'))
FROM (VALUES (1, 's', 'Shall we meet at the harbour or at the lighthouse?'), (2, 's', 'Yes, the second one.'), (3, 's', 'Good, at noon then.'),
             (4, 't', 'A lighthouse keeper reads.'), (5, NULL, 'Nothing of that.')) turns (n, session, content);
SELECT right(id::text, 1) AS id, bm25_rank, match FROM memory.recall_scored('harbour lighthouse', user_id => 'chat', context_weight => 1);
SELECT right(id::text, 1) AS id, bm25_rank, match FROM memory.recall_scored('harbour lighthouse', user_id => 'chat', context_weight => 0);
SELECT right(id::text, 1) AS id, match FROM memory.recall_scored('harbour lighthouse', user_id => 'chat', context_weight => 1, session_id => 's');

-- Diversity puts what says the same behind what says something else.
SELECT count(memory.remember(content, user_id => 'mmr', id => pg_temp.uuid(n), occurred_at => '2026-01-01'))
FROM (VALUES (1, 'coffee without sugar'), (2, 'coffee without sugar please'), (3, 'coffee at the station early in the cold dark morning')) docs (n, content);
SELECT string_agg(right(id::text, 1), ' ') FROM memory.recall_scored('coffee', user_id => 'mmr');
SELECT string_agg(right(id::text, 1), ' ') FROM memory.recall_scored('coffee', user_id => 'mmr', diversity => 0.7);
SELECT string_agg(right(id::text, 1), ' ') FROM memory.recall_scored('coffee', user_id => 'mmr', diversity => 0.7, k => 2);

-- Why is this one where it is, and why is that one missing.
SELECT x -> 'position' AS position, x -> 'lexical' -> 'rank' AS rank, x -> 'lexical' -> 'documents' AS documents,
    jsonb_path_query_array(x, '$.lexical.terms[*] ? (@.in_text > 0).term') AS terms
FROM memory.explain_recall(pg_temp.uuid(3), 'slow train', user_id => 'ada') x;
SELECT abs(sum((t ->> 'adds')::float8) - max((x -> 'lexical' ->> 'score')::float8)) < 1e-12 AS terms_add_up
FROM memory.explain_recall(pg_temp.uuid(3), 'slow train', user_id => 'ada') x, jsonb_array_elements(x -> 'lexical' -> 'terms') t;
SELECT x -> 'answered' AS answered, x -> 'failed' AS failed, x ->> 'reason' AS reason
FROM memory.explain_recall(pg_temp.uuid(1), 'train', user_id => 'ada', agent_id => 'b', since => '2026-01-02') x;
SELECT x -> 'failed' AS failed FROM memory.explain_recall(pg_temp.uuid(4), 'train', user_id => 'ada') x;
SELECT x ->> 'reason' AS reason FROM memory.explain_recall(pg_temp.uuid(1), 'train', user_id => 'ada', k => 1) x;
SELECT x ->> 'reason' AS reason FROM memory.explain_recall(pg_temp.uuid(1), 'slow', user_id => 'ada') x;
SELECT x ->> 'reason' AS reason FROM memory.explain_recall(pg_temp.uuid(1), 'train', user_id => 'ada', min_relevance => 1) x;
SELECT x -> 'found' AS found, x ->> 'reason' AS reason FROM memory.explain_recall(pg_temp.uuid(1), 'train', user_id => 'bob') x;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
