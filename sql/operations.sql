-- What those that run a server see: settings, index builds, figures, numbers.
\pset format unaligned
\pset footer off
\set VERBOSITY default
\set SHOW_CONTEXT never
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_monitor, regress_reader;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
RESET client_min_messages;
-- init() says once how settings are known before the first call; not where they are.
\set VERBOSITY terse
SELECT memory.init();
SELECT memory.init();
\set VERBOSITY default
SELECT memory.remember('Late invoices', user_id => 'ada', id => '00000000-0000-7000-8000-000000000001', embedding => '[1,2]', importance => 0.3) IS NOT NULL AS remembered,
    memory.remember('A printer', user_id => 'ada', embedding => '[2,1]') IS NOT NULL AS remembered;

-- explain_recall writes the shortest number that is read back as the same.
SELECT x #> '{lexical,k1}' AS k1, x #> '{lexical,b}' AS b, x -> 'importance' AS importance, (x ->> 'score')::float8 = r.score AS same_score, length(x ->> 'score') <= 18 AS short
FROM memory.recall_scored('invoices', k => 1, user_id => 'ada') r, memory.explain_recall(r.id, 'invoices', user_id => 'ada') x;

-- create_vector_index says what it ran; where it is there, nothing.
SELECT * FROM memory.create_vector_index(2);
SELECT count(*) FROM memory.create_vector_index(2);
-- Writers need not wait: no function can build concurrently, so it says what to run.
DROP INDEX memory.embeddings_nearest_310987d7;
SELECT * FROM memory.create_vector_index(concurrently => true);
SELECT count(*) AS indexes FROM pg_index WHERE indrelid = 'memory.embeddings'::regclass AND indpred IS NOT NULL;
SELECT memory.create_vector_index(concurrently => true) \gexec
SELECT count(*) FROM memory.create_vector_index(concurrently => true);
SELECT indisvalid, attstattarget, obj_description(indexrelid, 'pg_class') FROM pg_index JOIN pg_attribute ON attrelid = indexrelid WHERE indrelid = 'memory.embeddings'::regclass AND indpred IS NOT NULL;
-- One that was interrupted is in the way, and goes first.
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'memory.embeddings_nearest_310987d7'::regclass;
SELECT split_part(s, ' USING', 1) AS statement FROM memory.create_vector_index(concurrently => true) s;
SELECT split_part(s, ' USING', 1) AS statement FROM memory.create_vector_index() s;

-- index_stats for monitoring, which sees no row; verify_index is the owner's.
CREATE ROLE regress_monitor IN ROLE pg_monitor;
CREATE ROLE regress_reader;
SELECT memory.grant_access('regress_reader', 'reader');
GRANT USAGE ON SCHEMA memory TO regress_monitor;
SET ROLE regress_monitor;
SELECT tenants, documents, lost_pages FROM memory.index_stats('memory.episodes_by_text');
SELECT memory.verify_index('memory.episodes_by_text');
SELECT count(*) FROM memory.episodes;
SET ROLE regress_reader;
SELECT tenants FROM memory.index_stats('memory.episodes_by_text');
RESET ROLE;
-- Each figure says what is healthy.
SELECT attname AS "unexplained" FROM pg_attribute WHERE attrelid = 'memory.index_figures'::regclass AND attnum > 0 AND col_description(attrelid, attnum) NOT LIKE '%. Healthy: %.';
SET client_min_messages = warning;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
DROP ROLE regress_monitor, regress_reader;
