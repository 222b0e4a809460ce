\set ECHO none
-- What tests begin with: how output looks, and the tables.
--     \getenv source PG_ABS_SRCDIR
--     \i :source/sql/shared/begun.sql
\pset format unaligned
\pset footer off
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init() \g /dev/null
\set ECHO all
