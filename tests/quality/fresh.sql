-- The extension and its tables anew.
SET client_min_messages = error;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION memory;
SELECT memory.init();
