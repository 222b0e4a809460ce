-- The queries of models.py, by recall_scored with its defaults, in each namespace that has episodes: documents, queries, then a line
-- for each of words, hash, vectors and, told to use_model as their weight, vectors with .1. Only where all episodes have their vectors.
SET client_min_messages = error;
CREATE TEMP TABLE queries (n int GENERATED ALWAYS AS IDENTITY, user_id text, until timestamptz, self text, body text, evidence text[], embedding vector);
\set copy_queries '\\copy queries (user_id, until, self, body, evidence, embedding) FROM ' :queries
:copy_queries
DO $$
DECLARE
    missing bigint := (SELECT count(*) FROM memory.episodes e WHERE e.namespace <> 'words' AND NOT EXISTS (
        SELECT FROM memory.embeddings v WHERE v.namespace = e.namespace AND v.user_id = e.user_id AND v.episode_id = e.id));
BEGIN
    IF missing > 0 OR EXISTS (SELECT FROM memory.jobs) THEN
        RAISE '% episodes have no vector', missing;
    END IF;
END $$;
ANALYZE memory.episodes, memory.embeddings;
-- A question inside a session is about the others, and what came before.
CREATE FUNCTION pg_temp.judged(name text, with_vector boolean) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('memory.namespace', name, true);
    RETURN (SELECT round(avg(hits::numeric / cardinality(evidence)), 4) || ' (' || round(avg(first), 4) || ')' FROM (
        SELECT q.evidence, found.* FROM queries q, LATERAL (
            SELECT count(*) FILTER (WHERE id = ANY (q.evidence)) AS hits, count(*) FILTER (WHERE id = ANY (q.evidence) AND o = 1) AS first
            FROM (SELECT r.metadata ->> 'id' AS id, row_number() OVER () AS o
                FROM memory.recall_scored(q.body, CASE WHEN with_vector THEN q.embedding END, k => 10, user_id => q.user_id, until => q.until + interval '1 day -1 microsecond',
                    filter => CASE WHEN q.self IS NOT NULL THEN jsonb_build_object('session', jsonb_build_object('$ne', q.self)) END) r) ranked) found) judged);
END $$;
SELECT count(*) FROM memory.episodes WHERE namespace = 'words';
SELECT count(*) FROM queries;
SELECT pg_temp.judged(name, name = 'vectors') FROM unnest('{words,hash,vectors}'::text[]) name WHERE EXISTS (SELECT FROM memory.episodes e WHERE e.namespace = name);
-- The same vectors with the weight of a model that is known to be weak.
UPDATE memory.model_tasks SET options = options || '{"alpha": 0.1}' WHERE namespace = 'vectors';
SELECT pg_temp.judged('vectors', true) WHERE EXISTS (SELECT FROM memory.episodes e WHERE e.namespace = 'vectors');
