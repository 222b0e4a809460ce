-- Recall@10 and nDCG@10 of a recall index on one labelled set, of what load.sql asks for. Half of the
-- documents come with its build, half as rows are added.
\ir load.sql
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;
CREATE TEMP TABLE searched (id text, body text);
INSERT INTO searched SELECT id, body FROM documents WHERE n <= (SELECT max(n) / 2 FROM documents) ORDER BY n;
CREATE INDEX ON searched USING recall (body);
INSERT INTO searched SELECT id, body FROM documents WHERE n > (SELECT max(n) / 2 FROM documents) ORDER BY n;

CREATE TEMP TABLE best AS
SELECT q.n, hit.id, hit.place
  FROM queries q
  LEFT JOIN LATERAL (
       SELECT id, row_number() OVER () AS place
         FROM (SELECT s.id, s.body <@> memory.query(q.body) AS distance
                 FROM searched s
                ORDER BY s.body <@> memory.query(q.body) LIMIT 10) first
        WHERE distance < 0) hit ON true;
\ir judge.sql
