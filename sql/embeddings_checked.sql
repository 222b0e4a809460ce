-- Embeddings that mean nothing are refused wherever they come from, and what is taken for another thing is said.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
-- Without a direction.
SELECT statement, pg_temp.refused(statement) AS refused FROM unnest(ARRAY[
    $$SELECT memory.remember('x', user_id => 'ada', embedding => '[0,0,0]')$$,
    $$SELECT memory.remember_many('[{"content": "y", "embedding": [1,2,3]}, {"content": "x", "embedding": [0,0,0]}]', 'ada')$$,
    $$SELECT memory.assert_fact('Ada', 'lives in', 'Rome', user_id => 'ada', embedding => '[0,0,0]')$$,
    $$SELECT memory.recall_scored('x', '[0,0,0]', user_id => 'ada')$$, $$SELECT memory.recall('x', user_id => 'ada', embedding => '[0,0,0]')$$,
    $$SELECT memory.recall_semantic('[0,0,0]', user_id => 'ada')$$, $$SELECT memory.recall_facts('x', '[0,0,0]', user_id => 'ada')$$]) statement;
SELECT count(*) AS written FROM memory.episodes;
-- Of another length than this user's others of the model; other users and other models have their own.
SELECT memory.remember('x', user_id => 'ada', embedding => '[1,2,3]', id => '00000000-0000-0000-0000-000000000001') IS NOT NULL AS remembered;
SELECT memory.remember('x', user_id => 'bob', embedding => '[1,2]', id => '00000000-0000-0000-0000-000000000001') IS NOT NULL AS remembered;
SELECT statement, pg_temp.refused(statement) AS refused FROM unnest(ARRAY[
    $$SELECT memory.remember('x', user_id => 'ada', embedding => '[1,2]')$$,
    $$SELECT memory.remember_many('[{"content": "y", "embedding": [1,2,3]}, {"content": "x", "embedding": [1,2]}]', 'ada')$$,
    $$SELECT memory.remember_many('[{"content": "y", "embedding": [1,2,3]}, {"content": "x", "embedding": [1,2]}]', 'cy')$$,
    $$INSERT INTO memory.embeddings (user_id, episode_id, model, embedding) VALUES ('ada', '00000000-0000-0000-0000-000000000001', 'zero', '[0,0,0]')$$,
    $$INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT 'ada', memory.remember('z', user_id => 'ada'), '[1,2]'$$,
    $$WITH e AS MATERIALIZED (SELECT memory.remember('z ' || n, user_id => 'new') AS id, n FROM generate_series(2, 3) n)
      INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT 'new', id, array_fill(1, ARRAY[n])::vector FROM e$$,
    $$SELECT memory.assert_fact('Ada', 'lives in', 'Rome', user_id => 'ada', embedding => '[1,2]')$$,
    $$SELECT memory.recall_scored('x', '[1,2]', user_id => 'ada')$$, $$SELECT memory.recall_semantic('[1,2]', user_id => 'ada')$$]) statement;
SET memory.embedding_model = 'other';
SELECT memory.remember('x', user_id => 'ada', embedding => '[1,2]', id => '00000000-0000-0000-0000-000000000002') IS NOT NULL AS remembered;
RESET memory.embedding_model;
-- The only one may become another; so may all at once.
SELECT memory.remember('x', user_id => 'bob', embedding => '[1,2,3]', id => '00000000-0000-0000-0000-000000000001') IS NOT NULL AS replaced;
SELECT memory.remember('y', user_id => 'bob', embedding => '[1,2,3]') IS NOT NULL AS remembered;
SELECT pg_temp.refused($$UPDATE memory.embeddings SET embedding = '[1,2]' WHERE user_id = 'bob' AND episode_id = '00000000-0000-0000-0000-000000000001'$$);
UPDATE memory.embeddings SET embedding = '[1,2]' WHERE user_id = 'bob';
SELECT user_id, model, embedding FROM memory.embeddings ORDER BY 1, 2, 3;
-- A vector is no query, and a time is no object.
SET client_min_messages = notice;
SELECT content FROM memory.recall_scored('[1,2,3]', user_id => 'ada');
SELECT content FROM memory.recall(' [0.1, -2e-3] ', user_id => 'ada');
SELECT content FROM memory.recall_scored('[1,2,3]', '[1,2,3]', user_id => 'ada');
SELECT content FROM memory.recall_scored('[x]', user_id => 'ada');
SELECT content FROM memory.recall_scored('[]', user_id => 'ada');
SELECT memory.assert_fact('Ada', 'lives in', 'Paris', user_id => 'ada', valid_from => '2025-01-01') IS NOT NULL AS asserted;
SELECT memory.assert_fact('Ada', 'born on', '1990-01-01', user_id => 'ada', valid_from => '2025-01-01') IS NOT NULL AS asserted;
SET memory.user_id = 'ada';
SELECT object FROM memory.facts('Ada', 'lives in', '2026-01-01');
SELECT object FROM memory.facts('Ada', 'lives in', NULL, '2026-01-01 10:00');
SELECT object FROM memory.fact_history('Ada', 'lives in', '2026-01-01T10:00:00Z');
SELECT object FROM memory.facts('Ada', 'born on', '1990-01-01');
SELECT object FROM memory.facts('Ada', 'lives in', 'Rome');
SELECT object FROM memory.facts('Ada', 'lives in', valid_at => '2026-01-01');
RESET memory.user_id;
SET client_min_messages = warning;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
