-- The extension is trusted: its script runs as a superuser for a role that is none, in a schema that may be
-- that role's. What the role has put there must not become what the script means.
\pset format unaligned
\set SHOW_CONTEXT never
\pset footer off
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION IF NOT EXISTS vector;
DROP ROLE IF EXISTS regress_trusted;
CREATE ROLE regress_trusted;
GRANT CREATE ON DATABASE :"DBNAME" TO regress_trusted;
SET ROLE regress_trusted;
CREATE SCHEMA memory;
CREATE DOMAIN memory.vector AS text;
CREATE EXTENSION memory;
DROP DOMAIN memory.vector;
CREATE TABLE memory.vector (a int);
CREATE EXTENSION memory;
DROP TABLE memory.vector;
-- What is compared is not the role's business either.
CREATE FUNCTION memory.seen(oid, regnamespace) RETURNS boolean LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'seen by %', current_user; END $$;
CREATE OPERATOR memory.= (LEFTARG = oid, RIGHTARG = regnamespace, FUNCTION = memory.seen);
CREATE EXTENSION memory;
SELECT DISTINCT format_type(t, NULL) FROM pg_proc p, unnest(p.proargtypes) t
WHERE p.pronamespace = 'memory'::regnamespace AND format_type(t, NULL) LIKE '%vector%';
SELECT memory.init();
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
RESET ROLE;
-- pgvector in the same schema is pgvector.
DROP EXTENSION vector;
CREATE SCHEMA memory;
CREATE EXTENSION vector SCHEMA memory;
CREATE EXTENSION memory;
SELECT memory.init(3);
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
CREATE EXTENSION IF NOT EXISTS vector;
REVOKE CREATE ON DATABASE :"DBNAME" FROM regress_trusted;
DROP ROLE regress_trusted;
