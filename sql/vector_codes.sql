-- An index of vector codes: what it takes, what is in it after each kind of write, and what is refused.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
RESET client_min_messages;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
SET search_path = public, memory;

CREATE FUNCTION pg_temp.vector_of(seed int, dimensions int) RETURNS vector LANGUAGE sql AS
    $$ SELECT array_agg(sin(seed * 7.1 + i * i * 0.37 + seed * i * 0.011)::real ORDER BY i)::vector FROM generate_series(1, dimensions) i $$;
-- What an index says of itself, and what is wrong with it.
CREATE FUNCTION pg_temp.figures(index regclass, OUT tenants bigint, OUT tiny bigint, OUT codes bigint, OUT bytes bigint, OUT log_pages bigint, OUT packed bigint, OUT wrong text) LANGUAGE sql AS
    $$ SELECT tenants, tiny_tenants, documents, record_bytes, log_pages, segment_pages, (SELECT string_agg(p, '; ') FROM memory.verify_index(index) p) FROM memory.index_stats(index) $$;

CREATE TABLE points (id int PRIMARY KEY, tenant text, model int, v vector) WITH (autovacuum_enabled = off);
INSERT INTO points SELECT i, 'a', 1, pg_temp.vector_of(i, 768) FROM generate_series(1, 5) i;
CREATE INDEX points_codes ON points USING recall (tenant, model, v);
SELECT * FROM pg_temp.figures('points_codes');
-- The bits of a code and 8 bytes, with 8 in front that are not counted: 208 in all for 768 dimensions.
SELECT bytes / codes AS bytes FROM pg_temp.figures('points_codes');

-- Other dimensions, no vector, none with a direction, no tenant.
INSERT INTO points VALUES (10, 'a', 1, '[1,2,3]'), (11, 'a', 1, NULL), (12, 'a', 1, '[0,0,0]'), (13, NULL, 1, '[1,2,3]'), (14, 'a', NULL, '[1,2,3]');
INSERT INTO points SELECT 15, 'a', 1, array_agg(1)::vector FROM generate_series(1, 16000);
SELECT * FROM pg_temp.figures('points_codes');
-- A tenant grows out of the directory, and over pages.
INSERT INTO points SELECT i, 'b', i % 2, pg_temp.vector_of(i, 256) FROM generate_series(100, 700) i;
COPY points FROM stdin;
1000	b	1	[1,2,3]
1001	c	1	[1,2,3]
\.
SELECT * FROM pg_temp.figures('points_codes');
-- A build has the same codes, on no more pages.
CREATE INDEX points_built ON points USING recall (tenant, model, v);
SELECT * FROM pg_temp.figures('points_built');
SET min_parallel_table_scan_size = 0;
SET max_parallel_maintenance_workers = 2;
SET maintenance_work_mem = '128MB';
ALTER TABLE points SET (parallel_workers = 2);
REINDEX INDEX points_built;
SELECT * FROM pg_temp.figures('points_built');
RESET min_parallel_table_scan_size; RESET max_parallel_maintenance_workers; RESET maintenance_work_mem;
REINDEX INDEX CONCURRENTLY points_built;
SELECT * FROM pg_temp.figures('points_built');

-- UPDATE: of the vector, of the tenant, of a column that another index has.
UPDATE points SET v = pg_temp.vector_of(id + 1, 256) WHERE id BETWEEN 100 AND 199;
UPDATE points SET tenant = 'd' WHERE id BETWEEN 200 AND 249;
CREATE INDEX ON points (id, tenant);
UPDATE points SET id = -id WHERE id BETWEEN 250 AND 260;
BEGIN;
INSERT INTO points SELECT i, 'e', 1, pg_temp.vector_of(i, 256) FROM generate_series(2000, 2100) i;
ROLLBACK;
SELECT codes, wrong FROM pg_temp.figures('points_codes');
VACUUM points;
SELECT codes, wrong FROM pg_temp.figures('points_codes');
SELECT count(*) FROM points WHERE tenant IS NOT NULL AND model IS NOT NULL;

-- VACUUM writes a log anew of which a third is gone, and its pages are used again.
INSERT INTO points SELECT i, 'f', 1, pg_temp.vector_of(i, 256) FROM generate_series(3000, 4999) i;
SELECT log_pages, packed, wrong FROM pg_temp.figures('points_codes');
DELETE FROM points WHERE tenant = 'f' AND id % 4 = 0;
VACUUM points;
SELECT log_pages, packed, wrong FROM pg_temp.figures('points_codes');
DELETE FROM points WHERE tenant = 'f' AND id % 4 = 1;
VACUUM points;
SELECT log_pages, packed, wrong FROM pg_temp.figures('points_codes');
-- And a packed one with its log: not for little, but for a third.
DELETE FROM points WHERE tenant = 'f' AND id % 20 = 2;
VACUUM points;
SELECT log_pages, packed, wrong FROM pg_temp.figures('points_codes');
DELETE FROM points WHERE tenant = 'f' AND id % 4 = 2;
INSERT INTO points SELECT i, 'f', 1, pg_temp.vector_of(i, 256) FROM generate_series(5000, 5199) i;
VACUUM points;
SELECT log_pages, packed, wrong FROM pg_temp.figures('points_codes');
DELETE FROM points WHERE tenant = 'f';
VACUUM points;
SELECT log_pages, packed, codes, wrong FROM pg_temp.figures('points_codes');
SELECT lost_pages FROM memory.index_stats('points_codes');
TRUNCATE points;
SELECT * FROM pg_temp.figures('points_codes');

-- verify_index compares codes with vectors: here by an expression that has become another.
CREATE FUNCTION turned(v vector) RETURNS vector IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN v; END';
CREATE TABLE turning (v vector);
INSERT INTO turning SELECT pg_temp.vector_of(i, 16) FROM generate_series(1, 30) i;
CREATE INDEX turning_codes ON turning USING recall (turned(v));
SELECT wrong FROM pg_temp.figures('turning_codes');
CREATE OR REPLACE FUNCTION turned(v vector) RETURNS vector IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
SELECT wrong FROM pg_temp.figures('turning_codes');

-- No plan reads it, even where there is no other index, and none that reads texts takes notice of it.
CREATE TABLE plain (tenant text, body text, v vector);
CREATE INDEX plain_codes ON plain USING recall (tenant, v);
SET enable_seqscan = off;
CREATE FUNCTION pg_temp.reader() RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) SELECT * FROM plain WHERE tenant = ''a''' INTO plan;
    RETURN plan #>> '{0,Plan,Node Type}'; -- PostgreSQL 18 says of a plan too whether it is disabled
END $$;
SELECT pg_temp.reader();
CREATE INDEX plain_texts ON plain USING recall (tenant, body);
INSERT INTO plain VALUES ('a', 'one word', '[1,2]'), ('a', 'another word', NULL);
SELECT body FROM plain WHERE tenant = 'a' ORDER BY body <@> memory.query('another') LIMIT 1;
RESET enable_seqscan;
SELECT wrong FROM pg_temp.figures('plain_codes');

-- An index without scope, on an expression, of a part of a table, and on a partitioned one.
CREATE INDEX plain_all ON plain USING recall (v);
CREATE INDEX plain_part ON plain USING recall (tenant, (v::real[]::vector)) WHERE tenant <> 'b';
INSERT INTO plain SELECT CASE WHEN i % 3 = 0 THEN 'b' ELSE 'a' END, 'x', pg_temp.vector_of(i, 30) FROM generate_series(1, 100) i;
SELECT codes, wrong FROM pg_temp.figures('plain_all');
SELECT codes, wrong FROM pg_temp.figures('plain_part');
CREATE TABLE parted (tenant text, v vector(3)) PARTITION BY HASH (tenant);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE INDEX ON parted USING recall (tenant, v);
INSERT INTO parted SELECT i::text, '[1,2,3]' FROM generate_series(1, 40) i;
SELECT (pg_temp.figures('parted_0_tenant_v_idx')).codes + (pg_temp.figures('parted_1_tenant_v_idx')).codes AS codes;

-- An unlogged table, a temporary one.
CREATE UNLOGGED TABLE quick (v vector); CREATE INDEX quick_codes ON quick USING recall (v);
INSERT INTO quick SELECT pg_temp.vector_of(i, 30) FROM generate_series(1, 100) i;
SELECT codes, wrong FROM pg_temp.figures('quick_codes');
CREATE TEMP TABLE passing (v vector); CREATE INDEX passing_codes ON passing USING recall (v);
INSERT INTO passing SELECT pg_temp.vector_of(i, 30) FROM generate_series(1, 100) i;
SELECT codes, wrong FROM pg_temp.figures('passing_codes');

-- The longest namespace, user and model have a place in it, and no longer ones.
CREATE TABLE longest (namespace text, user_id text, model text, v vector);
CREATE INDEX longest_codes ON longest USING recall (namespace, user_id, model, v);
INSERT INTO longest SELECT repeat('n', 512), repeat('u', 512), repeat(chr(97 + i % 20), 512), pg_temp.vector_of(i, 200) FROM generate_series(1, 300) i;
SELECT tenants, codes, wrong FROM pg_temp.figures('longest_codes');
SELECT pg_temp.refused($$INSERT INTO longest VALUES (repeat('n', 512), repeat('u', 512), repeat('m', 513), '[1,2]')$$);

-- Refused.
SELECT pg_temp.refused(s) FROM (VALUES ('CREATE INDEX ON points USING recall (v, tenant)'), ('CREATE INDEX ON points USING recall (tenant, v) INCLUDE (id)'),
    ('CREATE INDEX ON points USING recall (tenant, v) WITH (k1 = 1)'), ('CREATE INDEX ON points USING recall (tenant, v) WITH (dictionary = ''english_stem'')'),
    ('CREATE INDEX ON points USING recall (v, v)'), ('CREATE UNIQUE INDEX ON points USING recall (tenant, v)')) c(s);
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname = 'vector_codes';
DROP TABLE points, plain, parted, quick, turning, longest;
DROP FUNCTION turned(vector);
