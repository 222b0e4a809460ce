-- Recall@10 and nDCG@10 of ts_rank on one labelled set, with one text search configuration:
-- :config, and :documents and :queries, files for COPY.
SET client_min_messages = error;
CREATE TEMP TABLE documents (n int GENERATED ALWAYS AS IDENTITY, id text, body text);
CREATE TEMP TABLE queries (n int GENERATED ALWAYS AS IDENTITY, body text, evidence text[]);
\set copy_documents '\\copy documents (id, body) FROM ' :documents
\set copy_queries '\\copy queries (body, evidence) FROM ' :queries
:copy_documents
:copy_queries

CREATE TEMP TABLE searched AS SELECT n, id, to_tsvector(:'config', body) AS words FROM documents;
CREATE INDEX ON searched USING gin (words);
ANALYZE searched;

CREATE TEMP TABLE asked AS
SELECT q.n, q.evidence, cardinality(q.evidence) AS wanted, (
         SELECT string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery
           FROM unnest(to_tsvector(:'config', q.body))) AS words
  FROM queries q;

WITH best AS (
    SELECT q.n, q.evidence, q.wanted, hit.id,
           row_number() OVER (PARTITION BY q.n ORDER BY hit.score DESC, hit.n) AS place
      FROM asked q
      LEFT JOIN LATERAL (
           SELECT s.id, s.n, ts_rank(s.words, q.words) AS score
             FROM searched s
            WHERE s.words @@ q.words
            ORDER BY score DESC, s.n LIMIT 10) hit ON true),
judged AS (
    SELECT wanted, count(*) FILTER (WHERE id = ANY (evidence)) AS hits,
           coalesce(sum(1 / ln(place + 1)) FILTER (WHERE id = ANY (evidence)), 0) AS gain
      FROM best GROUP BY n, wanted),
ideal AS (
    SELECT most, sum(1 / ln(place + 1)) AS gain
      FROM generate_series(1, 10) most, generate_series(1, most) place GROUP BY most)
SELECT round(avg(hits::numeric / wanted), 4), round(avg((judged.gain / ideal.gain)::numeric), 4)
  FROM judged JOIN ideal ON most = least(wanted, 10);
