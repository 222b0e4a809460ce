-- Recall@10 and recall@1 of both arms alone and fused, by memory.recall_scored itself, on one set of arms.py. A line for each dense
-- arm: arm, words alone, vectors alone, then each way to fuse. Sessions lend, as by default.
\ir fresh.sql
CREATE TEMP TABLE documents (n int GENERATED ALWAYS AS IDENTITY, id text, session text, body text, random vector, words vector, good vector, encoder vector, squeezed vector);
CREATE TEMP TABLE queries (n int GENERATED ALWAYS AS IDENTITY, body text, evidence text[], random vector, words vector, good vector, encoder vector, squeezed vector);
\set copy_documents '\\copy documents (id, session, body, random, words, good, encoder, squeezed) FROM ' :documents
\set copy_queries '\\copy queries (body, evidence, random, words, good, encoder, squeezed) FROM ' :queries
:copy_documents
:copy_queries
INSERT INTO memory.episodes (user_id, session_id, content, metadata, occurred_at)
SELECT 'set', session, body, jsonb_build_object('id', id), timestamptz '2026-01-01' + n * interval '1 second' FROM documents WHERE body <> '' ORDER BY n;
INSERT INTO memory.embeddings (user_id, episode_id, model, embedding)
SELECT 'set', e.id, arm, embedding FROM documents d JOIN memory.episodes e ON e.metadata ->> 'id' = d.id, LATERAL (VALUES
    ('random', d.random), ('hash', memory.hash_embedding(d.body)), ('words', d.words), ('encoder', d.encoder), ('squeezed', d.squeezed), ('good', d.good)) v (arm, embedding)
WHERE embedding IS NOT NULL;
VACUUM ANALYZE memory.episodes, memory.embeddings;
CREATE TEMP TABLE ways (place int, fusion text, alpha float8, rrf_k int DEFAULT 60);
INSERT INTO ways VALUES (0, 'blend', 0), (1, 'blend', 1), (2, 'rrf', 0.5), (4, 'blend', 0.1), (5, 'blend', 0.35), (6, 'blend', 0.5);
INSERT INTO ways VALUES (3, 'rrf', 0.35, 10);
CREATE TEMP TABLE asked AS
SELECT arm, n, body, evidence, embedding FROM queries q, LATERAL (VALUES
    ('random', 1, q.random), ('hash', 2, memory.hash_embedding(q.body)), ('words', 3, q.words), ('encoder', 4, q.encoder), ('squeezed', 5, q.squeezed), ('good', 6, q.good)) v (arm, o, embedding)
WHERE embedding IS NOT NULL;
CREATE FUNCTION pg_temp.recalls(arm text) RETURNS TABLE (place int, recalls text) LANGUAGE sql STABLE AS $$
    SELECT place, round(avg(hits::numeric / cardinality(evidence)), 3) || ' (' || round(avg(first), 3) || ')' FROM (
        SELECT w.place, a.evidence, found.* FROM ways w, asked a, LATERAL (
            SELECT count(*) FILTER (WHERE id = ANY (a.evidence)) AS hits, count(*) FILTER (WHERE id = ANY (a.evidence) AND o = 1) AS first
            FROM (SELECT r.metadata ->> 'id' AS id, row_number() OVER () AS o FROM memory.recall_scored(a.body, a.embedding,
                k => 10, alpha => w.alpha, fusion => w.fusion, rrf_k => w.rrf_k, model => a.arm, user_id => 'set') r) ranked) found
        WHERE a.arm = recalls.arm) judged GROUP BY place
$$;
SELECT arm, string_agg(recalls, E'\t' ORDER BY place) FROM unnest('{random,hash,words,encoder,squeezed,good}'::text[]) WITH ORDINALITY arms (arm, o), LATERAL pg_temp.recalls(arm) GROUP BY o, arm ORDER BY o;
