-- One labelled set from :documents and :queries, files for COPY.
SET client_min_messages = error;
CREATE TEMP TABLE documents (n int GENERATED ALWAYS AS IDENTITY, id text, body text);
CREATE TEMP TABLE queries (n int GENERATED ALWAYS AS IDENTITY, body text, evidence text[]);
\set copy_documents '\\copy documents (id, body) FROM ' :documents
\set copy_queries '\\copy queries (body, evidence) FROM ' :queries
:copy_documents
:copy_queries
