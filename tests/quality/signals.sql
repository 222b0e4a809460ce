-- One set of signals.py: a line for each of its columns.
\ir fresh.sql
CREATE TEMP TABLE documents (n int GENERATED ALWAYS AS IDENTITY, id text, user_id text, session text, role text, speaker text, time timestamptz, body text);
\set copy_documents '\\copy documents (id, user_id, session, role, speaker, time, body) FROM ' :documents
:copy_documents
CREATE TEMP TABLE queries (n int GENERATED ALWAYS AS IDENTITY, user_id text, until timestamptz, self text, body text, evidence text[]);
\set copy_queries '\\copy queries (user_id, until, self, body, evidence) FROM ' :queries
:copy_queries
INSERT INTO memory.episodes (user_id, session_id, role, content, metadata, occurred_at)
SELECT user_id, session, role, body, jsonb_strip_nulls(jsonb_build_object('id', id, 'session', session, 'speaker', speaker)), coalesce(time, timestamptz '2026-01-01' + n * interval '1 second')
FROM documents ORDER BY n;
VACUUM ANALYZE memory.episodes;
-- A question inside a session is about the others, and what came before. It is asked on the last day, from which "yesterday" is counted.
CREATE FUNCTION pg_temp.judged(signals text, weight float8) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('memory.recall_signals', signals, true);
    RETURN (SELECT round(avg(hits::numeric / cardinality(evidence)), 4) || ' (' || round(avg(first), 4) || ')' FROM (
        SELECT q.evidence, found.* FROM queries q, LATERAL (
            SELECT count(*) FILTER (WHERE id = ANY (q.evidence)) AS hits, count(*) FILTER (WHERE id = ANY (q.evidence) AND o = 1) AS first
            FROM (SELECT r.metadata ->> 'id' AS id, row_number() OVER () AS o
                FROM memory.recall_scored(q.body, k => 10, user_id => q.user_id, until => q.until + interval '1 day -1 microsecond', context_weight => weight,
                    filter => CASE WHEN q.self IS NOT NULL THEN jsonb_build_object('session', jsonb_build_object('$ne', q.self)) END) r) ranked) found) judged);
END $$;
CREATE TEMP TABLE names AS SELECT name, n FROM unnest('{coverage,terms,roles,evidence,dates,names,order}'::text[]) WITH ORDINALITY l (name, n);
SELECT pg_temp.judged('none', 0);
SELECT pg_temp.judged('none', 1);
SELECT pg_temp.judged((SELECT reset_val FROM pg_settings WHERE name = 'memory.recall_signals'), 0);
SELECT pg_temp.judged((SELECT reset_val FROM pg_settings WHERE name = 'memory.recall_signals'), 1);
SELECT pg_temp.judged('all', 1);
SELECT pg_temp.judged((SELECT string_agg(other.name, ',' ORDER BY other.n) FROM names other WHERE other.name <> names.name), 1) FROM names ORDER BY n;
