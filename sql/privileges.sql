-- What each kind of access may do with each table: rows of users are the writers', what is all users' (predicates, models)
-- is the owner's and the admins'.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE FUNCTION pg_temp.refused(role text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; hint text;
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', role);
    EXECUTE statement;
    RESET ROLE;
    RETURN 'was not refused';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' ', state, message, '(' || nullif(hint, '') || ')');
END $$;
DROP ROLE IF EXISTS regress_may_owner, regress_may_read, regress_may_write, regress_may_all, regress_may_nothing;
CREATE ROLE regress_may_owner;
CREATE ROLE regress_may_read;
CREATE ROLE regress_may_write;
CREATE ROLE regress_may_all;
CREATE ROLE regress_may_nothing;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE SCHEMA memory AUTHORIZATION regress_may_owner;
CREATE EXTENSION memory CASCADE;
SET ROLE regress_may_owner;
SELECT memory.init();
CREATE TABLE memory.notes (a int);
CREATE VIEW memory.noted AS SELECT a FROM memory.notes;
SELECT memory.grant_access('regress_may_read', 'reader'), memory.grant_access('regress_may_write', 'writer'), memory.grant_access('regress_may_all', 'admin');

-- The first letters of SELECT, INSERT, UPDATE, DELETE, tRUNCATE, rEFERENCES, tRIGGER; a star: and may grant it on.
CREATE VIEW pg_temp.matrix AS
SELECT c.relname AS relation, max(held) FILTER (WHERE who = 'read') AS reader, max(held) FILTER (WHERE who = 'write') AS writer,
    max(held) FILTER (WHERE who = 'all') AS admin, max(held) FILTER (WHERE who = 'nothing') AS others
FROM pg_class c, unnest('{read,write,all,nothing}'::text[]) who, LATERAL (
    SELECT string_agg(letter || CASE WHEN has_table_privilege('regress_may_' || who, c.oid, privilege || ' WITH GRANT OPTION') THEN '*' ELSE '' END, '' ORDER BY n) AS held
    FROM unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[], '{S,I,U,D,t,r,g}'::text[]) WITH ORDINALITY p (privilege, letter, n)
    WHERE has_table_privilege('regress_may_' || who, c.oid, privilege)) h
WHERE c.relnamespace = 'memory'::regnamespace AND c.relname <> 'status' AND c.relkind IN ('r', 'p', 'v', 'm') GROUP BY 1;
SELECT * FROM pg_temp.matrix ORDER BY 1;
SELECT c.relname AS "a sequence that one of them may use"
FROM pg_class c, pg_roles r WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind = 'S' AND r.rolname ~ '^regress_may_(read|write|nothing)$'
    AND has_sequence_privilege(r.oid, c.oid, 'USAGE, SELECT, UPDATE');
SELECT r.rolname, has_schema_privilege(r.oid, 'memory', 'USAGE') AS usage, has_schema_privilege(r.oid, 'memory', 'CREATE') AS "create", has_schema_privilege(r.oid, 'memory', 'USAGE WITH GRANT OPTION') AS "grant usage"
FROM pg_roles r WHERE r.rolname ~ '^regress_may_(read|write|all|nothing)$' ORDER BY 1;

-- The functions that write what is all users'.
RESET ROLE;
SELECT role, call, pg_temp.refused('regress_may_' || role, 'SELECT memory.' || call) AS refused
FROM unnest('{nothing,read,write,all,owner}'::text[]) WITH ORDINALITY r (role, place),
    unnest(ARRAY[$$define_predicate('likes', 'many')$$, 'init(3)', 'create_vector_index(3)', 'init()']) WITH ORDINALITY c (call, n) ORDER BY place, n;
-- A writer may lock, as everywhere in PostgreSQL.
SELECT role, pg_temp.refused('regress_may_' || role, 'LOCK TABLE memory.episodes IN EXCLUSIVE MODE') AS refused FROM unnest('{read,write}'::text[]) role;
-- What is there already may be said again, by those who can see it.
SELECT pg_temp.refused('regress_may_write', $$SELECT memory.define_predicate('likes', 'many')$$) AS "said again";
SELECT pg_get_userbyid(relowner) AS "owner of the vector index" FROM pg_class WHERE relname LIKE 'embeddings_nearest%';
-- An index that is there already is no reason to let a reader take the lock that init() and grant_access wait for.
SELECT pg_temp.refused('regress_may_read', 'SELECT memory.create_vector_index(3)') AS "there already";
-- An admin's search_path means nothing there.
SET ROLE regress_may_all;
CREATE FUNCTION pg_temp.planted(text, text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE EXCEPTION 'planted, as %', current_user; END $$;
CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.planted);
SET memory.embedding_model = 'another';
SET search_path = pg_temp, pg_catalog;
SELECT memory.init(2);
RESET search_path;
RESET memory.embedding_model;
DROP OPERATOR pg_temp.= (text, text);
DROP FUNCTION pg_temp.planted(text, text);
RESET ROLE;

-- Under protect(): the owner and admins declare for all users, whichever of them the session is.
SET ROLE regress_may_owner;
SELECT count(memory.assert_fact('she', 'knows', o, u)) FROM (VALUES ('ada', 'Bob'), ('bob', 'Eve')) v (u, o);
SELECT count(memory.remember('x', user_id => 'ada', embedding => '[1,2,3]'));
SELECT memory.protect();
SET memory.user_id = 'bob';
RESET ROLE;
SELECT role, call, pg_temp.refused('regress_may_' || role, 'SELECT memory.' || call) AS refused
FROM unnest('{write,all,owner}'::text[]) WITH ORDINALITY r (role, place),
    unnest(ARRAY[$$define_predicate('knows', 'many')$$, $$define_predicate('likes', 'many', 'liked by')$$, 'init(4)']) WITH ORDINALITY c (call, n) ORDER BY place, n;
SELECT user_id, slot FROM memory.timelines WHERE predicate = 'knows' ORDER BY 1;
SELECT count(*) AS "still one declaration" FROM memory.models WHERE dimensions = 3;
SELECT pg_temp.refused('regress_may_write', s) AS "by hand" FROM unnest(ARRAY[
    $$INSERT INTO memory.predicates VALUES ('default', 'has', 'many')$$, $$UPDATE memory.predicates SET cardinality = 'one'$$, $$DELETE FROM memory.predicates$$,
    $$INSERT INTO memory.models VALUES ('m', 7)$$, $$UPDATE memory.models SET dimensions = 7$$, $$DELETE FROM memory.models$$]) s;

-- What init() makes later belongs to whom it belonged, whatever the owner's default privileges say.
SET ROLE regress_may_owner;
SELECT memory.unprotect();
ALTER DEFAULT PRIVILEGES IN SCHEMA memory GRANT INSERT, SELECT ON TABLES TO PUBLIC;
DROP TABLE memory.predicates, memory.models, memory.usage;
SELECT memory.init();
SELECT * FROM pg_temp.matrix WHERE relation IN ('predicates', 'models', 'usage') ORDER BY 1;
ALTER DEFAULT PRIVILEGES IN SCHEMA memory REVOKE INSERT, SELECT ON TABLES FROM PUBLIC;
REVOKE ALL ON memory.predicates, memory.models, memory.usage FROM PUBLIC;
-- A grant that the owner makes by hand is kept.
GRANT INSERT, UPDATE ON memory.predicates TO regress_may_write;
SELECT memory.init();
RESET ROLE;
SELECT pg_temp.refused('regress_may_write', $$SELECT memory.define_predicate('speaks', 'many')$$) AS "may, by hand";
-- Access that was granted by an earlier version is put right by granting it again.
GRANT ALL ON ALL TABLES IN SCHEMA memory TO regress_may_write;
REVOKE ALL ON memory.status FROM regress_may_write; -- the extension's own
SET ROLE regress_may_owner;
SELECT memory.grant_access('regress_may_write', 'writer');
SELECT * FROM pg_temp.matrix WHERE relation IN ('predicates', 'models', 'usage') ORDER BY 1;

-- Revoked, nothing is left.
SELECT memory.revoke_access('regress_may_read'), memory.revoke_access('regress_may_write'), memory.revoke_access('regress_may_all');
SELECT count(*) AS relations, count(reader) + count(writer) + count(admin) + count(others) AS "with privileges" FROM pg_temp.matrix;
RESET ROLE;
DROP ROLE regress_may_read, regress_may_write, regress_may_all, regress_may_nothing;

DROP EXTENSION memory CASCADE;
DROP OWNED BY regress_may_owner CASCADE;
DROP ROLE regress_may_owner;
