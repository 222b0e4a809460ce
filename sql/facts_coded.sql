-- recall_facts with an embedding, by the index of codes: the answers of comparing all vectors, among the facts that the call is about.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT count(*) >= 0 FROM memory.init();
SET search_path = public, memory;
SELECT set_config('memory.namespace', 'facts_coded', false), set_config('memory.user_id', 'cody', false);
ALTER TABLE memory.fact_embeddings SET (autovacuum_enabled = off);

CREATE FUNCTION pg_temp.said(n int) RETURNS text LANGUAGE sql AS $$ SELECT string_agg('w' || (n::bigint * i * i * 7919 + i * 31 + n / 7) % 211, ' ') FROM generate_series(1, 6) i $$;
SELECT count(*) FROM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'thing ' || n, 'predicate', 'is called', 'object', pg_temp.said(n), 'valid_from', '2026-01-01'::timestamptz + n % 500 * interval '1 hour',
    'embedding', hash_embedding(pg_temp.said(n), 256)::text::jsonb)) FROM generate_series(1, 2600) n));
SELECT count(*) FROM memory.assert_fact('another''s', 'is called', pg_temp.said(3), 'dora', embedding => hash_embedding(pg_temp.said(3), 256));
-- A third is known better since, and something else is true of some since May.
SELECT clock_timestamp() AS "before" \gset
SELECT count(memory.correct_fact(id, 'object' || ' ' || (subject), valid_from => valid_from)) FROM memory.facts WHERE namespace = 'facts_coded' AND user_id = 'cody' AND substr(subject, 7)::int % 9 = 0;
SELECT count(memory.assert_fact('thing ' || n, 'is called', pg_temp.said(n + 5000), valid_from => '2026-05-01', embedding => hash_embedding(pg_temp.said(n + 5000), 256))) FROM generate_series(1, 2600) n WHERE n % 7 = 0;
SELECT documents > 2000 AS has_codes, (SELECT string_agg(p, '; ') FROM memory.verify_index('memory.fact_embeddings_by_code') p) AS wrong FROM memory.index_stats('memory.fact_embeddings_by_code');

CREATE TABLE asked AS SELECT q, pg_temp.said(q * 191) AS words, hash_embedding(pg_temp.said(q * 191) || ' w5 w77', 256) AS v FROM generate_series(1, 4) q;
CREATE TABLE calls AS SELECT row_number() OVER () AS c, x.* FROM (VALUES (false, 1::bigint, now(), NULL::timestamptz), (false, 10, now(), NULL), (false, 10, NULL, NULL), (false, 100, NULL, NULL), (false, 10, '2026-02-01', NULL), (false, 10, '2026-01-02', NULL), (false, 10, NULL, :'before'),
    (false, 20, '2026-06-01', :'before'), (false, NULL, NULL, NULL), (true, 5, now(), NULL), (true, 20, NULL, NULL), (true, 10, '2026-01-10', NULL), (true, 10, NULL, :'before')) x (with_words, k, valid_at, known_at);
CREATE FUNCTION pg_temp.answers() RETURNS TABLE (q int, c bigint, place bigint, id uuid, score float8, bm25_score float8, vector_score float8) LANGUAGE sql AS $$
    SELECT q, c, r.place, r.id, r.score, r.bm25_score, r.vector_score FROM asked, calls x, LATERAL memory.recall_facts(CASE WHEN with_words THEN words END, v, k, valid_at => x.valid_at, known_at => x.known_at) WITH ORDINALITY
        r (id, subject, predicate, object, confidence, valid_from, valid_until, known_from, known_until, sources, metadata, user_id, score, bm25_score, vector_score, place) $$;
-- Every vector of what is believed then and true then, one by one.
CREATE FUNCTION pg_temp.compared() RETURNS TABLE (q int, c bigint, place bigint, id uuid, vector_score float8) LANGUAGE sql SET enable_nestloop = off AS $$
    WITH said AS MATERIALIZED (SELECT f.*, e.embedding FROM memory.facts f JOIN memory.fact_embeddings e USING (namespace, user_id, subject_key, predicate, object_key) WHERE namespace = 'facts_coded' AND user_id = 'cody'),
        cosines AS MATERIALIZED (SELECT q, f.id, valid_from, valid_until, known_from, known_until, 1 - (f.embedding <=> a.v) AS cosine FROM asked a, said f)
    SELECT q, c, place, id, cosine FROM (SELECT q, c, k, id, cosine, row_number() OVER (PARTITION BY q, c ORDER BY cosine DESC, valid_from DESC, id DESC) AS place FROM cosines, calls x
        WHERE NOT with_words AND cosine > 1e-7 AND CASE WHEN x.known_at IS NULL THEN known_until = 'infinity' ELSE known_from <= x.known_at AND known_until > x.known_at END
            AND (x.valid_at IS NULL OR valid_from <= x.valid_at AND valid_until > x.valid_at)) f WHERE k IS NULL OR place <= k $$;
CREATE FUNCTION pg_temp.beside_comparing(OUT answers bigint, OUT by_vector bigint, OUT other_cosines bigint, OUT of_other_numbers bigint, OUT at_other_places bigint, OUT scores_are_near boolean) LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE one ON COMMIT DROP AS SELECT * FROM pg_temp.answers();
    CREATE TEMP TABLE truth ON COMMIT DROP AS SELECT * FROM pg_temp.compared();
    SELECT count(*), count(*) FILTER (WHERE abs(t.vector_score - o.vector_score) < 1e-6) FROM truth t LEFT JOIN one o USING (q, c, place) INTO answers, by_vector;
    ALTER INDEX memory.fact_embeddings_by_code RENAME TO set_aside;
    CREATE TEMP TABLE other ON COMMIT DROP AS SELECT * FROM pg_temp.answers();
    ALTER INDEX memory.set_aside RENAME TO fact_embeddings_by_code;
    -- By vectors alone all is the same, to the last digit.
    SELECT count(*) FROM (SELECT * FROM one WHERE c <= 9 EXCEPT SELECT * FROM other) d INTO other_cosines;
    SELECT count(*) FILTER (WHERE (o.bm25_score, o.vector_score) IS DISTINCT FROM (t.bm25_score, t.vector_score)), max(abs(o.score - t.score) / t.score) < 0.05 FROM one o JOIN other t USING (q, c, id) WHERE c > 9 INTO of_other_numbers, scores_are_near;
    SELECT count(*) FILTER (WHERE o.id IS DISTINCT FROM t.id AND (o.id IS NULL OR t.id IS NULL OR abs(o.score - t.score) > 0.05 * t.score)) FROM one o FULL JOIN other t USING (q, c, place) WHERE c > 9 INTO at_other_places;
END $$;
SELECT idx_scan AS before_calls FROM pg_stat_user_indexes WHERE indexrelname = 'fact_embeddings_by_code' \gset
BEGIN;
SELECT * FROM pg_temp.beside_comparing();
COMMIT;
-- Each call has searched the index.
SELECT pg_stat_force_next_flush();
SELECT idx_scan - :before_calls AS calls FROM pg_stat_user_indexes WHERE indexrelname = 'fact_embeddings_by_code';
-- The pages that a call reads.
CREATE FUNCTION pg_temp.pages() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE plan json;
    BEGIN
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT json) SELECT * FROM memory.recall_facts(NULL, (SELECT v FROM asked WHERE q = 4), 10)' INTO plan;
        RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::bigint + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::bigint;
    END $$;
SELECT min(pg_temp.pages()) AS by_codes FROM generate_series(1, 3) \gset
BEGIN;
ALTER INDEX memory.fact_embeddings_by_code RENAME TO set_aside;
SELECT :by_codes * 3 < min(pg_temp.pages()) AS reads_less FROM generate_series(1, 3);
ROLLBACK;

-- What is gone, changed, new and not committed; codes of some are there still.
BEGIN;
DELETE FROM memory.fact_embeddings WHERE namespace = 'facts_coded' AND user_id = 'cody' AND substr(subject_key, 7)::int % 13 = 0;
UPDATE memory.fact_embeddings SET embedding = hash_embedding(pg_temp.said(191) || ' w5', 256) WHERE namespace = 'facts_coded' AND user_id = 'cody' AND substr(subject_key, 7)::int % 11 = 0;
SELECT count(memory.retract_fact('thing ' || n, 'is called')) FROM generate_series(1, 2600) n WHERE n % 17 = 0;
SELECT count(memory.assert_fact('new thing ' || n, 'is called', pg_temp.said(n * 191), embedding => hash_embedding(pg_temp.said(n * 191) || ' w5 w77', 256))) FROM generate_series(1, 8) n;
SELECT * FROM pg_temp.beside_comparing();
COMMIT;
VACUUM memory.fact_embeddings;
BEGIN;
SELECT * FROM pg_temp.beside_comparing();
COMMIT;
-- Of what few facts are about all are compared; so are a few, and vectors of other dimensions.
SELECT count(*) FROM asked, LATERAL memory.recall_facts(NULL, v, NULL, valid_at => '2026-01-01 05:00') WHERE q < 3;
SELECT object, round(vector_score::numeric, 2) FROM memory.recall_facts(NULL, hash_embedding(pg_temp.said(3), 256), user_id => 'dora');
SELECT count(*) FROM memory.recall_facts(NULL, '[1,2,3]');

-- For a caller who may not read everything.
CREATE ROLE regress_memory_coded;
SELECT memory.grant_access('regress_memory_coded', 'reader');
GRANT SELECT ON asked TO regress_memory_coded;
SELECT memory.protect('current_user');
SET ROLE regress_memory_coded;
SELECT count(*) AS of_others FROM asked, LATERAL memory.recall_facts(NULL, v, user_id => 'cody') WHERE q = 1;
RESET ROLE;
SELECT memory.unprotect();
CREATE POLICY early ON memory.facts USING (substr(subject_key, 1, 5) = 'thing' AND right(subject_key, 1)::int < 5);
ALTER TABLE memory.facts ENABLE ROW LEVEL SECURITY;
SET ROLE regress_memory_coded;
SET memory.namespace = 'facts_coded';
SELECT count(*) AS answers, count(*) FILTER (WHERE right(subject, 1)::int >= 5) AS hidden FROM asked, LATERAL memory.recall_facts(NULL, v, 10, user_id => 'cody', valid_at => NULL);
RESET ROLE;
DROP POLICY early ON memory.facts;
ALTER TABLE memory.facts DISABLE ROW LEVEL SECURITY;

DROP TABLE asked, calls;
ALTER TABLE memory.fact_embeddings RESET (autovacuum_enabled);
SELECT count(memory.forget_user(u)) FROM unnest('{cody,dora}'::text[]) u;
DROP OWNED BY regress_memory_coded;
DROP ROLE regress_memory_coded;
