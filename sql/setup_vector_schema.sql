-- pgvector may live in any schema, on nobody's search_path.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
DROP EXTENSION IF EXISTS vector CASCADE;
CREATE SCHEMA "the vectors'";
CREATE EXTENSION vector SCHEMA "the vectors'";
SET search_path = pg_catalog;

CREATE EXTENSION memory;
SELECT memory.init(2);
SELECT memory.remember('near', embedding => '[3,4]') IS NOT NULL AS remembered;
SELECT count(*) FROM memory.remember_many('[{"content": "far", "embedding": [4, 3]}]');
SELECT e.content, v.embedding FROM memory.episodes e JOIN memory.embeddings v ON v.episode_id = e.id ORDER BY 1;
INSERT INTO memory.embeddings (episode_id, model, embedding) SELECT id, 'wide', '[1,2,3]' FROM memory.episodes;
SELECT memory.remember('wrong', embedding => '[1,2,3]');

-- And move while memories are in it.
ALTER EXTENSION vector SET SCHEMA public;
SELECT memory.remember('moved', embedding => '[5,12]') IS NOT NULL AS remembered;
SELECT memory.init();
SELECT model, count(*) FROM memory.embeddings GROUP BY 1 ORDER BY 1;

DROP SCHEMA "the vectors'";
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
DROP EXTENSION vector;
