-- The hook of an engine that spreads tables over nodes (src/schema/shards.h), answered by a double with a catalog that is made up
-- here: users whose shard is on this node have the answers that they had on plain tables, others the error that docs/scale.md names.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\i :door/../../sql/shared/refused.sql
\set ECHO none
SET client_min_messages = warning;
CREATE FUNCTION door.spread(is_there bool) RETURNS bool LANGUAGE c AS 'door_test', 'door_spread';
CREATE EXTENSION memory CASCADE;
SELECT memory.init(3);
\set ECHO all
\pset format unaligned
SET memory.anonymous = 'allow';

-- Twelve users and the anonymous one, on plain tables.
CREATE TABLE door.users AS SELECT 'user ' || n AS name FROM generate_series(1, 12) n UNION ALL SELECT NULL;
SELECT count(memory.remember(format('the night train %s leaves at %s', n % 7, n), user_id => name, session_id => 'monday', embedding => format('[%s,1,2]', n)::vector,
    occurred_at => '2026-01-01'::timestamptz + n * interval '1 hour')) FROM door.users, generate_series(1, 20) n;
SELECT count(memory.assert_fact('Ada', 'likes', 'thing ' || n, user_id => name)) FROM door.users, generate_series(1, 5) n;
SELECT count(memory.put_item('{a}', 'k' || n, to_jsonb('tea of kind ' || n), user_id => name)) FROM door.users, generate_series(1, 5) n;

-- What each function answers that scans a user's tables or indexes by itself.
CREATE FUNCTION door.answers(name text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT r::text FROM memory.recall_scored('night train 3', user_id => name, k => NULL, embedding => '[7,1,2]', context_weight => 0.3) r
    UNION ALL SELECT r::text FROM memory.recall_semantic('[3,1,2]', user_id => name, threshold => 0) r
    UNION ALL SELECT r::text FROM memory.recall_facts('what does Ada like', user_id => name) r
    UNION ALL SELECT r::text FROM memory.items('{}', query => 'kind', user_id => name) r $$;
CREATE TABLE door.before AS SELECT name, a FROM door.users, door.answers(name) a;
SELECT count(*) FROM door.before;

-- The catalog: four shards of each table of users, the last on another node; a table that belongs to no user is not spread.
CREATE FUNCTION door.number_of(user_id text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 102008 + memory.shard_of(nullif(user_id, ''), 4) $$;
CREATE TABLE door.placements (number bigint, node text);
INSERT INTO door.placements VALUES (102008, ''), (102009, ''), (102010, ''), (102011, 'host=10.0.0.2 dbname=app');
CREATE VIEW door.tables AS SELECT c.oid, relname AS name, string_agg(quote_ident(attname), ', ') FILTER (WHERE attgenerated = '') AS columns
FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND relname !~ '_\d{6}$' GROUP BY c.oid HAVING bool_or(attname = 'user_id');
CREATE FUNCTION door.shard_of("table" regclass, name_space text, user_id text, OUT suffix text, OUT node text) RETURNS SETOF record LANGUAGE sql STABLE AS $$
    SELECT '_' || number, p.node FROM door.placements p WHERE number = door.number_of(user_id) AND "table" IN (SELECT oid FROM door.tables) $$;

-- The shards of this node, by hand, as children of their tables: so statements find them as they would by an engine's planner.
SET session_replication_role = replica;
DO $$
DECLARE t record; i record; s text;
BEGIN
    FOR t IN SELECT tables.*, number FROM door.tables, door.placements WHERE node = '' LOOP
        s := t.name || '_' || t.number;
        EXECUTE format('CREATE TABLE memory.%I () INHERITS (memory.%I)', s, t.name);
        EXECUTE format('INSERT INTO memory.%I (%s) SELECT %2$s FROM ONLY memory.%I WHERE door.number_of(user_id) = %s', s, t.columns, t.name, t.number);
        FOR i IN SELECT relname, indisprimary, pg_get_indexdef(indexrelid) AS definition FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid = t.oid AND NOT indisexclusion LOOP
            EXECUTE regexp_replace(i.definition, ' INDEX \S+ ON memory\.\w+ ', format(' INDEX %I ON memory.%I ', i.relname || '_' || t.number, s));
            IF i.indisprimary THEN EXECUTE format('ALTER TABLE memory.%I ADD PRIMARY KEY USING INDEX %I', s, i.relname || '_' || t.number); END IF;
        END LOOP;
    END LOOP;
    FOR t IN SELECT * FROM door.tables LOOP EXECUTE format('DELETE FROM ONLY memory.%I', t.name); END LOOP;
END $$;
RESET session_replication_role;
SELECT number, node, count(*) AS users, count(*) FILTER (WHERE name IS NULL) AS anonymous FROM door.users JOIN door.placements ON number = door.number_of(name) GROUP BY 1, 2 ORDER BY 1;
SELECT count(*) AS rows_left_in_tables FROM ONLY memory.episodes;

-- Without the engine a scan finds nothing; with it, every row of every answer.
SELECT count(*) FROM memory.recall('night train', user_id => 'user 1');
SELECT door.spread(true);
CREATE VIEW door.here AS SELECT name FROM door.users JOIN door.placements ON number = door.number_of(name) AND node = '';
CREATE TABLE door.after AS SELECT name, a FROM door.here, door.answers(name) a;
SELECT count(*) FROM door.after;
(SELECT * FROM door.after EXCEPT ALL SELECT * FROM door.before) UNION ALL (SELECT b.* FROM door.before b JOIN door.here h ON h.name IS NOT DISTINCT FROM b.name EXCEPT ALL SELECT * FROM door.after);

-- A user whose shard is on another node.
SELECT name AS away FROM door.users WHERE door.number_of(name) = 102011 ORDER BY 1 LIMIT 1 \gset
SELECT function, pg_temp.refused(format(function, :'away')) FROM unnest(ARRAY['SELECT FROM memory.recall(''train'', user_id => %L)', 'SELECT FROM memory.recall_semantic(''[1,2,3]'', user_id => %L)',
    'SELECT memory.assert_fact(''Ada'', ''likes'', ''tea'', user_id => %L)', 'SELECT FROM memory.items(''{}'', query => ''tea'', user_id => %L)']) function;

-- Rights are those on the table, whatever a role may do with a shard.
CREATE ROLE regress_memory_shards;
GRANT USAGE ON SCHEMA memory, memory_internal, door TO regress_memory_shards;
SELECT name AS here FROM door.here WHERE name IS NOT NULL ORDER BY 1 LIMIT 1 \gset
GRANT SELECT ON door.placements, door.tables, door.users TO regress_memory_shards;
SELECT 'memory.episodes_' || door.number_of(:'here') AS shard \gset
GRANT SELECT ON :shard TO regress_memory_shards;
SET ROLE regress_memory_shards;
SELECT pg_temp.refused(format('SELECT FROM memory.recall(''train'', user_id => %L)', :'here'));
RESET ROLE;
REVOKE SELECT ON :shard FROM regress_memory_shards;
GRANT SELECT ON ALL TABLES IN SCHEMA memory TO regress_memory_shards;
REVOKE SELECT ON :shard FROM regress_memory_shards;
SET ROLE regress_memory_shards;
SELECT count(*) FROM memory.recall('train', user_id => :'here', k => NULL);
RESET ROLE;

-- A shard of the catalog that is not there, and one without its index.
BEGIN;
ALTER TABLE :shard RENAME TO lost;
SELECT pg_temp.refused(format('SELECT FROM memory.recall(''train'', user_id => %L)', :'here'));
ROLLBACK;
SELECT replace(:'shard', 'episodes', 'episodes_by_text') AS index \gset
BEGIN;
DROP INDEX :index;
SELECT pg_temp.refused(format('SELECT FROM memory.recall(''train'', user_id => %L)', :'here'));
ROLLBACK;

SELECT door.spread(false);
DROP OWNED BY regress_memory_shards;
DROP ROLE regress_memory_shards;
