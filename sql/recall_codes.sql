-- recall_semantic by an index of codes: the answers of comparing all vectors, for any k, threshold and filter.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT count(*) >= 0 FROM memory.init();
SET search_path = public, memory;
SELECT set_config('memory.user_id', 'cody', false);

-- Clusters of 50 around 60 directions, each with two kinds of rows.
CREATE FUNCTION pg_temp.vector_of(cluster int, n int) RETURNS vector LANGUAGE sql AS
    $$ SELECT array_agg((sin(cluster * 12.9898 + i * i * 0.37 + cluster * i * 1.7) + 0.8 * sin(n * 78.233 + i * i * 1.13 + n * i * 0.31))::real ORDER BY i)::vector FROM generate_series(1, 384) i $$;
SELECT count(*) FROM generate_series(0, 2999) n, LATERAL memory.remember('note ' || n, embedding => pg_temp.vector_of(n / 50, n), metadata => jsonb_build_object('n', n % 5), kind => CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END) r;
SELECT count(*) FROM memory.remember('another''s', user_id => 'dora', embedding => pg_temp.vector_of(3, 150));
SELECT count(*) FROM memory.remember('of another model', model => 'small', embedding => '[1,2,3]');

CREATE TABLE asked AS SELECT q, pg_temp.vector_of(q * 7 % 60, 10000 + q) AS v FROM generate_series(1, 12) q;
CREATE TABLE calls AS SELECT * FROM (VALUES (1::bigint, -1::float8, NULL::text, NULL::jsonb), (10, -1, NULL, NULL), (10, 0.5, NULL, NULL), (10, 0.7, NULL, NULL), (300, 0.3, NULL, NULL), (5000, -1, NULL, NULL), (NULL, 0.5, NULL, NULL), (NULL, -1, NULL, NULL),
    (10, 0.3, 'odd', NULL), (10, 0.4, NULL, '{"n": 3}'), (10, -1, 'even', '{"n": 3}')) c(k, threshold, kind, filter);
CREATE FUNCTION pg_temp.answers() RETURNS TABLE (q int, k bigint, threshold float8, kind text, filter jsonb, answer text) LANGUAGE sql AS $$
    SELECT q, k, threshold, kind, filter, (SELECT string_agg(r.content || ' ' || r.similarity, ',' ORDER BY r.similarity DESC, r.content) FROM memory.recall_semantic(v, k, threshold, kind => c.kind, filter => c.filter) r) FROM asked, calls c $$;
DROP INDEX memory.embeddings_by_code;
CREATE TABLE compared AS SELECT * FROM pg_temp.answers();
SELECT k, threshold, kind, filter, count(*) AS questions, count(answer) AS answered FROM compared GROUP BY k, threshold, kind, filter ORDER BY 1, 2, 3, 4;
-- The pages that a call reads.
CREATE FUNCTION pg_temp.pages() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE plan json;
    BEGIN
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT json) SELECT * FROM memory.recall_semantic((SELECT v FROM asked WHERE q = 4), 10, 0.3)' INTO plan;
        RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::bigint + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::bigint;
    END $$;
CREATE TABLE reads AS SELECT min(pg_temp.pages()) AS comparing FROM generate_series(1, 3);
CREATE INDEX embeddings_by_code ON memory.embeddings USING recall (namespace, user_id, model, embedding);
SELECT min(pg_temp.pages()) * 3 < (SELECT comparing FROM reads) AS reads_less FROM generate_series(1, 3);
SELECT count(*) AS differ FROM pg_temp.answers() FULL JOIN compared c USING (q) WHERE (c.k, c.threshold, c.kind, c.filter) IS NOT DISTINCT FROM (answers.k, answers.threshold, answers.kind, answers.filter) AND c.answer IS DISTINCT FROM answers.answer;
-- Each call has searched the index.
SELECT pg_stat_force_next_flush();
SELECT idx_scan - 3 AS calls FROM pg_stat_user_indexes WHERE indexrelname = 'embeddings_by_code';

-- What has expired, been forgotten, replaced, or is not committed.
UPDATE memory.episodes SET expires_at = now() - interval '1 day' WHERE user_id = 'cody' AND (metadata ->> 'n')::int = 1;
DELETE FROM memory.embeddings e USING memory.episodes p WHERE p.id = e.episode_id AND p.user_id = 'cody' AND (p.metadata ->> 'n')::int = 2;
UPDATE memory.embeddings e SET embedding = pg_temp.vector_of(1, 5) FROM memory.episodes p WHERE p.id = e.episode_id AND p.user_id = 'cody' AND (p.metadata ->> 'n')::int = 3 AND model <> 'small' AND p.content LIKE 'note 1%';
BEGIN;
SELECT count(*) FROM memory.remember('soon gone', embedding => (SELECT v FROM asked WHERE q = 2));
SELECT content, round(similarity::numeric, 4) AS similarity FROM memory.recall_semantic((SELECT v FROM asked WHERE q = 2), k => 1);
ROLLBACK;
CREATE TEMP TABLE by_codes AS SELECT * FROM pg_temp.answers();
VACUUM memory.embeddings;
CREATE TEMP TABLE by_codes_vacuumed AS SELECT * FROM pg_temp.answers();
DROP INDEX memory.embeddings_by_code;
CREATE TEMP TABLE by_comparing AS SELECT * FROM pg_temp.answers();
SELECT (SELECT count(*) FROM (TABLE by_codes EXCEPT TABLE by_comparing) d) AS differ, (SELECT count(*) FROM (TABLE by_codes_vacuumed EXCEPT TABLE by_comparing) d) AS differ_vacuumed, (SELECT count(*) FROM by_comparing) AS answers;

-- An index of other columns, of a part, or one that is no index of codes is not asked.
CREATE INDEX embeddings_by_code ON memory.embeddings USING recall (user_id, namespace, model, embedding);
SELECT count(*) AS differ FROM (SELECT * FROM pg_temp.answers() EXCEPT TABLE by_comparing) d;
DROP INDEX memory.embeddings_by_code;
CREATE INDEX embeddings_by_code ON memory.embeddings USING recall (namespace, user_id, model, embedding) WHERE model = 'small';
SELECT count(*) AS differ FROM (SELECT * FROM pg_temp.answers() EXCEPT TABLE by_comparing) d;
DROP INDEX memory.embeddings_by_code;
CREATE INDEX embeddings_by_code ON memory.embeddings (namespace, user_id, model);
SELECT count(*) AS differ FROM (SELECT * FROM pg_temp.answers() EXCEPT TABLE by_comparing) d;
DROP INDEX memory.embeddings_by_code;
-- Errors are the same with it: other dimensions than the stored ones.
CREATE INDEX embeddings_by_code ON memory.embeddings USING recall (namespace, user_id, model, embedding);
SELECT count(*) FROM memory.recall_semantic('[1,2,3]');
SELECT content FROM memory.recall_semantic('[1,2,3]', model => 'small');
DROP TABLE asked, calls, compared, reads;
DELETE FROM memory.episodes WHERE user_id IN ('cody', 'dora');
