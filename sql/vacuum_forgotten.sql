-- VACUUM takes a user who was forgotten out of the recall index without reading what the texts were: of each run it reads the places of rows
-- and the table of lengths, neither dictionaries nor postings (docs/index.md, "Vacuum").
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/begun.sql
SELECT memory.set_scope(namespace => 'regress_vacuum');
ALTER TABLE memory.episodes SET (autovacuum_enabled = false);

-- 10,000 texts of 30 words, a third of them said once only.
CREATE PROCEDURE pg_temp.live(who text) LANGUAGE sql AS $$
    INSERT INTO memory.episodes (user_id, content)
    SELECT who, (SELECT string_agg('w' || substr(md5((n * 100 + w)::text), 1, 2 + w % 3), ' ') FROM generate_series(1, 30) w) FROM generate_series(1, 10000) n $$;
-- Buffers of the index that came to be used. What a VACUUM with nothing to do comes to is taken off below.
CREATE FUNCTION pg_temp.touched() RETURNS bigint LANGUAGE sql AS $$
    SELECT idx_blks_read + idx_blks_hit FROM pg_statio_user_indexes WHERE indexrelid = 'memory.episodes_by_text'::regclass $$;

CALL pg_temp.live('ann');
CALL pg_temp.live('bob');
-- As few runs as can be, and no page that waits to be freed.
REINDEX INDEX memory.episodes_by_text;
VACUUM (PARALLEL 0, INDEX_CLEANUP ON) memory.episodes;
SELECT segments >= 2 AS in_segments, documents >= 20000 AS both_are_there FROM memory.index_stats('memory.episodes_by_text');
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() AS before \gset
VACUUM (PARALLEL 0, INDEX_CLEANUP ON) memory.episodes;
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() - :before AS nothing \gset

-- Of ann nothing stays.
SELECT segment_pages AS pages FROM memory.index_stats('memory.episodes_by_text') \gset
SELECT memory.forget_user('ann') -> 'episodes' AS episodes;
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() AS before \gset
VACUUM (PARALLEL 0, INDEX_CLEANUP ON) memory.episodes;
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() - :before - :nothing AS forgotten, :pages - segment_pages AS retired FROM memory.index_stats('memory.episodes_by_text') \gset

-- When her pages are free: of bob one episode stays, which is written anew, and for that his runs are read.
VACUUM (PARALLEL 0, INDEX_CLEANUP ON) memory.episodes;
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() AS before \gset
VACUUM (PARALLEL 0, INDEX_CLEANUP ON) memory.episodes;
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() - :before AS nothing \gset
DELETE FROM memory.episodes WHERE namespace = 'regress_vacuum' AND user_id = 'bob' AND id <> (SELECT id FROM memory.episodes WHERE namespace = 'regress_vacuum' AND user_id = 'bob' ORDER BY id LIMIT 1);
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() AS before \gset
VACUUM (PARALLEL 0, INDEX_CLEANUP ON) memory.episodes;
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() - :before - :nothing AS one_stays \gset
-- A page of a run that is retired unread is none of these: dictionaries and postings have nearly all of them.
SELECT :retired > 90 AS retired, :forgotten <= 300 AS unread, :one_stays > 2 * :forgotten AS else_read;
SELECT memory.verify_index('memory.episodes_by_text');
SELECT memory.forget_user('bob') -> 'episodes' AS episodes;
ALTER TABLE memory.episodes RESET (autovacuum_enabled);
SELECT memory.set_scope();
