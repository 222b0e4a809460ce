-- Recall@10 and nDCG@10 of a recall index on one labelled set: :documents and :queries, files for
-- COPY. Half of the documents come with its build, half as rows are added.
SET client_min_messages = error;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;
CREATE TEMP TABLE loaded (n int GENERATED ALWAYS AS IDENTITY, id text, body text);
CREATE TEMP TABLE queries (n int GENERATED ALWAYS AS IDENTITY, body text, evidence text[]);
\set copy_documents '\\copy loaded (id, body) FROM ' :documents
\set copy_queries '\\copy queries (body, evidence) FROM ' :queries
:copy_documents
:copy_queries

CREATE TEMP TABLE documents (id text, body text);
INSERT INTO documents SELECT id, body FROM loaded WHERE n <= (SELECT max(n) / 2 FROM loaded) ORDER BY n;
CREATE INDEX ON documents USING recall (body);
INSERT INTO documents SELECT id, body FROM loaded WHERE n > (SELECT max(n) / 2 FROM loaded) ORDER BY n;

WITH best AS (
    SELECT q.n, q.evidence, cardinality(q.evidence) AS wanted, hit.id, hit.place
      FROM queries q
      LEFT JOIN LATERAL (
           SELECT id, row_number() OVER () AS place
             FROM (SELECT d.id, d.body <@> memory.query(q.body) AS distance
                     FROM documents d
                    ORDER BY d.body <@> memory.query(q.body) LIMIT 10) first
            WHERE distance < 0) hit ON true),
judged AS (
    SELECT wanted, count(*) FILTER (WHERE id = ANY (evidence)) AS hits,
           coalesce(sum(1 / ln(place + 1)) FILTER (WHERE id = ANY (evidence)), 0) AS gain
      FROM best GROUP BY n, wanted),
ideal AS (
    SELECT most, sum(1 / ln(place + 1)) AS gain
      FROM generate_series(1, 10) most, generate_series(1, most) place GROUP BY most)
SELECT round(avg(hits::numeric / wanted), 4), round(avg((judged.gain / ideal.gain)::numeric), 4)
  FROM judged JOIN ideal ON most = least(wanted, 10);
