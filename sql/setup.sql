-- Setting up: what CREATE EXTENSION and memory.init() make, and what DROP EXTENSION leaves.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
DROP ROLE IF EXISTS regress_memory_stranger;
CREATE ROLE regress_memory_stranger;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;

-- The extension owns no table, and of schemas that of its machinery, in which there is none.
SELECT string_agg(pg_describe_object(d.classid, d.objid, 0), ', ') AS schemas_and_tables_that_are_members
FROM pg_depend d
WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'memory') AND d.deptype = 'e'
  AND (d.classid = 'pg_namespace'::regclass
       OR d.objid IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'p', 'S', 'i')));

SELECT has_schema_privilege('regress_memory_stranger', 'memory_internal', 'USAGE') AS used, has_schema_privilege('regress_memory_stranger', 'memory_internal', 'CREATE') AS filled;
-- Users' functions only.
SELECT string_agg(DISTINCT proname, ' ' ORDER BY proname) AS "\df memory.*" FROM pg_proc WHERE pronamespace = 'memory'::regnamespace;
-- Before init(), who may not make the tables is told who must, by every function that needs them.
GRANT USAGE ON SCHEMA memory TO regress_memory_stranger;
SET ROLE regress_memory_stranger;
SELECT pg_temp.refused(call) AS "before init(), a stranger's call"
FROM unnest(ARRAY[
    $$SELECT memory.remember('hello')$$,
    $$SELECT memory.remember_many('[{"content": "hello"}]')$$,
    $$SELECT memory.revise('00000000-0000-7000-8000-000000000001', 'hello')$$,
    $$SELECT memory.get('00000000-0000-7000-8000-000000000001')$$,
    $$SELECT memory.recall_recent()$$,
    $$SELECT memory.grant_access('regress_memory_stranger', 'reader')$$,
    $$SELECT memory.revoke_access('regress_memory_stranger')$$]) AS call;
SELECT pg_temp.refused('SELECT memory.init()') AS "a stranger's init()";
RESET ROLE;

-- Neither does a read of the owner make them.
SELECT pg_temp.refused('SELECT memory.recall_recent()') AS "before init(), the owner's read";
SELECT to_regclass('memory.episodes') IS NULL AS "nothing was made";

-- The owner's first write makes them, within its transaction.
BEGIN;
SELECT memory.remember('hello') IS NOT NULL AS remembered;
SELECT pg_get_userbyid(relowner) = current_user AS "the tables belong to the caller"
FROM pg_class WHERE oid = 'memory.episodes'::regclass;
ROLLBACK;
SELECT to_regclass('memory.episodes') IS NULL AS "what was rolled back was never there";
SELECT count(*) FROM memory.remember_many('[{"content": "hello"}]');
SELECT content FROM memory.episodes;
DROP SCHEMA memory CASCADE;
CREATE EXTENSION memory;

-- init() a second time changes nothing, and leaves alone what its owner has altered.
SELECT memory.init();
CREATE TEMP VIEW made AS
    SELECT 'relation' AS what, oid, relname::text AS name, NULL AS definition
    FROM pg_class WHERE relnamespace = 'memory'::regnamespace
    UNION ALL
    SELECT 'default', d.oid, concat_ws('.', c.relname, a.attname), pg_get_expr(d.adbin, d.adrelid)
    FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid
         JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    WHERE c.relnamespace = 'memory'::regnamespace
    UNION ALL
    SELECT 'trigger', t.oid, concat_ws('.', c.relname, t.tgname), pg_get_triggerdef(t.oid)
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'memory'::regnamespace AND NOT t.tgisinternal
    UNION ALL
    SELECT 'constraint', t.oid, concat_ws('.', c.relname, t.conname), pg_get_constraintdef(t.oid)
    FROM pg_constraint t JOIN pg_class c ON c.oid = t.conrelid
    WHERE c.relnamespace = 'memory'::regnamespace;
ALTER TABLE memory.episodes ALTER kind SET DEFAULT 'note', ADD COLUMN mood text;
CREATE TEMP TABLE before AS SELECT * FROM made;
SELECT memory.init();
SELECT count(*) > 20 AS "there is something to compare" FROM before;
TABLE made EXCEPT TABLE before;
TABLE before EXCEPT TABLE made;
ALTER TABLE memory.episodes ALTER kind SET DEFAULT 'episodic', DROP COLUMN mood;

-- init(dimensions) declares how many an embedding of the current model has.
SELECT memory.init(3);
SELECT memory.init(3);
TABLE memory.models;
SELECT memory.remember('a', embedding => '[1,2,3]') IS NOT NULL AS remembered;
SELECT memory.remember('a', user_id => 'ann') IS NOT NULL AS remembered;
SELECT pg_temp.refused($$SELECT memory.remember('b', embedding => '[1,2]')$$) AS "another number";
SELECT pg_temp.refused('SELECT memory.init(2)') AS "another number, declared";
SELECT pg_temp.refused(format('SELECT memory.init(%s)', n)) AS "no number of dimensions"
FROM unnest(ARRAY[0, -1, 16001]) AS n;
SET memory.embedding_model = 'small';
SELECT memory.init(2);
SELECT memory.remember('b', embedding => '[1,2]') IS NOT NULL AS "of another model";
TABLE memory.models ORDER BY model;
RESET memory.embedding_model;

-- DROP EXTENSION refuses.
SELECT pg_temp.refused('DROP EXTENSION memory') AS "DROP EXTENSION";

-- With CASCADE every row stays, and CREATE EXTENSION and init() make all whole again.
SELECT memory.revise(id, 'a, revised', user_id => 'ann') AS revised FROM memory.recall_recent(user_id => 'ann');
CREATE TEMP TABLE rows_before AS
    SELECT to_jsonb(e) AS row FROM memory.episodes e UNION ALL
    SELECT to_jsonb(r) FROM memory.episode_revisions r UNION ALL
    SELECT to_jsonb(m) FROM memory.models m UNION ALL
    SELECT to_jsonb(v) || jsonb_build_object('embedding', embedding::text) FROM memory.embeddings v;
TRUNCATE before;
INSERT INTO before TABLE made;
DROP EXTENSION memory CASCADE;
SELECT content FROM memory.episodes ORDER BY content;
CREATE EXTENSION memory;
SELECT memory.init();
CREATE TEMP TABLE rows_after AS
    SELECT to_jsonb(e) AS row FROM memory.episodes e UNION ALL
    SELECT to_jsonb(r) FROM memory.episode_revisions r UNION ALL
    SELECT to_jsonb(m) FROM memory.models m UNION ALL
    SELECT to_jsonb(v) || jsonb_build_object('embedding', embedding::text) FROM memory.embeddings v;
SELECT count(*) AS rows FROM rows_before;
TABLE rows_before EXCEPT ALL TABLE rows_after;
TABLE rows_after EXCEPT ALL TABLE rows_before;
SELECT what, name, definition FROM before EXCEPT SELECT what, name, definition FROM made;
SELECT what, name, definition FROM made EXCEPT SELECT what, name, definition FROM before;
SELECT pg_temp.refused($$SELECT memory.remember('b', embedding => '[1,2]')$$) AS "still refused";
INSERT INTO memory.episodes (content) VALUES ('and on') RETURNING namespace, user_id = '' AS anonymous, kind, content;

DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
DROP OWNED BY regress_memory_stranger;
DROP ROLE regress_memory_stranger;
