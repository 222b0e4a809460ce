-- The extension and its tables anew, and table documents with the rows of the file :documents.
SET client_min_messages = error;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION memory;
SELECT memory.init();
CREATE TEMP TABLE documents (n int GENERATED ALWAYS AS IDENTITY, id text, user_id text, session text, time timestamptz, body text);
\set copy_documents '\\copy documents (id, user_id, session, time, body) FROM ' :documents
:copy_documents
