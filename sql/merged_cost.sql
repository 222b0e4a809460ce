-- What is merged, or has expired and waits for sweep, costs a recall next to nothing: the places of such rows are looked for in the index in
-- their order, a page of them once, and not one by one (docs/lifecycle.md, "Where merged episodes are").
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/begun.sql
SELECT memory.set_scope(namespace => 'regress_merged_cost');
CREATE FUNCTION pg_temp.id(n int) RETURNS uuid LANGUAGE sql AS $$ SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid $$;
-- Of 4,000 texts every second one.
CREATE PROCEDURE pg_temp.live(who text, every int) LANGUAGE sql AS $$
    INSERT INTO memory.episodes (user_id, id, content, occurred_at)
    SELECT who, pg_temp.id(n), (SELECT string_agg('w' || substr(md5((n * 100 + w)::text), 1, 1 + w % 3), ' ') FROM generate_series(1, 10) w), '2026-01-01'::timestamptz + n * interval '1 minute'
    FROM generate_series(every, 4000, every) n $$;
\i :source/sql/shared/blocks.sql
CREATE FUNCTION pg_temp.buffers(who text) RETURNS bigint LANGUAGE sql AS $$
    SELECT pg_temp.blocks(format('SELECT * FROM memory.recall_scored(''wa w1'', user_id => %L)', who)) $$;
CREATE FUNCTION pg_temp.ranked(who text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s %s %s', r.id, r.bm25_score, r.score), ', ' ORDER BY r.score DESC, r.id) FROM memory.recall_scored('wa w1', user_id => who, k => NULL) r $$;
CREATE FUNCTION pg_temp.cost() RETURNS TABLE (same boolean, cheap boolean) LANGUAGE sql AS $$
    SELECT pg_temp.ranked('ann') = pg_temp.ranked('bob'), pg_temp.buffers('ann') <= 2 * pg_temp.buffers('bob') + 500 $$;

CALL pg_temp.live('ann', 1);
CALL pg_temp.live('bob', 2);
VACUUM ANALYZE memory.episodes; -- so that statements are planned as they mostly are
BEGIN;
INSERT INTO memory.merged_episodes (user_id, episode_id, kept, similarity) SELECT 'ann', pg_temp.id(n), pg_temp.id(2), 1 FROM generate_series(1, 4000, 2) n;
UPDATE memory.episodes SET expires_at = '-infinity' WHERE namespace = 'regress_merged_cost' AND user_id = 'ann' AND right(id::text, 1)::int % 2 = 1;
COMMIT;
-- Before a VACUUM, when their older versions are looked up, too, and behind it.
SELECT * FROM pg_temp.cost();
VACUUM memory.episodes;
SELECT * FROM pg_temp.cost();
-- The same of those that have expired by themselves.
DELETE FROM memory.merged_episodes WHERE namespace = 'regress_merged_cost';
UPDATE memory.episodes SET expires_at = '2026-01-01' WHERE namespace = 'regress_merged_cost' AND user_id = 'ann' AND right(id::text, 1)::int % 2 = 1;
VACUUM memory.episodes;
SELECT * FROM pg_temp.cost();
SELECT memory.forget_user('ann') -> 'episodes' AS episodes, memory.forget_user('bob') -> 'episodes' AS episodes;
SELECT memory.set_scope();
