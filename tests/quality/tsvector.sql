-- Recall@10 and nDCG@10 of ts_rank on one labelled set, with one text search configuration: :config,
-- and what load.sql asks for.
\ir load.sql
CREATE TEMP TABLE searched AS SELECT n, id, to_tsvector(:'config', body) AS words FROM documents;
CREATE INDEX ON searched USING gin (words);
ANALYZE searched;

CREATE TEMP TABLE asked AS
SELECT q.n, (
         SELECT string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery
           FROM unnest(to_tsvector(:'config', q.body))) AS words
  FROM queries q;

CREATE TEMP TABLE best AS
SELECT q.n, hit.id, row_number() OVER (PARTITION BY q.n ORDER BY hit.score DESC, hit.n) AS place
  FROM asked q
  LEFT JOIN LATERAL (
       SELECT s.id, s.n, ts_rank(s.words, q.words) AS score
         FROM searched s
        WHERE s.words @@ q.words
        ORDER BY score DESC, s.n LIMIT 10) hit ON true;
\ir judge.sql
