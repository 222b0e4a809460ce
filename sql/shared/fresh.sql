\set ECHO none
-- What tests begin with that have the extension and its tables anew: bare rows as output.
--     \getenv source PG_ABS_SRCDIR
--     \i :source/sql/shared/fresh.sql
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init() \g /dev/null
\set ECHO all
