-- The extension and its tables anew, and table documents with the rows of the file :documents.
\ir fresh.sql
CREATE TEMP TABLE documents (n int GENERATED ALWAYS AS IDENTITY, id text, user_id text, session text, time timestamptz, body text);
\set copy_documents '\\copy documents (id, user_id, session, time, body) FROM ' :documents
:copy_documents
