-- set_retention() and sweep(): what has expired is not there, at once, for every function; sweep() deletes it, and what is beyond what is
-- kept, for all users. reinforce() and strength(): what an episode counts.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
\i :source/sql/shared/forgotten.sql
SELECT namespace FROM memory.set_scope(namespace => 'retention');
SELECT pg_temp.refused(format('SELECT memory.set_retention(%s)', bad)) AS refused FROM unnest(ARRAY['NULL', '''fact''', '''episode'', kind => ''''', '''session'', kind => ''a''',
    '''episode'', ttl => ''0''', '''episode'', ttl => ''-1 day''', '''episode'', half_life => ''0''', '''item'', half_life => ''1 day''', '''run'', keep => 3',
    '''episode'', keep => 0', 'repeat(''e'', 2000)']) bad;
SELECT pg_temp.refused(format('SELECT memory.sweep(%s)', bad)) AS refused FROM unnest(ARRAY['0', '-1', '1000001']) bad;

-- The default: notes for the short term live seven days from when they were written, however they were written; others for ever.
SELECT memory.remember('short ' || n, user_id => 'ada', kind => 'short_term', id => forgetting.episode(n)) IS NOT NULL AS written FROM generate_series(1, 2) n;
INSERT INTO memory.episodes (user_id, id, kind, content) VALUES ('ada', forgetting.episode(3), 'short_term', 'short 3'), ('ada', forgetting.episode(4), 'long_term', 'short and long');
-- What says itself when it expires does so.
SELECT memory.remember('short 5', user_id => 'ada', kind => 'short_term', ttl => '1 hour', id => forgetting.episode(5)) IS NOT NULL AS written;
SELECT right(id::text, 1) AS id, expires_at - recorded_at AS ttl FROM memory.episodes WHERE user_id = 'ada' AND namespace = 'retention' ORDER BY 1;
-- A rule is for what was written before, too; but not for what has said it itself.
SELECT memory.set_retention('episode', 'short_term', ttl => '2 days');
SELECT right(id::text, 1) AS id, expires_at - recorded_at AS ttl FROM memory.episodes WHERE user_id = 'ada' AND namespace = 'retention' ORDER BY 1;
-- One for all kinds leaves those with a rule of their own.
SELECT memory.set_retention('episode', ttl => '10 days');
SELECT right(id::text, 1) AS id, expires_at - recorded_at AS ttl FROM memory.episodes WHERE user_id = 'ada' AND namespace = 'retention' ORDER BY 1;
-- None: for ever.
SELECT memory.set_retention('episode', 'short_term');
SELECT memory.set_retention('episode');
SELECT right(id::text, 1) AS id, expires_at - recorded_at AS ttl FROM memory.episodes WHERE user_id = 'ada' AND namespace = 'retention' ORDER BY 1;
SELECT kind, ttl, half_life, keep FROM memory.retention WHERE namespace = 'retention' ORDER BY kind;
-- What has expired is found by nothing, before it is swept away; its statistics do not count. Another namespace has rules of its own.
UPDATE memory.episodes SET recorded_at = now() - interval '1 day' WHERE id IN (forgetting.episode(1), forgetting.episode(2)) AND namespace = 'retention';
SELECT memory.set_retention('episode', 'short_term', ttl => '1 hour');
SELECT content FROM memory.recall('short', user_id => 'ada', k => NULL) ORDER BY content;
SELECT count(*) FROM memory.get(forgetting.episode(1), user_id => 'ada');
SELECT forgetting.counts(memory.sweep(1)) AS gone;
SELECT forgetting.counts(memory.sweep()) AS gone;
SELECT forgetting.counts(memory.sweep()) AS gone;
-- Messages expire with their session, whatever the rule for their kind.
SELECT memory.set_retention('episode', 'episodic', ttl => '1 hour');
SELECT seq FROM memory.add_messages('monday', '[{"role": "user", "content": "I like short zebras"}]', user_id => 'ada');
SELECT expires_at FROM memory.get((SELECT id FROM memory.messages('monday', user_id => 'ada')), user_id => 'ada');
DELETE FROM memory.retention WHERE kind = 'episodic';
-- keep: the newest of each user.
SELECT memory.remember('note ' || n, user_id => who, kind => 'note', occurred_at => '2026-03-01'::timestamptz + n * interval '1 day') IS NOT NULL AS written
FROM unnest('{ada,bob}'::text[]) who, generate_series(1, 3) n WHERE (who, n) <> ('bob', 3);
SELECT memory.set_retention('episode', 'note', keep => 2);
SELECT forgetting.counts(memory.sweep()) AS gone;
SELECT content FROM memory.recall_recent('note', user_id => 'ada');

-- Sessions, from their last write: nothing of one that has expired is there. What is written into it is the first of a new one.
SELECT memory.put_checkpoint('monday', '1', 'c', user_id => 'ada'), memory.set_summary('monday', 'zebras', user_id => 'ada'), memory.save_run('monday', 'r', user_id => 'ada');
SELECT count(*) FROM memory.remember('said on monday', user_id => 'ada', session_id => 'monday', id => forgetting.episode(6));
SELECT memory.set_retention('session', ttl => '1 day');
SELECT messages FROM memory.session('monday', user_id => 'ada');
UPDATE memory.sessions SET updated_at = now() - interval '1 day' WHERE user_id = 'ada' AND namespace = 'retention';
SELECT (SELECT count(*) FROM memory.session('monday', user_id => 'ada')) AS session, (SELECT count(*) FROM memory.sessions(user_id => 'ada')) AS sessions,
    (SELECT count(*) FROM memory.messages('monday', user_id => 'ada')) AS messages, (SELECT count(*) FROM memory.messages(user_id => 'ada')) AS of_all,
    (SELECT count(*) FROM memory.summary('monday', user_id => 'ada')) AS summary, (SELECT count(*) FROM memory.checkpoints('monday', user_id => 'ada')) AS checkpoints,
    (SELECT count(*) FROM memory.checkpoint(id => 'c', user_id => 'ada')) AS checkpoint, memory.load_session('monday', user_id => 'ada') -> 'messages' AS loaded;
BEGIN;
SELECT forgetting.counts(memory.sweep()) AS gone;
SELECT forgetting.left_of('ada');
ROLLBACK;
SELECT seq FROM memory.add_messages('monday', '[{"role": "user", "content": "Hello"}]', user_id => 'ada');
SELECT messages, last_seq, version FROM memory.session('monday', user_id => 'ada');
SELECT count(*) FROM memory.get(forgetting.episode(6), user_id => 'ada');
SELECT memory.set_retention('session');

-- Runs, checkpoints, items and versions of blocks.
SELECT memory.set_retention('run', ttl => '1 day'), memory.set_retention('checkpoint', ttl => '1 day', keep => 2), memory.set_retention('item', ttl => '1 day', keep => 2), memory.set_retention('block_version', keep => 2);
SELECT memory.save_run('monday', 'r' || n, user_id => 'ada') IS NOT NULL AS run, memory.put_checkpoint('monday', to_jsonb(n), 'c' || n, user_id => 'ada') AS checkpoint,
    memory.put_item('{a}', 'k' || n, to_jsonb(n), user_id => 'ada') AS item, memory.set_block('b', 'text ' || n, user_id => 'ada') AS block FROM generate_series(1, 4) n;
UPDATE memory.runs SET updated_at = now() - interval '1 day' WHERE run_id IN ('r1', 'r2') AND namespace = 'retention';
UPDATE memory.checkpoints SET created_at = now() - interval '1 day' WHERE id IN ('c1') AND namespace = 'retention';
UPDATE memory.items SET expires_at = now() WHERE key = 'k1' AND namespace = 'retention';
SELECT (SELECT string_agg(run_id, ' ' ORDER BY run_id) FROM memory.runs(user_id => 'ada')) AS runs, (SELECT count(*) FROM memory.run('r1', user_id => 'ada')) AS run,
    (SELECT string_agg(id, ' ') FROM memory.checkpoints('monday', user_id => 'ada')) AS checkpoints, (SELECT string_agg(key, ' ' ORDER BY key) FROM memory.items(user_id => 'ada')) AS items;
SELECT forgetting.counts(memory.sweep()) AS gone;
SELECT (SELECT string_agg(id, ' ') FROM memory.checkpoints('monday', user_id => 'ada')) AS checkpoints, (SELECT string_agg(key, ' ' ORDER BY key) FROM memory.items(user_id => 'ada')) AS items,
    (SELECT string_agg(version || ' ' || content, ', ' ORDER BY version) FROM memory.block_history('b', user_id => 'ada')) AS history;
SELECT version, taken FROM memory.block_versions WHERE namespace = 'retention' ORDER BY version;
SELECT forgetting.counts(memory.sweep()) AS gone;

-- Writers may not say what is kept, nor sweep; both are for all users, whatever protect() shows the owner.
CREATE ROLE regress_memory_keeper;
SELECT memory.grant_access('regress_memory_keeper', 'writer');
SET ROLE regress_memory_keeper;
SELECT pg_temp.refused($$SELECT memory.set_retention('session', ttl => '1 day')$$) AS refused;
SELECT pg_temp.refused($$SELECT memory.sweep()$$) AS refused;
RESET ROLE;
SELECT memory.revoke_access('regress_memory_keeper');
SELECT memory.grant_access('regress_memory_keeper', 'admin');
SELECT memory.remember('soon gone', user_id => 'carl', ttl => '1 microsecond') IS NOT NULL AS written;
SELECT memory.protect();
SET ROLE regress_memory_keeper;
SET memory.user_id = 'ada';
SELECT count(*) FROM memory.episodes WHERE user_id = 'carl';
SELECT forgetting.counts(memory.sweep()) AS gone;
-- And not a bit longer.
SELECT count(*) FROM memory.episodes WHERE user_id <> 'ada';
SELECT pg_temp.refused($$SELECT memory.forget_user('bob')$$) AS refused;
RESET memory.user_id;
RESET ROLE;
SELECT memory.unprotect();
SELECT memory.revoke_access('regress_memory_keeper');
DROP ROLE regress_memory_keeper;

-- Strength: importance, halved by the half-life of the kind, 30 days for episodic; from when it happened, or was reinforced last.
SELECT memory.remember('strong', user_id => 'dora', importance => 0.8, occurred_at => now() - interval '720 hours', id => forgetting.episode(1)) IS NOT NULL AS written,
    memory.remember('lasting', user_id => 'dora', kind => 'semantic', importance => 0.8, occurred_at => now() - interval '720 hours', id => forgetting.episode(2)) IS NOT NULL AS written;
BEGIN;
SELECT round(memory.strength(forgetting.episode(1), user_id => 'dora')::numeric, 3) AS faded, round(memory.strength(forgetting.episode(1), now() + interval '720 hours', user_id => 'dora')::numeric, 3) AS later,
    memory.strength(forgetting.episode(1), now() - interval '1440 hours', user_id => 'dora') AS at_first, memory.strength(forgetting.episode(2), user_id => 'dora') AS lasting,
    memory.strength(forgetting.episode(3), user_id => 'dora') AS missing, memory.strength(forgetting.episode(1), user_id => 'eve') AS of_another;
SELECT memory.reinforce(ARRAY[forgetting.episode(1), forgetting.episode(7)], 0.25, user_id => 'dora');
SELECT round(memory.strength(forgetting.episode(1), user_id => 'dora')::numeric, 3) AS a_quarter_more, round(memory.strength(forgetting.episode(1), now() + interval '720 hours', user_id => 'dora')::numeric, 3) AS later;
SELECT memory.reinforce(ARRAY[forgetting.episode(1)], user_id => 'dora'), memory.reinforce(ARRAY[forgetting.episode(1)], 1e300, user_id => 'dora');
SELECT memory.strength(forgetting.episode(1), user_id => 'dora') AS as_at_first;
SELECT accesses, accessed_at = now() AS now, weight FROM memory.usage WHERE user_id = 'dora' AND namespace = 'retention';
-- By the rule of the namespace.
SELECT memory.set_retention('episode', 'semantic', half_life => '15 days');
SELECT round(memory.strength(forgetting.episode(2), user_id => 'dora')::numeric, 3) AS by_rule;
SELECT id = forgetting.episode(1) AS strong, round(score::numeric, 3) AS score FROM memory.recall_scored('strong lasting', user_id => 'dora', k => 5) ORDER BY id;
ROLLBACK;
SELECT pg_temp.refused(format('SELECT memory.reinforce(%s, user_id => ''dora'')', bad)) AS refused FROM unnest(ARRAY['NULL', '''{NULL}''', '''{}'', ''NaN''', '''{}'', -1', '''{}'', ''infinity''']) bad;
SELECT pg_temp.refused(format('SELECT memory.strength(%s, user_id => ''dora'')', bad)) AS refused FROM unnest(ARRAY['NULL', 'forgetting.episode(1), ''infinity''']) bad;
-- It falls with age, never rises by itself, and is between 0 and its importance, whatever was done to it before.
SELECT setseed(0.5);
SELECT count(memory.remember('episode ' || n, user_id => 'emil', kind => (ARRAY['episodic', 'semantic', 'short_term'])[1 + n % 3], importance => random(), occurred_at => now() - random() * interval '100 days',
    id => ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid)) FROM generate_series(1, 60) n;
SELECT count(memory.reinforce(ARRAY[('00000000-0000-7000-8000-' || lpad((1 + floor(random() * 60))::int::text, 12, '0'))::uuid], random(), user_id => 'emil')) FROM generate_series(1, 100);
SELECT count(*) AS points, count(*) FILTER (WHERE strength > before) AS risen, count(*) FILTER (WHERE strength < 0 OR strength > importance) AS out_of_range,
    count(*) FILTER (WHERE strength < before) > 100 AS many_fall
FROM (SELECT id, importance, strength, lag(strength) OVER (PARTITION BY id ORDER BY at) AS before
      FROM (SELECT e.id, e.importance, at, memory.strength(e.id, at, user_id => 'emil') AS strength FROM memory.episodes e,
                (SELECT now() + n * interval '9 days' AS at FROM generate_series(-15, 15) n) t WHERE e.user_id = 'emil' AND e.namespace = 'retention') s) s;
-- What an explanation says of importance and age is what they are, by a rule of the kind, too.
BEGIN;
SELECT memory.set_retention('episode', 'semantic', half_life => '15 days');
SELECT memory.remember('a weighty thing', user_id => 'fay', kind => 'semantic', importance => 0.8, occurred_at => now() - interval '720 hours', id => forgetting.episode(1)) IS NOT NULL AS written;
SELECT x -> 'importance' AS importance, round((x ->> 'decay')::numeric, 6) AS decay, round(((x ->> 'score')::float8 / (x ->> 'fused')::float8)::numeric, 6) AS score_by_fused
    FROM memory.explain_recall(forgetting.episode(1), 'weighty', user_id => 'fay') x;
ROLLBACK;
SELECT count(*) FROM unnest('{ada,bob,dora,emil}'::text[]) who, memory.forget_user(who);
DELETE FROM memory.retention WHERE namespace = 'retention';
DROP SCHEMA forgetting CASCADE;
RESET ALL;
