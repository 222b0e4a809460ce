-- memory.status: what monitoring sees of the tables, of what waits, and of what is wrong; and who sees it.
SET client_min_messages = warning;
SET datestyle = 'ISO';
DROP ROLE IF EXISTS regress_monitor, regress_reader, regress_admin, regress_owner;
CREATE ROLE regress_owner;
CREATE ROLE regress_monitor IN ROLE pg_monitor;
CREATE ROLE regress_reader;
CREATE ROLE regress_admin;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE SCHEMA memory AUTHORIZATION regress_owner;
CREATE EXTENSION memory CASCADE;
SELECT count(*) FROM memory.status;

-- Every table of the rooms is there, empty and counted, and every index; nothing waits.
SET ROLE regress_owner;
SELECT memory.init(2);
SELECT thing, count(*) > 0 AS some, sum(rows) AS rows, bool_and(exact) AS exact, sum(bytes) > 0 AS bytes, max(since) AS since, max(problem) AS problem
FROM memory.status GROUP BY thing ORDER BY thing;
SELECT name FROM memory.status WHERE thing = 'table' EXCEPT SELECT relname FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r';
SELECT relname FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' EXCEPT SELECT name FROM memory.status WHERE thing = 'table';
SELECT relname FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'i' EXCEPT SELECT name FROM memory.status WHERE thing = 'index';
SELECT thing, name, rows FROM memory.status WHERE thing NOT IN ('table', 'index');

-- What there is: rows of all users and namespaces, past forced row security.
SELECT memory.grant_access('regress_reader', 'reader'), memory.grant_access('regress_admin', 'admin');
SELECT memory.use_model('embed', 'large', 'https://models.example', '{"dimensions": 2}'), memory.use_model('extract', 'large', 'https://models.example');
SELECT count(memory.remember('n ' || n, user_id => 'u' || n % 3, ttl => CASE WHEN n % 2 = 0 THEN interval '1 microsecond' END)) FROM generate_series(1, 30) n;
SELECT count(memory.put_item('{a}', 'k' || n, '1', user_id => 'u', ttl => CASE WHEN n % 5 = 0 THEN interval '1 microsecond' END)) FROM generate_series(1, 10) n;
SELECT count(memory.set_session('s' || n, '{}', user_id => 'u')), count(memory.set_session('t' || n, '{}', user_id => 'u')), count(memory.save_run('s' || n, 'r' || n, user_id => 'u')),
    count(memory.put_checkpoint('t' || n, '{}', 'c', user_id => 'u')) FROM generate_series(1, 4) n;
SELECT memory.set_block('b', 'text ' || n, user_id => 'u') FROM generate_series(1, 5) n;
UPDATE memory.sessions SET created_at = '2026-01-01', updated_at = '2026-01-02' WHERE session_id LIKE 's%';
UPDATE memory.runs SET created_at = '2026-01-01', updated_at = '2026-01-03';
UPDATE memory.checkpoints SET created_at = '2026-01-04';
UPDATE memory.block_versions SET updated_at = '2026-01-05';
SELECT memory.set_retention('session', ttl => '30 days'), memory.set_retention('run', ttl => '1 day'), memory.set_retention('checkpoint', ttl => '2 days'), memory.set_retention('block_version', ttl => '1 day');
UPDATE memory.jobs SET due_at = 'infinity', attempts = 8, error = 'HTTP 500' WHERE task = 'extract' AND user_id = 'u1';
UPDATE memory.jobs SET due_at = '2026-02-01' WHERE task = 'embed';
SELECT memory.protect();
SET timezone = 'UTC';
SELECT thing, name, rows, exact, since FROM memory.status WHERE thing NOT IN ('table', 'index') AND (thing, name) NOT IN (('expired', 'episode'), ('expired', 'item'), ('waiting', 'extract'));
SELECT name, rows, since < now() AS since FROM memory.status WHERE (thing, name) IN (('expired', 'episode'), ('expired', 'item'), ('waiting', 'extract'));
SELECT name, rows, exact, bytes > 0 AS bytes, problem FROM memory.status WHERE thing = 'table' AND name IN ('episodes', 'items', 'jobs', 'sessions');
SELECT count(*) AS "that the protected owner sees itself" FROM memory.episodes;
SELECT bool_and(bytes = pg_table_size(format('memory.%I', name)::regclass)) AS "bytes are PostgreSQL's" FROM memory.status WHERE bytes IS NOT NULL;
-- What sweep() deletes is what has expired.
SELECT r -> 'episodes' AS episodes, r -> 'items' AS items, r -> 'sessions' AS sessions, r -> 'checkpoints' AS checkpoints, r -> 'block_versions' AS versions
FROM (SELECT memory.sweep() AS r) s;
SELECT name, rows, since FROM memory.status WHERE thing = 'expired';

-- A large table is estimated, and near to what it has.
SELECT memory.unprotect();
INSERT INTO memory.episodes (namespace, user_id, content) SELECT 'elsewhere', 'v', 'large ' || n FROM generate_series(1, 20000) n;
SELECT exact, rows > 1000 AS many FROM memory.status WHERE name = 'episodes';
VACUUM ANALYZE memory.episodes;
SELECT exact, abs(rows - (SELECT count(*) FROM memory.episodes)) < 100 AS near FROM memory.status WHERE name = 'episodes';

-- What is wrong, and what mends it.
CREATE INDEX "odd ""name" ON memory.episodes (content);
RESET ROLE;
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'memory."odd ""name"'::regclass;
SET ROLE regress_owner;
DROP INDEX memory.episodes_by_time;
SELECT thing, name, rows, exact, problem FROM memory.status WHERE problem IS NOT NULL;
DROP INDEX memory."odd ""name";
ALTER TABLE memory.usage DROP COLUMN accesses;
ALTER TABLE memory.merged_episodes RENAME TO aside;
CREATE VIEW memory.merged_episodes AS SELECT 1;
ALTER TABLE memory.job_counts RENAME TO aside_too;
SELECT thing, name, rows, exact, problem FROM memory.status WHERE problem IS NOT NULL;
SELECT thing, count(*) > 10 AS many FROM memory.status GROUP BY thing ORDER BY thing;
DROP TABLE memory.usage, memory.aside;
DROP VIEW memory.merged_episodes;
ALTER TABLE memory.aside_too RENAME TO job_counts;
SELECT memory.init();
SELECT count(*) FROM memory.status WHERE problem IS NOT NULL;

-- Those it is for, and those it is not for. It holds no name and no word of a user.
SELECT memory.protect();
SET ROLE regress_monitor;
SELECT count(*) > 50 AS lines, sum(rows) > 20000 AS rows FROM memory.status;
SELECT count(*) AS "of a user" FROM memory.status s WHERE s::text ~ 'elsewhere|large|u1|HTTP|models.example';
SELECT count(*) FROM memory.episodes;
SET ROLE regress_admin;
SELECT count(*) > 50 AS lines FROM memory.status;
SET ROLE regress_reader;
SELECT count(*) FROM memory.status;
SELECT count(*) FROM memory_internal.status();
RESET ROLE;
GRANT USAGE ON SCHEMA memory TO regress_reader;
-- Neither the view nor its rights are among those of the tables.
SELECT relacl::text ~ 'regress_reader|regress_admin' AS granted FROM pg_class WHERE oid = 'memory.status'::regclass;
DROP EXTENSION memory CASCADE;
DROP OWNED BY regress_owner CASCADE;
DROP OWNED BY regress_reader CASCADE;
DROP OWNED BY regress_admin CASCADE;
DROP ROLE regress_owner, regress_monitor, regress_reader, regress_admin;
