-- pg_stat_user_indexes counts every search of a recall index, whoever makes it: else dashboards call it unused.
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SET search_path = public, memory;
CREATE TABLE notes (id int, tenant int, body text) WITH (autovacuum_enabled = off);
INSERT INTO notes SELECT i, i % 2, CASE WHEN i % 10 < 2 THEN 'late invoice ' ELSE 'new printer ' END || i FROM generate_series(1, 100) i;
CREATE INDEX notes_recall ON notes USING recall (tenant, body);
CREATE FUNCTION counted(index text) RETURNS TABLE (scans bigint, entries bigint, rows bigint) LANGUAGE sql AS
    $$SELECT idx_scan, idx_tup_read, idx_tup_fetch FROM pg_stat_user_indexes WHERE indexrelname = $1$$;
SET enable_seqscan = off;

SELECT count(*) FROM (SELECT id FROM notes WHERE tenant = 1 AND body @@@ memory.query('invoice') ORDER BY body <@> memory.query('invoice') LIMIT 3) n;
SELECT pg_stat_force_next_flush();
SELECT * FROM counted('notes_recall');
SET enable_indexscan = off;
SELECT count(*) FROM notes WHERE tenant = 1 AND body @@@ memory.query('invoice');
SELECT pg_stat_force_next_flush();
SELECT * FROM counted('notes_recall');
RESET enable_indexscan;
-- A search for each row of the outer side.
SELECT count(*) FROM generate_series(0, 1) t, LATERAL (SELECT id FROM notes WHERE tenant = t AND body @@@ memory.query('invoice') ORDER BY body <@> memory.query('invoice') LIMIT 2) n;
SELECT pg_stat_force_next_flush();
SELECT * FROM counted('notes_recall');

-- The functions search without the executor.
SET memory.user_id = 'ada';
SELECT memory.init();
SELECT count(memory.remember('late invoice ' || i)) FROM generate_series(1, 4) i;
SELECT pg_stat_force_next_flush();
SELECT * FROM counted('episodes_by_text');
SELECT count(*) FROM memory.recall_scored('invoice', k => 3);
SELECT count(*) FROM memory.recall('invoice 2', k => 3);
SELECT pg_stat_force_next_flush();
SELECT * FROM counted('episodes_by_text');

DROP TABLE notes;
DROP FUNCTION counted;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
