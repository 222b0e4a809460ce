-- Access is taken whole also where the tables have got another owner since it was granted: REASSIGN OWNED leaves default
-- privileges with the role that gave them.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_was_owner, regress_is_owner, regress_reader, regress_writer;
CREATE ROLE regress_was_owner;
CREATE ROLE regress_is_owner;
CREATE ROLE regress_reader;
CREATE ROLE regress_writer;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE SCHEMA memory AUTHORIZATION regress_was_owner;
CREATE EXTENSION memory CASCADE;
SET ROLE regress_was_owner;
SELECT memory.init();
SELECT memory.grant_access('regress_reader', 'reader'), memory.grant_access('regress_writer', 'writer');
RESET ROLE;
REASSIGN OWNED BY regress_was_owner TO regress_is_owner;
CREATE TEMP VIEW defaults AS SELECT defaclrole::regrole AS giver, grantee::regrole, string_agg(privilege_type, ' ' ORDER BY privilege_type) AS privileges
    FROM pg_default_acl, aclexplode(defaclacl) WHERE defaclnamespace = 'memory'::regnamespace AND grantee <> defaclrole GROUP BY 1, 2;
GRANT SELECT ON defaults TO PUBLIC;

-- The new owner may not change what the old one gave, and says what is left; granting goes on.
SET ROLE regress_is_owner;
SELECT memory.revoke_access('regress_reader');
SELECT memory.grant_access('regress_writer', 'reader');
SELECT * FROM defaults ORDER BY 1, 2;
SELECT has_table_privilege('regress_writer', 'memory.episodes', 'SELECT') AS reads, has_table_privilege('regress_writer', 'memory.episodes', 'INSERT') AS writes;

-- Run by who may, which a superuser is, it takes all.
RESET ROLE;
SELECT memory.revoke_access('regress_reader');
SELECT * FROM defaults ORDER BY 1, 2;
GRANT regress_was_owner TO regress_is_owner;
SET ROLE regress_is_owner;
SELECT memory.revoke_access('regress_writer');
SELECT count(*) AS "default privileges left" FROM defaults;

-- Privileges on columns that a third role has given do not look taken either.
GRANT USAGE ON SCHEMA memory TO regress_reader;
GRANT SELECT (content) ON memory.episodes TO regress_reader WITH GRANT OPTION;
SET ROLE regress_reader;
GRANT SELECT (content) ON memory.episodes TO regress_writer;
SET ROLE regress_is_owner;
SELECT memory.revoke_access('regress_writer');
SELECT memory.revoke_access('regress_reader');
SELECT memory.revoke_access('regress_writer');
RESET ROLE;
DROP ROLE regress_reader, regress_writer;

DROP EXTENSION memory CASCADE;
DROP OWNED BY regress_is_owner, regress_was_owner CASCADE;
DROP ROLE regress_is_owner, regress_was_owner;
