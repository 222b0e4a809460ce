-- memory.items ranked against its definition, written in SQL over all rows: BM25 by memory.bm25_rank, cosines by pgvector, the best of an item's vectors,
-- ranks and scales by window functions. Users of 1 to 900 items, deleted, put anew, expired and uncommitted ones among them.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SELECT setseed(0.1809);
CREATE TEMP TABLE sizes (who text, items int);
INSERT INTO sizes VALUES ('one', 1), ('few', 7), ('some', 90), ('many', 900);
CREATE FUNCTION pg_temp.words(n int) RETURNS text LANGUAGE sql VOLATILE
    RETURN (SELECT string_agg('w' || floor(60 * random() ^ 3)::int, ' ') FROM generate_series(1, n));
CREATE FUNCTION pg_temp.direction() RETURNS vector LANGUAGE sql VOLATILE
    RETURN ARRAY[random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]::float4[]::vector;
-- Paths that begin each other and nearly so; texts of the value's strings, of their own, and none; no vector, one, or three.
CREATE FUNCTION pg_temp.put(who text, i int) RETURNS bigint LANGUAGE sql VOLATILE RETURN memory.put_item(
    (ARRAY['{a}', '{a,b}', '{a,b,c}', '{ab}', '{a,bc}', '{}'])[1 + i % 6]::text[], 'k' || i, jsonb_build_object('n', i, 'even', i % 2 = 0, 'said', pg_temp.words(1 + i % 7), 'w1', jsonb_build_array(1, pg_temp.words(2))),
    user_id => who, ttl => CASE WHEN i % 17 = 0 THEN interval '1 hour' END, texts => CASE WHEN i % 5 = 0 THEN ARRAY[pg_temp.words(3), pg_temp.words(1)] WHEN i % 29 = 0 THEN '{}' END,
    embeddings => CASE i % 4 WHEN 1 THEN ARRAY[pg_temp.direction()] WHEN 2 THEN ARRAY[pg_temp.direction(), pg_temp.direction(), pg_temp.direction()] END);
SELECT who, count(pg_temp.put(who, i)) FROM sizes, generate_series(1, items) i GROUP BY who, items ORDER BY items;
VACUUM ANALYZE memory.items;
-- Put anew, deleted, expired; and touched by hand where no index is about it.
SELECT count(pg_temp.put(who, i)) FROM sizes, generate_series(1, items) i WHERE i % 19 = 3;
DELETE FROM memory.items WHERE (value ->> 'n')::int % 13 = 5;
UPDATE memory.items SET expires_at = now() - interval '1 minute' WHERE expires_at IS NOT NULL AND (value ->> 'n')::int % 2 = 0;
UPDATE memory.items SET version = version + 7 WHERE (value ->> 'n')::int % 7 = 2;
SELECT count(*) AS stored, count(*) FILTER (WHERE expires_at < now()) AS expired, count(*) FILTER (WHERE version > 7) AS "by hand", (SELECT count(*) FROM memory.item_embeddings) AS vectors FROM memory.items;

-- How far the best of some scores stands out: from 1 to 10, NULL of fewer than 24.
CREATE FUNCTION pg_temp.lead(scores float8[]) RETURNS float8 LANGUAGE sql IMMUTABLE RETURN (
    SELECT CASE WHEN count(*) >= 24 THEN least(10, greatest(1, coalesce((max(s) - fifth) / nullif(round((avg(s) FILTER (WHERE place >= 5) - min(s))::numeric, 12)::float8, 0),
        CASE WHEN max(s) > fifth THEN 10 ELSE 1 END))) END
    FROM (SELECT s, row_number() OVER (ORDER BY s DESC) AS place, nth_value(s, 5) OVER (ORDER BY s DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS fifth
          FROM unnest(scores) s WHERE s IS NOT NULL) sorted WHERE place <= 48 GROUP BY fifth HAVING true);
-- How high the best of them stands over all: 1 as of normally distributed ones, NULL of equal ones.
CREATE FUNCTION pg_temp.height(scores float8[]) RETURNS float8 LANGUAGE sql IMMUTABLE RETURN (
    SELECT (max(s) - avg(s)) / nullif(stddev_pop(s) * sqrt(2 * ln(count(s)::float8)), 0) FROM unnest(scores) s);
-- Statistics are of all that has not expired; prefix, keys and filter apply before ranks.
CREATE FUNCTION pg_temp.by_definition(who text, asked text, direction vector, alpha float8, prefix text[], only_even boolean, only_keys text[], fusion text)
RETURNS TABLE (id uuid, score float8, updated_at timestamptz) LANGUAGE sql STABLE AS $$
    WITH alive AS MATERIALIZED (
        SELECT * FROM memory.items i WHERE user_id = who AND (expires_at IS NULL OR expires_at > statement_timestamp())),
    words AS MATERIALIZED (
        SELECT b.id, b.score FROM (SELECT array_agg(a.id) AS ids, array_agg(t.text) AS texts FROM alive a, LATERAL (SELECT CASE WHEN texts IS NULL
                THEN (SELECT string_agg(v #>> '{}', E'\n') FROM jsonb_path_query(a.value, 'strict $.** ? (@.type() == "string")') v)
                ELSE array_to_string(texts, E'\n') END AS text) t WHERE t.text <> '') all_texts,
            memory.bm25_rank(ids, texts, asked) b WHERE asked IS NOT NULL),
    passing AS (
        SELECT a.*, w.score AS bm25, (SELECT nullif(greatest(1 - min(v.embedding <=> direction), 0), 0) FROM memory.item_embeddings v WHERE v.user_id = who AND v.item = a.id AND direction IS NOT NULL) AS cosine
        FROM alive a LEFT JOIN words w ON w.id = a.id
        WHERE a.path[1:cardinality(prefix)] = prefix AND (NOT only_even OR (value ->> 'even')::boolean) AND (only_keys IS NULL OR a.key = ANY (only_keys))),
    ranked AS (
        SELECT *, max(bm25) OVER () AS most, max(cosine) OVER () AS nearest,
            CASE WHEN max(cosine) OVER () > min(cosine) OVER () THEN min(cosine) OVER () - (max(cosine) OVER () - min(cosine) OVER ()) / count(cosine) OVER () ELSE 0 END AS low,
            CASE WHEN bm25 IS NOT NULL THEN row_number() OVER (ORDER BY bm25 DESC NULLS LAST, passing.updated_at DESC, passing.id) END AS b,
            CASE WHEN cosine IS NOT NULL THEN row_number() OVER (ORDER BY cosine DESC NULLS LAST, passing.updated_at DESC, passing.id) END AS v FROM passing),
    heard AS MATERIALIZED (
        SELECT alpha * greatest(0.2, least(coalesce(sqrt(1.25 * (pg_temp.lead(array_agg(cosine)) - 1)), 1), CASE WHEN count(cosine) >= 24 THEN greatest(pg_temp.height(array_agg(cosine)), pg_temp.height(array_agg(cosine)) ^ 3) END)) AS vectors,
            (1 - alpha) * coalesce(cbrt(pg_temp.lead(array_agg(bm25)) / 5), 1) AS texts FROM passing)
    SELECT ranked.id, CASE fusion
            WHEN 'rrf' THEN coalesce((1 - alpha) * (61::float8 / (60 + b)), 0) + coalesce(alpha * (61::float8 / (60 + v)), 0)
            WHEN 'blend' THEN (coalesce(heard.texts * (bm25 / most), 0) + coalesce(vectors * ((cosine - low) / (nearest - low)) ^ 1.5, 0)) / (heard.texts + vectors) END,
        ranked.updated_at
    FROM ranked, heard WHERE (b IS NOT NULL AND alpha < 1) OR (v IS NOT NULL AND alpha > 0)
$$;

CREATE TEMP TABLE questions (n int, asked text, direction vector, alpha float8, prefix text[], only_even boolean, only_keys text[]);
INSERT INTO questions VALUES
    (1, 'w0', NULL, 0, '{}', false, NULL), (2, 'w1 w30 w2', NULL, 0, '{a}', false, NULL), (3, NULL, '[1,0,0,0]', 1, '{}', false, NULL),
    (4, 'w3 w3 w40', '[0.3,-0.2,1,0]', 0.5, '{}', false, NULL), (5, 'w0 w1', '[0,1,0,-1]', 0.25, '{a,b}', false, NULL),
    (6, 'w5', '[0,1,0,-1]', 0.75, '{a,b}', true, NULL), (7, 'w7 w0', NULL, 0, '{ab}', false, NULL), (8, NULL, '[-1,0,1,1]', 1, '{a,bc}', true, NULL),
    (9, 'w0 w1 w2 w3', '[1,1,1,1]', 0.35, '{a}', false, '{k1,k2,k3,k14,k20,k21,k32,k33,k50,k51}'), (10, 'w59', '[1,1,1,1]', 0.35, '{a,b,c}', false, NULL), (11, 'w2', '[1,1,1,1]', 0.1, '{none}', false, NULL);
-- The places where rows, their order or their numbers differ, among the best `most`.
CREATE FUNCTION pg_temp.differences(most int) RETURNS TABLE (fusion text, who text, n int, place bigint) LANGUAGE sql VOLATILE AS $$
    SELECT current_setting('memory.fusion'), both_answers.who, n, place FROM (
        SELECT s.who, q.n, d.place, d.path, d.key, d.score FROM sizes s CROSS JOIN questions q CROSS JOIN LATERAL (
            SELECT row_number() OVER (ORDER BY d.score DESC, d.updated_at DESC, d.id) AS place, i.path, i.key, d.score
            FROM pg_temp.by_definition(s.who, asked, direction, alpha, prefix, only_even, only_keys, current_setting('memory.fusion')) d JOIN memory.items i ON i.id = d.id AND i.user_id = s.who
            ORDER BY place LIMIT most) d
        UNION ALL
        SELECT s.who, q.n, r.place, r.path, r.key, r.score FROM sizes s CROSS JOIN questions q CROSS JOIN LATERAL (
            SELECT row_number() OVER () AS place, i.* FROM memory.items(q.prefix, asked, direction, CASE WHEN only_even THEN '{"even": true}'::jsonb END, only_keys, k => most, alpha => q.alpha, user_id => s.who) i) r
    ) both_answers
    GROUP BY 2, 3, 4
    HAVING count(*) <> 2 OR min(path) <> max(path) OR min(key) <> max(key) OR max(score) - min(score) > 1e-6
$$;
SET memory.fusion = 'blend';
SELECT count(*) AS wrong_of_all FROM pg_temp.differences(1000000);
SELECT count(*) AS wrong_of_ten FROM pg_temp.differences(10);
SET memory.fusion = 'rrf';
SELECT count(*) AS wrong_of_all FROM pg_temp.differences(1000000);
SELECT count(*) AS wrong_of_ten FROM pg_temp.differences(10);
-- What there was to compare.
SELECT n, sum((SELECT count(*) FROM memory.items(prefix, asked, direction, CASE WHEN only_even THEN '{"even": true}'::jsonb END, only_keys, k => NULL, alpha => alpha, user_id => who))) AS answers FROM sizes, questions GROUP BY 1 ORDER BY 1;
-- Inside a transaction that has put and deleted and not yet committed, and after it was rolled back.
BEGIN;
DELETE FROM memory.items WHERE (value ->> 'n')::int % 23 = 1;
SELECT count(pg_temp.put(who, i)) FROM sizes, generate_series(2000, 2040) i;
SELECT count(*) AS wrong_in_between FROM pg_temp.differences(1000000);
ROLLBACK;
SELECT count(*) AS wrong_afterwards FROM pg_temp.differences(1000000);
VACUUM memory.items;
RESET memory.fusion;
SELECT count(*) AS wrong_after_vacuum FROM pg_temp.differences(25);

-- Pages are the parts of one answer, whatever their size.
SELECT n, bool_and(whole = pages) AS "pages make the whole" FROM sizes, questions,
    LATERAL (SELECT array_agg(i.path::text || i.key) FROM memory.items(prefix, asked, direction, k => 100, alpha => alpha, user_id => who) i) w (whole),
    LATERAL (SELECT array_agg(i.path::text || i.key) FROM generate_series(0, 90, 10) page, LATERAL memory.items(prefix, asked, direction, k => 10, skip => page, alpha => alpha, user_id => who) i) p (pages)
WHERE who = 'many' AND NOT only_even AND only_keys IS NULL AND n < 11 GROUP BY 1 ORDER BY 1;
-- min_relevance leaves out what has less, and nothing else.
SELECT bool_and(least = cut) AS "cut by relevance" FROM questions,
    LATERAL (SELECT array_agg(i.path::text || i.key) FILTER (WHERE relevance >= 0.3) FROM memory.items(prefix, asked, direction, k => NULL, alpha => alpha, user_id => 'many') i) a (least),
    LATERAL (SELECT array_agg(i.path::text || i.key) FROM memory.items(prefix, asked, direction, k => NULL, alpha => alpha, min_relevance => 0.3, user_id => 'many') i) b (cut) WHERE n IN (1, 2, 3, 4, 5);

-- For a caller to whom policies apply: the same answers; and what a policy hides is not there.
CREATE ROLE regress_items_reader;
SELECT memory.grant_access('regress_items_reader', 'reader');
GRANT SELECT ON sizes, questions TO regress_items_reader;
ALTER TABLE memory.items ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON memory.items FOR SELECT TO regress_items_reader USING (true);
SET ROLE regress_items_reader;
SELECT count(*) AS wrong_under_a_policy FROM pg_temp.differences(1000000);
RESET ROLE;
ALTER POLICY everybody ON memory.items USING ((value ->> 'even')::boolean);
SET ROLE regress_items_reader;
SELECT count(*) AS answers, count(*) FILTER (WHERE NOT (value ->> 'even')::boolean) AS hidden FROM memory.items(query => 'w0', k => NULL, user_id => 'many');
SELECT count(*) AS answers, count(*) FILTER (WHERE NOT (value ->> 'even')::boolean) AS hidden FROM memory.items(embedding => '[1,0,0,0]', k => NULL, user_id => 'many');
RESET ROLE;
SELECT count(*) AS answers FROM memory.items(query => 'w0', k => NULL, user_id => 'many', filter => '{"even": true}');
SELECT memory.revoke_access('regress_items_reader');
REVOKE ALL ON sizes, questions FROM regress_items_reader;
DROP POLICY everybody ON memory.items;
ALTER TABLE memory.items DISABLE ROW LEVEL SECURITY;
DROP ROLE regress_items_reader;

-- === the newest under a prefix ===============================================================
-- Whichever way they are found, along the prefix or along the user's newest: all of them old, all new, here and there, few, and expired ones among them.
SELECT memory.set_scope('lists', namespace => 'lists');
INSERT INTO memory.items (path, key, value, updated_at, expires_at)
SELECT p::text[], 'k' || n, jsonb_build_object('n', n), timestamptz '2026-01-01' + CASE p WHEN '{old}' THEN n WHEN '{new}' THEN 10000 + n ELSE n * 7919 % 10000 END / 4 * interval '1 minute',
    CASE WHEN n % 31 = 0 THEN timestamptz '2026-02-01' END
FROM (VALUES ('{old}', 3000), ('{new}', 3000), ('{mixed}', 3000), ('{mixed,deep}', 200), ('{few}', 150), ('{}', 5)) v (p, many), generate_series(1, many) n;
CREATE TEMP TABLE page AS SELECT prefix::text[], filter::jsonb, skip, k FROM unnest('{"{}","{old}","{new}","{mixed}","{mixed,deep}","{few}","{none}"}'::text[]) prefix,
    unnest(ARRAY[NULL, '{"n": {"$lt": 40}}']) filter, unnest('{0,3,500}'::bigint[]) skip, unnest('{1,10,1000}'::bigint[]) k;
SELECT count(*) AS pages, sum(cardinality(found)) AS rows, count(*) FILTER (WHERE found IS DISTINCT FROM expected) AS wrong FROM page p,
    LATERAL (SELECT array_agg(i.path::text || i.key) AS found FROM memory.items(p.prefix, filter => p.filter, k => p.k, skip => p.skip) i) f,
    LATERAL (SELECT array_agg(path::text || key ORDER BY updated_at DESC, path, key) AS expected FROM (SELECT * FROM memory.items i WHERE namespace = 'lists' AND i.path[1:cardinality(p.prefix)] = p.prefix
        AND (expires_at IS NULL OR expires_at > now()) AND (p.filter IS NULL OR (value ->> 'n')::int < 40) ORDER BY updated_at DESC, path, key OFFSET p.skip LIMIT p.k) i) e;

-- === the database's own vectors ==============================================================
-- Items are embedded as they are written, queries as they are asked: one vector of all strings, or one of each text.
SELECT memory.set_scope('ann', namespace => 'hashed');
SELECT memory.use_model('embed', 'hash', options => '{"dimensions": 64}');
SELECT memory.put_item('{notes}', 'bill', '{"text": "Invoices are paid within thirty days."}'), memory.put_item('{notes}', 'cat', '{"text": "The cat sleeps."}'),
    memory.put_item('{notes}', 'both', '1', texts => '{"Invoices are paid within thirty days.","The cat sleeps."}'), memory.put_item('{notes}', 'none', '{"text": "paying an invoice"}', texts => '{}'), memory.put_item('{notes}', 'number', '7');
SELECT i.key, count(v.n) AS vectors, bool_and(v.model = 'hash') AS hash FROM memory.items i LEFT JOIN memory.item_embeddings v ON (v.namespace, v.user_id, v.item) = (i.namespace, i.user_id, i.id) WHERE i.namespace = 'hashed' GROUP BY 1 ORDER BY 1;
SELECT key, round(relevance::numeric, 4) = round((SELECT max(1 - (v.embedding <=> memory.hash_embedding('paying an invoice', 64))) FROM memory.items i JOIN memory.item_embeddings v ON v.item = i.id AND v.user_id = i.user_id
    WHERE i.namespace = 'hashed' AND i.key = r.key)::numeric, 4) AS "by its best vector" FROM memory.items(query => 'paying an invoice', alpha => 1) r;
SELECT count(*) AS "without weight no vectors" FROM memory.items(query => 'inv pay', alpha => 0);
-- A put makes them anew; a vector of the caller's, by the same model, takes their place; INSERT has one, too.
SELECT memory.put_item('{notes}', 'cat', '{"text": "The cat is awake."}'), memory.put_item('{notes}', 'bill', '"x"', embeddings => ARRAY[memory.hash_embedding('mine', 64)]);
INSERT INTO memory.items (path, key, value) VALUES ('{notes}', 'inserted', '"Invoices again"');
SELECT i.key, (SELECT array_agg(v.embedding = memory.hash_embedding(t, 64)) FROM memory.item_embeddings v WHERE v.item = i.id AND v.user_id = i.user_id) AS vectors
FROM memory.items i JOIN (VALUES ('cat', 'The cat is awake.'), ('bill', 'mine'), ('inserted', 'Invoices again')) e (key, t) USING (key) WHERE i.namespace = 'hashed' ORDER BY 1;
SELECT memory.drop_model('embed');
SELECT memory.put_item('{notes}', 'cat', '"plain"');
SELECT count(*) AS "left of the cat's" FROM memory.items i JOIN memory.item_embeddings v ON v.item = i.id AND v.user_id = i.user_id WHERE i.namespace = 'hashed' AND i.key = 'cat';
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
