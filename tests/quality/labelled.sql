-- What labelled.py has written, as episodes and queries; for the scripts that it runs.
\ir documents.sql
CREATE TEMP TABLE queries (user_id text, until timestamptz, self text, body text, mistyped text, evidence text[]);
\set copy_queries '\\copy queries (user_id, until, self, body, mistyped, evidence) FROM ' :queries
:copy_queries
INSERT INTO memory.episodes (user_id, session_id, content, metadata, occurred_at)
SELECT user_id, session, body, jsonb_strip_nulls(jsonb_build_object('id', id, 'session', session)), coalesce(time, timestamptz '2026-01-01' + n * interval '1 second')
FROM documents ORDER BY n;
VACUUM ANALYZE memory.episodes;
-- Recall@10 and, in brackets, how often the first row is right. A question inside a session is about the others, and what came before.
CREATE FUNCTION pg_temp.judged(mistyped boolean, fuzzy boolean) RETURNS text LANGUAGE sql AS $$
    SELECT round(avg(hits::numeric / cardinality(evidence)), 4) || ' (' || round(avg(first), 4) || ')' FROM (
        SELECT q.evidence, found.* FROM queries q, LATERAL (
            SELECT count(*) FILTER (WHERE id = ANY (q.evidence)) AS hits, count(*) FILTER (WHERE id = ANY (q.evidence) AND o = 1) AS first
            FROM (SELECT r.metadata ->> 'id' AS id, row_number() OVER () AS o
                FROM memory.recall_scored(CASE WHEN judged.mistyped THEN q.mistyped ELSE body END, k => 10, user_id => q.user_id, until => q.until + interval '1 day -1 microsecond', fuzzy => judged.fuzzy,
                    filter => CASE WHEN q.self IS NOT NULL THEN jsonb_build_object('session', jsonb_build_object('$ne', q.self)) END) r) ranked) found) judged
$$;
