-- Who may read and write: nobody but the owner, until he says so.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
-- What a role can do; nothing of it is kept.
CREATE FUNCTION pg_temp.can(role regrole) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    call text[];
    abilities text[] := '{}';
BEGIN
    FOREACH call SLICE 1 IN ARRAY ARRAY[
        ['get', $c$SELECT memory.get('00000000-0000-7000-8000-000000000001')$c$],
        ['recall', $c$SELECT memory.recall_recent()$c$],
        ['select', $c$SELECT FROM memory.episodes, memory.embeddings, memory.episode_revisions, memory.usage, memory.models$c$],
        ['remember', $c$SELECT memory.remember('a', embedding => '[1]')$c$],
        ['remember an id', $c$SELECT memory.remember('a', id => '00000000-0000-7000-8000-000000000001')$c$],
        ['remember many', $c$SELECT memory.remember_many('[{"content": "a", "embedding": [1]}]')$c$],
        ['revise', $c$SELECT memory.revise('00000000-0000-7000-8000-000000000001', 'revised')$c$],
        ['insert', $c$INSERT INTO memory.episodes (content) VALUES ('a')$c$],
        ['delete', $c$DELETE FROM memory.episodes$c$],
        ['truncate', $c$TRUNCATE memory.episodes CASCADE$c$],
        ['grant', $c$SELECT memory.grant_access('regress_memory_other', 'reader')$c$],
        ['revoke', $c$SELECT memory.revoke_access('regress_memory_other')$c$],
        ['init', $c$SELECT memory.init()$c$],
        ['later', $c$SELECT FROM memory.later$c$],
        ['write later', $c$INSERT INTO memory.later VALUES (1)$c$]]
    LOOP
        BEGIN
            EXECUTE format('SET LOCAL ROLE %s', role);
            EXECUTE call[2];
            RAISE SQLSTATE 'AB001';
        EXCEPTION
            WHEN SQLSTATE 'AB001' THEN abilities := abilities || call[1];
            WHEN insufficient_privilege OR undefined_table THEN NULL;
        END;
    END LOOP;
    RETURN coalesce(nullif(array_to_string(abilities, ', '), ''), 'nothing');
END $$;

-- The extension in a schema that a role without any rights elsewhere owns.
DROP ROLE IF EXISTS regress_memory_owner, "regress_memory reader's", regress_memory_writer, regress_memory_admin, regress_memory_other;
CREATE ROLE regress_memory_owner;
CREATE ROLE "regress_memory reader's";
CREATE ROLE regress_memory_writer;
CREATE ROLE regress_memory_admin;
CREATE ROLE regress_memory_other;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE SCHEMA memory AUTHORIZATION regress_memory_owner;
CREATE EXTENSION memory CASCADE;
SET ROLE regress_memory_owner;
SET memory.anonymous = 'allow';
SELECT memory.init();
SELECT memory.remember('of the owner', id => '00000000-0000-7000-8000-000000000001') IS NOT NULL AS remembered;
RESET ROLE;

-- By default nobody else can do anything, with USAGE of the schema or without.
SELECT pg_temp.can('regress_memory_owner') AS "the owner can", pg_temp.can('regress_memory_other') AS "others can";
GRANT USAGE ON SCHEMA memory TO regress_memory_other;
SELECT pg_temp.can('regress_memory_other') AS "others can";
SET ROLE regress_memory_other;
SELECT pg_temp.refused(call) AS "refused to others" FROM unnest(ARRAY[
    $$SELECT memory.get('00000000-0000-7000-8000-000000000001')$$,
    $$SELECT memory.remember('a')$$,
    $$SELECT memory.grant_access('regress_memory_other', 'reader')$$,
    $$SELECT memory.revoke_access('regress_memory_writer')$$,
    $$SELECT memory.init()$$]) AS call;
RESET ROLE;
REVOKE USAGE ON SCHEMA memory FROM regress_memory_other;

-- Three kinds of access.
SET ROLE regress_memory_owner;
SELECT memory.grant_access($$"regress_memory reader's"$$, 'reader');
SELECT memory.grant_access('regress_memory_writer', 'writer');
SELECT memory.grant_access('regress_memory_admin', 'admin');
RESET ROLE;
SELECT pg_temp.can($$"regress_memory reader's"$$) AS "a reader can";
SELECT pg_temp.can('regress_memory_writer') AS "a writer can";
SELECT pg_temp.can('regress_memory_admin') AS "an admin can";
SELECT pg_temp.can('regress_memory_other') AS "others can";

-- They hold for what the owner makes later.
SET ROLE regress_memory_owner;
CREATE TABLE memory.later (a int);
CREATE VIEW memory."later, too" AS SELECT 1;
RESET ROLE;
SELECT pg_temp.can($$"regress_memory reader's"$$) AS "a reader can";
SELECT pg_temp.can('regress_memory_writer') AS "a writer can";
SELECT pg_temp.can('regress_memory_admin') AS "an admin can";

-- One kind takes the place of another.
SET ROLE regress_memory_owner;
SELECT memory.grant_access('regress_memory_writer', 'reader');
SELECT memory.grant_access($$"regress_memory reader's"$$, 'writer');
RESET ROLE;
SELECT pg_temp.can('regress_memory_writer') AS "who was writer can",
       has_table_privilege('regress_memory_writer', 'memory."later, too"', 'INSERT') AS "and write the view";
SELECT pg_temp.can($$"regress_memory reader's"$$) AS "who was reader can";

-- An admin grants and revokes as the owner does, and what either gave the other can take.
SET ROLE regress_memory_admin;
SELECT memory.grant_access('regress_memory_other', 'admin');
SELECT memory.revoke_access($$"regress_memory reader's"$$);
SELECT current_user;
RESET ROLE;
SELECT pg_temp.can('regress_memory_other') AS "who an admin made admin can", pg_temp.can($$"regress_memory reader's"$$) AS "who an admin revoked can";
SET ROLE regress_memory_owner;
CREATE TABLE memory.later_still (a int);
SELECT memory.revoke_access('regress_memory_other');
RESET ROLE;
SELECT pg_temp.can('regress_memory_other') AS "who the owner revoked can";
SELECT has_table_privilege('regress_memory_admin', 'memory.later_still', 'DELETE WITH GRANT OPTION') AS "an admin has the later table",
       has_table_privilege('regress_memory_other', 'memory.later_still', 'SELECT') AS "who was revoked does";

-- Who has a grant option on something is no admin.
SET ROLE regress_memory_owner;
GRANT USAGE ON SCHEMA memory TO regress_memory_other;
GRANT SELECT ON memory.episodes TO regress_memory_other WITH GRANT OPTION;
SET ROLE regress_memory_other;
SELECT pg_temp.refused($$SELECT memory.grant_access('regress_memory_writer', 'admin')$$) AS "no admin";
-- What he gave by hand does not look revoked.
GRANT SELECT ON memory.episodes TO regress_memory_writer;
SET ROLE regress_memory_owner;
SELECT pg_temp.refused($$SELECT memory.revoke_access('regress_memory_writer')$$) AS "granted by a third";
SELECT memory.revoke_access('regress_memory_other');
SELECT memory.revoke_access('regress_memory_writer');
RESET ROLE;
SELECT pg_temp.can('regress_memory_writer') AS "a former writer can", pg_temp.can('regress_memory_other') AS "others can";

-- The owner cannot be given or denied access; neither can an admin do that to him.
SET ROLE regress_memory_owner;
SELECT pg_temp.refused($$SELECT memory.grant_access('regress_memory_owner', 'reader')$$) AS "to the owner";
SET ROLE regress_memory_admin;
SELECT pg_temp.refused($$SELECT memory.revoke_access('regress_memory_owner')$$) AS "from the owner";
RESET ROLE;
SELECT pg_temp.can('regress_memory_owner') AS "the owner can";

-- A member of the owner's role acts as the owner.
GRANT regress_memory_owner TO regress_memory_other;
SET SESSION AUTHORIZATION regress_memory_other;
SELECT memory.grant_access('regress_memory_writer', 'writer');
RESET SESSION AUTHORIZATION;
SELECT pg_temp.can('regress_memory_writer') AS "a writer can";
REVOKE regress_memory_owner FROM regress_memory_other;
SELECT memory.revoke_access('regress_memory_writer');
SELECT pg_temp.can('regress_memory_writer') AS "who a superuser revoked can";

-- NULL is nothing to grant.
SELECT memory.grant_access(NULL, 'reader') IS NULL AS nothing, memory.revoke_access(NULL) IS NULL AS nothing;

DROP EXTENSION memory CASCADE;
DROP OWNED BY regress_memory_owner CASCADE;
DROP OWNED BY "regress_memory reader's", regress_memory_writer, regress_memory_admin, regress_memory_other;
DROP ROLE regress_memory_owner, "regress_memory reader's", regress_memory_writer, regress_memory_admin, regress_memory_other;
