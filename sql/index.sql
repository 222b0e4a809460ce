-- The recall index, on any table.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;

CREATE TABLE notes (id int PRIMARY KEY, tenant int, body text);
INSERT INTO notes VALUES
    (1, 42, 'The late invoices of the year'),
    (2, 42, 'paid the invoices on time'),
    (3, 42, 'cats and dogs'),
    (4, 43, 'late late invoices'),
    (5, 42, NULL),
    (6, NULL, 'late');
CREATE INDEX notes_recall ON notes USING recall (tenant, body);

-- Matches come first and best first, then the scope's other rows, then rows without a text.
EXPLAIN (COSTS OFF) SELECT id FROM notes WHERE tenant = 42 ORDER BY body <@> memory.query('late invoices');
SELECT id, round((body <@> memory.query('late invoices'))::numeric, 6) AS distance
FROM notes WHERE tenant = 42 ORDER BY body <@> memory.query('late invoices');

-- The golden numbers: idf = ln(1 + (N - df + 0.5) / (df + 0.5)), k1 = 0.9, b = 0.4; three documents of
-- 3 ("late invoic year"), 3 ("paid invoic time") and 2 ("cat dog") tokens.
SELECT round((ln(1 + 2.5 / 1.5) * 1.9 / (1 + 0.9 * (0.6 + 0.4 * 3 / (8 / 3.0)))
            + ln(1 + 1.5 / 2.5) * 1.9 / (1 + 0.9 * (0.6 + 0.4 * 3 / (8 / 3.0))))::numeric, 6) AS first_by_hand;

-- Only matches.
SELECT id FROM notes WHERE tenant = 42 AND body @@@ memory.query('invoice') ORDER BY id;
SELECT id FROM notes WHERE tenant = 42 AND body @@@ memory.query('invoice') ORDER BY body <@> memory.query('late');
-- The same on a plan without the index, and for everybody.
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT id FROM notes WHERE tenant = 42 AND body @@@ memory.query('invoice') ORDER BY id;
RESET enable_indexscan;
RESET enable_bitmapscan;
SELECT id FROM notes WHERE body @@@ memory.query('invoice') ORDER BY id;

-- Other tenants' rows change nothing.
BEGIN;
INSERT INTO notes SELECT 100 + n, 43, 'late invoices' FROM generate_series(1, 100) n;
SELECT id, round((body <@> memory.query('late invoices'))::numeric, 6) AS distance
FROM notes WHERE tenant = 42 ORDER BY body <@> memory.query('late invoices') LIMIT 2;
ROLLBACK;

-- What is deleted does not count, vacuumed or not; what is one's own does.
BEGIN;
DELETE FROM notes WHERE id = 2;
INSERT INTO notes VALUES (7, 42, 'invoices invoices');
SELECT id, round((body <@> memory.query('invoices'))::numeric, 6) AS distance
FROM notes WHERE tenant = 42 AND body IS NOT NULL ORDER BY body <@> memory.query('invoices');
ROLLBACK;

-- Filters, joins, cursors and prepared statements.
SELECT id FROM notes WHERE tenant = 42 AND id <> 1 ORDER BY body <@> memory.query('late invoices') LIMIT 1;
SELECT n.id, round((body <@> memory.query('late'))::numeric, 6) AS distance
FROM notes n JOIN generate_series(1, 3) g ON g = n.id WHERE tenant = 42 ORDER BY body <@> memory.query('late');
SELECT t.tenant, n.id, round(n.distance::numeric, 6) AS distance FROM (VALUES (42), (43), (44)) t(tenant),
LATERAL (SELECT id, body <@> memory.query('late') AS distance FROM notes WHERE notes.tenant = t.tenant
         ORDER BY body <@> memory.query('late') LIMIT 1) n ORDER BY 1;
PREPARE search(int, text) AS
    SELECT id, round((body <@> memory.query($2))::numeric, 6) AS distance FROM notes
    WHERE tenant = $1 ORDER BY body <@> memory.query($2) LIMIT 1;
EXECUTE search(42, 'dogs');
EXECUTE search(43, 'late');
SET plan_cache_mode = force_generic_plan;
EXECUTE search(42, 'dogs');
EXECUTE search(43, 'late');
RESET plan_cache_mode;
BEGIN;
DECLARE found CURSOR FOR SELECT id FROM notes WHERE tenant = 42 ORDER BY body <@> memory.query('late invoices');
FETCH 2 FROM found;
FETCH 1 FROM found;
COMMIT;
SELECT id FROM notes WHERE tenant = 42 ORDER BY body <@> memory.query(NULL);
SELECT id FROM notes WHERE tenant = 42 ORDER BY body <@> memory.query('') LIMIT 1;

-- A scope that is not bound, and a distance that no scan knows, are errors, not made-up answers.
\set VERBOSITY terse
SELECT id FROM notes ORDER BY body <@> memory.query('late');
SELECT 'late' <@> memory.query('late');
\set VERBOSITY default

-- Scopes of every kind; several columns, and none.
CREATE TABLE scoped (t text, v varchar(10), u uuid, i int, b bigint, body text);
INSERT INTO scoped SELECT 't' || n % 2, 'v' || n % 3, md5((n % 2)::text)::uuid, n % 2 - 1, n % 2 - 1, 'word' || chr(96 + n)
FROM generate_series(1, 12) n;
CREATE INDEX scoped_recall ON scoped USING recall (t, v, u, i, b, body);
SET enable_seqscan = off;
SELECT body FROM scoped WHERE t = 't1' AND v = 'v1' AND u = md5('1')::uuid AND i = 0 AND b = 0 AND body @@@ memory.query('worda wordb wordg');
SELECT body FROM scoped WHERE t = 't0' AND v = 'v2' AND u = md5('0')::uuid AND i = -1::bigint AND b = -1::int AND body @@@ memory.query('wordb');
CREATE INDEX corpus_recall ON scoped USING recall (body);
DROP INDEX scoped_recall;
SELECT body FROM scoped ORDER BY body <@> memory.query('wordc') LIMIT 1;
RESET enable_seqscan;

-- Options.
CREATE TABLE german (body text);
INSERT INTO german VALUES ('Die Häuser am Fluss'), ('Bäume');
CREATE INDEX german_recall ON german USING recall (body) WITH (dictionary = 'german_stem', k1 = 1.2, b = 0.75);
SELECT body FROM german ORDER BY body <@> memory.query('haus') LIMIT 1;
\set VERBOSITY terse
CREATE INDEX ON german USING recall (body) WITH (k1 = -1);
CREATE INDEX ON german USING recall (body) WITH (b = 1.01);
CREATE INDEX ON german USING recall (body) WITH (k1 = automatic);
CREATE INDEX ON german USING recall (body) WITH (b = nan);
CREATE INDEX ON german USING recall (body) WITH (dictionary = 'no_such_stem');
CREATE INDEX ON notes USING recall (body, tenant);
CREATE INDEX ON notes USING recall (tenant) INCLUDE (body);
CREATE UNIQUE INDEX ON notes USING recall (tenant, body);
\set VERBOSITY default

-- The kinds of tables and indexes.
CREATE TEMPORARY TABLE temporary (body text);
CREATE INDEX temporary_recall ON temporary USING recall (body);
INSERT INTO temporary VALUES ('one thing'), ('another thing');
SELECT body FROM temporary ORDER BY body <@> memory.query('another') LIMIT 1;
CREATE UNLOGGED TABLE unlogged (body text);
CREATE INDEX unlogged_recall ON unlogged USING recall (body);
INSERT INTO unlogged VALUES ('one thing'), ('another thing');
SELECT body FROM unlogged ORDER BY body <@> memory.query('another') LIMIT 1;
CREATE TABLE parted (tenant int, body text) PARTITION BY LIST (tenant);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
CREATE INDEX parted_recall ON parted USING recall (tenant, body);
INSERT INTO parted VALUES (1, 'one thing'), (2, 'one thing'), (2, 'another thing');
SELECT body FROM parted WHERE tenant = 2 ORDER BY body <@> memory.query('another') LIMIT 1;
CREATE INDEX CONCURRENTLY expression_recall ON notes USING recall (tenant, lower(body)) WHERE id < 4;
SELECT id FROM notes WHERE tenant = 42 AND id < 4 ORDER BY lower(body) <@> memory.query('dogs') LIMIT 1;
REINDEX INDEX CONCURRENTLY notes_recall;
SELECT id FROM notes WHERE tenant = 42 ORDER BY body <@> memory.query('dogs') LIMIT 1;

-- Looking into an index.
SELECT tenants, tiny_tenants, documents, tokens FROM memory.index_stats('notes_recall');
SELECT * FROM memory.verify_index('notes_recall');
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcmethod = (SELECT oid FROM pg_am WHERE amname = 'recall') ORDER BY 1;
\set VERBOSITY terse
SELECT * FROM memory.verify_index('notes_pkey');
\set VERBOSITY default

DROP TABLE notes, scoped, german, unlogged, parted;
