-- k1 and b by the average length of a tenant's texts: the index against memory.bm25_rank with the numbers of the definition, for tenants
-- of short texts, long ones and those between; in the log, in segments, with rows that are not seen, and through recall.
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/fresh.sql
SELECT setseed(0.77);
SET search_path = public, memory;
CREATE TABLE texts (id int PRIMARY KEY, tenant int, body text);
CREATE INDEX texts_recall ON texts USING recall (tenant, body) WITH (k1 = auto, b = auto);
CREATE INDEX half_recall ON texts USING recall (tenant, (body || ' ')) WITH (k1 = auto, b = 0.5);
-- On average of so many words: the tenant's number.
CREATE FUNCTION pg_temp.words(n int) RETURNS text LANGUAGE sql VOLATILE
    RETURN (SELECT string_agg('w' || translate(floor(80 * random() ^ 3)::int::text, '0123456789', 'bcdfghjklm'), ' ') FROM generate_series(1, n));
INSERT INTO texts SELECT tenant * 1000 + i, tenant, pg_temp.words(tenant - 5 + i % 11) FROM unnest('{20,60,63,80,99,101,150}'::int[]) tenant, generate_series(1, 300) i;
CREATE FUNCTION pg_temp.share(tenant int) RETURNS float8 LANGUAGE sql STABLE
    RETURN (SELECT least(1, greatest(0, (avg((SELECT count(*) FROM memory.tokens(body))) - 60) / 40)) FROM texts t WHERE t.tenant = share.tenant);
CREATE FUNCTION pg_temp.differences() RETURNS TABLE (tenant int, share float8, texts bigint, wrong bigint) LANGUAGE sql AS $$
    SELECT d.tenant, round(max(d.share)::numeric, 2), count(*), count(*) FILTER (WHERE i.score IS NULL OR abs(i.score - d.score) > 1e-9) FROM (
        SELECT t.tenant, share, q, b.id, b.score FROM (SELECT tenant, array_agg(id) AS ids, array_agg(body) AS bodies, pg_temp.share(tenant) AS share FROM texts GROUP BY tenant) t,
            unnest('{wc wd,wfb wk wk,wkm}'::text[]) q, memory.bm25_rank(ids, bodies, q, k1 => 0.9 + 0.3 * share, b => 0.4 + 0.35 * share) b) d
        LEFT JOIN LATERAL (SELECT -(body <@> memory.query(d.q)) AS score, x.id FROM texts x WHERE x.tenant = d.tenant AND body @@@ memory.query(d.q) ORDER BY body <@> memory.query(d.q)) i ON i.id = d.id
    GROUP BY 1 ORDER BY 1 $$;
SELECT * FROM pg_temp.differences();
VACUUM texts;
DELETE FROM texts WHERE tenant = 63 AND id % 3 = 0;
INSERT INTO texts SELECT 200000 + i, 80, pg_temp.words(30) FROM generate_series(1, 100) i;
BEGIN;
INSERT INTO texts SELECT 300000 + i, 99, pg_temp.words(900) FROM generate_series(1, 20) i;
ROLLBACK;
SELECT * FROM pg_temp.differences();
REINDEX INDEX texts_recall;
SELECT count(*), sum(wrong) FROM pg_temp.differences();
-- One of both.
SELECT count(*), count(*) FILTER (WHERE abs(i.score - b.score) > 1e-9 OR i.score IS NULL) FROM (SELECT array_agg(id) AS ids, array_agg(body) AS bodies, pg_temp.share(99) AS share FROM texts WHERE tenant = 99) t,
    memory.bm25_rank(ids, bodies, 'wc wd', k1 => 0.9 + 0.3 * share, b => 0.5) b
    LEFT JOIN LATERAL (SELECT -((body || ' ') <@> memory.query('wc wd')) AS score, x.id FROM texts x WHERE x.tenant = 99 ORDER BY (body || ' ') <@> memory.query('wc wd')) i ON i.id = b.id;
-- Of episodes, once their index is made so.
ALTER INDEX memory.episodes_by_text SET (k1 = auto, b = auto);
REINDEX INDEX memory.episodes_by_text;
INSERT INTO memory.episodes (user_id, content) SELECT tenant::text, body FROM texts;
SELECT tenant, count(*), count(*) FILTER (WHERE abs(r.bm25_score - b.score) > 1e-9 OR r.bm25_score IS NULL) FROM (
    SELECT user_id AS tenant, array_agg(id) AS ids, array_agg(content) AS bodies, pg_temp.share(user_id::int) AS share FROM memory.episodes GROUP BY user_id) t,
    memory.bm25_rank(ids, bodies, 'wc wd wgb', k1 => 0.9 + 0.3 * share, b => 0.4 + 0.35 * share) b
    LEFT JOIN LATERAL memory.recall_scored('wc wd wgb', user_id => tenant, k => NULL) r ON r.id = b.id GROUP BY 1 ORDER BY 1;
SELECT round((e #> '{lexical,average_length}')::numeric, 2), round((e #> '{lexical,k1}')::numeric, 4), round((e #> '{lexical,b}')::numeric, 4)
FROM (SELECT id FROM memory.episodes WHERE user_id = '101' LIMIT 1) x, memory.explain_recall(id, 'wc', user_id => '101') e;
SELECT count(*) FROM memory.verify_index('texts_recall');
DROP TABLE texts CASCADE;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
