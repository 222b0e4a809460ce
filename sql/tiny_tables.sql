-- A plan that is kept is one along indexes, though the tables had a few rows when it was made: many rows can come in the
-- same transaction, before anything makes PostgreSQL plan again.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET memory.user_id = 'planner of tiny tables';
BEGIN;
SELECT count(memory.remember('The first ' || i, embedding => '[1,2,3]', session_id => 'tiny')) FROM generate_series(1, 3) i;
SELECT count(memory.assert_fact('Ann', 'likes', 'tea')) FROM generate_series(1, 3) i;
ANALYZE memory.episodes, memory.embeddings, memory.facts, memory.timelines, memory.sessions;
-- What the library writes with, foreign keys included.
SELECT count(memory.remember('Number ' || i, embedding => '[1,2,3]', session_id => 'tiny ' || i)) FROM generate_series(1, 300) i;
SELECT count(memory.assert_fact('Ann ' || i, 'likes', 'tea')) FROM generate_series(1, 300) i;
SELECT count(memory.put_checkpoint('tiny', '{}', id => 'c' || i)) FROM generate_series(1, 300) i;
SELECT relname, seq_tup_read FROM pg_stat_xact_user_tables
WHERE schemaname = 'memory' AND seq_tup_read > 300 ORDER BY relname;
-- A message of one session is looked up, not picked out of the user's.
SELECT count(m.seq) FROM generate_series(1, 300) i, memory.add_messages('tiny ' || i, '[{"role": "user", "content": "hello"}]') m;
SELECT idx_tup_fetch AS fetched FROM pg_stat_xact_user_tables WHERE schemaname = 'memory' AND relname = 'messages' \gset
SELECT content FROM memory.messages('tiny 7', k => NULL);
SELECT idx_tup_fetch - :fetched < 10 AS "few are read" FROM pg_stat_xact_user_tables WHERE schemaname = 'memory' AND relname = 'messages';
-- The setting that keeps them there is the caller's again.
SHOW enable_seqscan;
ROLLBACK;
