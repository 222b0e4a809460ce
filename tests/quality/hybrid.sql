-- Recall@10 of both arms alone and fused, by memory.recall_scored itself, on one set of arms.py. A line for each dense arm: arm,
-- words alone, vectors alone, then each fusion.
SET client_min_messages = error;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION memory;
SELECT memory.init();
CREATE TEMP TABLE documents (n int GENERATED ALWAYS AS IDENTITY, id text, body text, random vector, words vector, good vector);
CREATE TEMP TABLE queries (n int GENERATED ALWAYS AS IDENTITY, body text, evidence text[], random vector, words vector, good vector);
\set copy_documents '\\copy documents (id, body, random, words, good) FROM ' :documents
\set copy_queries '\\copy queries (body, evidence, random, words, good) FROM ' :queries
:copy_documents
:copy_queries
INSERT INTO memory.episodes (user_id, content, metadata) SELECT 'set', body, jsonb_build_object('id', id) FROM documents WHERE body <> '' ORDER BY n;
INSERT INTO memory.embeddings (user_id, episode_id, model, embedding)
SELECT 'set', e.id, arm, CASE arm WHEN 'random' THEN d.random WHEN 'words' THEN d.words ELSE d.good END
FROM documents d JOIN memory.episodes e ON e.metadata ->> 'id' = d.id, unnest(ARRAY['random', 'words', 'good']) arm;
VACUUM ANALYZE memory.episodes, memory.embeddings;
CREATE TEMP TABLE ways (place int, fusion text, alpha real);
INSERT INTO ways VALUES (0, 'rrf', 0), (1, 'rrf', 1), (2, 'rrf', 0.5), (3, 'blend', 0.5), (4, 'blend', 0.25), (5, 'blend', 0.1);
CREATE FUNCTION pg_temp.recall(arm text) RETURNS TABLE (place int, recall numeric) LANGUAGE sql VOLATILE SET memory.context_weight = 0 AS $$
    SELECT set_config('memory.embedding_model', arm, true);
    SELECT place, round(avg(hits::numeric / cardinality(evidence)), 3) FROM (
        SELECT w.place, q.n, q.evidence, (
            SELECT count(*) FROM memory.recall_scored(q.body, CASE arm WHEN 'random' THEN q.random WHEN 'words' THEN q.words ELSE q.good END,
                k => 10, alpha => w.alpha, fusion => w.fusion, user_id => 'set') r WHERE r.metadata ->> 'id' = ANY (q.evidence)) AS hits
        FROM ways w, queries q) judged GROUP BY place
$$;
SELECT arm, string_agg(recall::text, E'\t' ORDER BY place) FROM unnest(ARRAY['random', 'words', 'good']) WITH ORDINALITY arms (arm, o), LATERAL pg_temp.recall(arm) GROUP BY o, arm ORDER BY o;
