-- items() with an embedding, by the index of codes: the answers of comparing all vectors, of the items that the call chooses.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT count(*) >= 0 FROM memory.init();
SET search_path = public, memory;
SELECT set_config('memory.namespace', 'items_coded', false), set_config('memory.user_id', 'cody', false);
ALTER TABLE memory.item_embeddings SET (autovacuum_enabled = off);

CREATE FUNCTION pg_temp.said(n int) RETURNS text LANGUAGE sql AS $$ SELECT string_agg('w' || (n::bigint * i * i * 7919 + i * 31 + n / 7) % 211, ' ') FROM generate_series(1, 6) i $$;
-- Some have three vectors; the best counts. A few are far down a path of their own, and some expire.
SELECT count(*) FROM memory.put_items((SELECT jsonb_agg(jsonb_build_object('path', CASE WHEN n % 50 = 0 THEN '["far", "down"]' WHEN n % 2 = 0 THEN '["notes", "even"]' ELSE '["notes", "odd"]' END::jsonb, 'key', 'n' || n, 'value', jsonb_build_object('n', n % 5),
    'texts', jsonb_build_array(pg_temp.said(n)), 'ttl', CASE WHEN n % 31 = 0 THEN '1 day' END,
    'embeddings', (SELECT jsonb_agg(hash_embedding(pg_temp.said(n + 10000 * m), 256)::text::jsonb) FROM generate_series(0, CASE WHEN n % 40 = 1 THEN 2 ELSE 0 END) m))) FROM generate_series(1, 2700) n));
SELECT count(memory.put_item('{notes}', 'k', '1', user_id => 'dora', embeddings => ARRAY[hash_embedding(pg_temp.said(3), 256)]));
UPDATE memory.items SET expires_at = now() - interval '1 hour' WHERE namespace = 'items_coded' AND expires_at IS NOT NULL;
SELECT documents > 2700 AS has_codes, (SELECT string_agg(p, '; ') FROM memory.verify_index('memory.item_embeddings_by_code') p) AS wrong FROM memory.index_stats('memory.item_embeddings_by_code');

CREATE TABLE asked AS SELECT q, pg_temp.said(q * 191) AS words, hash_embedding(pg_temp.said(q * 191) || ' w5 w77', 256) AS v FROM generate_series(1, 3) q
    UNION ALL SELECT 7, pg_temp.said(10041), hash_embedding(pg_temp.said(10041), 256) UNION ALL SELECT 8, pg_temp.said(20081), hash_embedding(pg_temp.said(20081) || ' w3', 256);
CREATE TABLE calls AS SELECT row_number() OVER () AS c, x.* FROM (VALUES (false, 1::bigint, 0, '{}'::text[], NULL::jsonb, 0::float8), (false, 10, 0, '{}', NULL, 0), (false, 10, 30, '{}', NULL, 0), (false, 100, 0, '{}', NULL, 0), (false, NULL, 0, '{}', NULL, 0), (false, 10, 0, '{}', NULL, 0.4),
    (false, 10, 0, '{notes}', NULL, 0), (false, 10, 0, '{notes,odd}', NULL, 0), (false, 10, 0, '{notes}', '{"n": 3}', 0), (false, 10, 0, '{far}', NULL, 0), (false, 10, 0, '{none}', NULL, 0),
    (true, 5, 0, '{}', NULL, 0), (true, 20, 10, '{}', NULL, 0), (true, 10, 0, '{}', NULL, 0.4), (true, 10, 0, '{notes,odd}', NULL, 0), (true, 10, 0, '{}', '{"n": 3}', 0)) x (with_words, k, skip, prefix, filter, min_relevance);
CREATE FUNCTION pg_temp.answers() RETURNS TABLE (q int, c bigint, place bigint, key text, score float8, relevance float8) LANGUAGE sql AS $$
    SELECT q, c, r.place, r.key, r.score, r.relevance FROM asked, calls x, LATERAL memory.items(x.prefix, CASE WHEN with_words THEN words END, v, x.filter, k => x.k, skip => x.skip, alpha => CASE WHEN with_words THEN 0.5 END, min_relevance => x.min_relevance) WITH ORDINALITY
        r (path, key, value, version, created_at, updated_at, expires_at, user_id, score, relevance, place) $$;
-- Every vector of what may be answered with, one by one.
CREATE FUNCTION pg_temp.compared() RETURNS TABLE (q int, c bigint, place bigint, key text, relevance float8) LANGUAGE sql SET enable_nestloop = off AS $$
    WITH cosines AS MATERIALIZED (SELECT q, i.id, i.path, i.key, i.value, i.updated_at, max(1 - (e.embedding <=> a.v)) AS cosine FROM asked a CROSS JOIN (memory.items i JOIN memory.item_embeddings e ON (e.namespace, e.user_id, e.item) = (i.namespace, i.user_id, i.id))
        WHERE i.namespace = 'items_coded' AND i.user_id = 'cody' AND (expires_at IS NULL OR expires_at > now()) GROUP BY 1, 2, 3, 4, 5, 6)
    SELECT q, c, place - skip, key, cosine FROM (SELECT q, c, k, skip, key, cosine, row_number() OVER (PARTITION BY q, c ORDER BY cosine DESC, updated_at DESC, id) AS place FROM cosines, calls x
        WHERE NOT with_words AND cosine > 1e-7 AND cosine >= min_relevance AND path[:cardinality(prefix)] = prefix AND (filter IS NULL OR value @> filter)) f WHERE place > skip AND (k IS NULL OR place <= skip + k) $$;
-- by_vector: answers whose cosines are the true ones. By vectors alone the rows and their order are those of comparing all; scores are shares of
-- the best of them and what is under all, which is an estimate. Beside words all are.
CREATE FUNCTION pg_temp.beside_comparing(OUT answers bigint, OUT by_vector bigint, OUT others bigint, OUT of_other_numbers bigint, OUT at_other_places bigint, OUT alone_near boolean, OUT scores_are_near boolean) LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE one ON COMMIT DROP AS SELECT * FROM pg_temp.answers();
    CREATE TEMP TABLE truth ON COMMIT DROP AS SELECT * FROM pg_temp.compared();
    SELECT count(*), count(*) FILTER (WHERE abs(t.relevance - o.relevance) < 1e-6) FROM truth t LEFT JOIN one o USING (q, c, place) INTO answers, by_vector;
    ALTER INDEX memory.item_embeddings_by_code RENAME TO set_aside;
    CREATE TEMP TABLE other ON COMMIT DROP AS SELECT * FROM pg_temp.answers();
    ALTER INDEX memory.set_aside RENAME TO item_embeddings_by_code;
    SELECT count(*) FROM (SELECT q, c, place, key, relevance FROM one WHERE c <= 11 EXCEPT SELECT q, c, place, key, relevance FROM other) d INTO others;
    SELECT count(*) FILTER (WHERE o.relevance IS DISTINCT FROM t.relevance), max(abs(o.score - t.score)) FILTER (WHERE c <= 11) < 0.02, max(abs(o.score - t.score)) FILTER (WHERE c > 11) < 0.05 FROM one o JOIN other t USING (q, c, key) INTO of_other_numbers, alone_near, scores_are_near;
    SELECT count(*) FILTER (WHERE o.key IS DISTINCT FROM t.key AND (o.key IS NULL OR t.key IS NULL OR abs(o.score - t.score) > 0.05)) FROM one o FULL JOIN other t USING (q, c, place) WHERE c > 11 INTO at_other_places;
END $$;
SELECT idx_scan AS before_calls FROM pg_stat_user_indexes WHERE indexrelname = 'item_embeddings_by_code' \gset
BEGIN;
SELECT * FROM pg_temp.beside_comparing();
COMMIT;
SET memory.fusion = rrf;
BEGIN;
SELECT * FROM pg_temp.beside_comparing();
COMMIT;
RESET memory.fusion;
SELECT pg_stat_force_next_flush();
SELECT idx_scan - :before_calls AS calls FROM pg_stat_user_indexes WHERE indexrelname = 'item_embeddings_by_code';
-- The pages that a call reads.
CREATE FUNCTION pg_temp.pages() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE plan json;
    BEGIN
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT json) SELECT * FROM memory.items(embedding => (SELECT v FROM asked WHERE q = 2), k => 10)' INTO plan;
        RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::bigint + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::bigint;
    END $$;
SELECT min(pg_temp.pages()) AS by_codes FROM generate_series(1, 3) \gset
BEGIN;
ALTER INDEX memory.item_embeddings_by_code RENAME TO set_aside;
SELECT :by_codes * 3 < min(pg_temp.pages()) AS reads_less FROM generate_series(1, 3);
ROLLBACK;

-- What is gone, changed, new and not committed; codes of some are there still.
BEGIN;
DELETE FROM memory.items WHERE namespace = 'items_coded' AND user_id = 'cody' AND substr(key, 2)::int % 13 = 0;
UPDATE memory.item_embeddings e SET embedding = hash_embedding(pg_temp.said(191) || ' w5', 256) FROM memory.items i WHERE (e.namespace, e.user_id, e.item) = (i.namespace, i.user_id, i.id) AND i.namespace = 'items_coded' AND i.user_id = 'cody' AND substr(key, 2)::int % 11 = 0 AND n = 1;
SELECT count(memory.put_item('{notes}', 'n' || 90000 + n, '{"n": 3}', texts => ARRAY[pg_temp.said(n * 191)], embeddings => ARRAY[hash_embedding(pg_temp.said(n * 191) || ' w5 w77', 256)])) FROM generate_series(1, 8) n;
SELECT * FROM pg_temp.beside_comparing();
COMMIT;
VACUUM memory.item_embeddings;
BEGIN;
SELECT * FROM pg_temp.beside_comparing();
COMMIT;
SELECT key, round(relevance::numeric, 2) FROM memory.items(embedding => hash_embedding(pg_temp.said(3), 256), user_id => 'dora');
SELECT count(*) FROM memory.items(embedding => '[1,2,3]');

-- For a caller who may not read everything.
CREATE ROLE regress_memory_coded;
SELECT memory.grant_access('regress_memory_coded', 'reader');
GRANT SELECT ON asked TO regress_memory_coded;
SELECT memory.protect('current_user');
SET ROLE regress_memory_coded;
SELECT count(*) AS of_others FROM asked, LATERAL memory.items(embedding => v, user_id => 'cody') WHERE q = 1;
RESET ROLE;
SELECT memory.unprotect();
CREATE POLICY early ON memory.items USING (right(key, 1)::int < 5);
ALTER TABLE memory.items ENABLE ROW LEVEL SECURITY;
SET ROLE regress_memory_coded;
SET memory.namespace = 'items_coded';
SELECT count(*) AS answers, count(*) FILTER (WHERE right(key, 1)::int >= 5) AS hidden FROM asked, LATERAL memory.items(embedding => v, k => 10, user_id => 'cody');
RESET ROLE;
DROP POLICY early ON memory.items;
ALTER TABLE memory.items DISABLE ROW LEVEL SECURITY;

DROP TABLE asked, calls;
ALTER TABLE memory.item_embeddings RESET (autovacuum_enabled);
SELECT count(memory.forget_user(u)) FROM unnest('{cody,dora}'::text[]) u;
DROP OWNED BY regress_memory_coded;
DROP ROLE regress_memory_coded;
