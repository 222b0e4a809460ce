-- Checkpoints: put, replaced, read, listed, pruned, forked, deleted; and what is refused.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT user_id FROM memory.set_scope('ann', namespace => 'checkpoints');
CREATE FUNCTION pg_temp.shown(c memory.checkpoint) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(' ', c.id, '<-', coalesce(c.parent, 'nothing'), c.state, c.metadata, c.part_names, c.part_types, c.part_data, c.write_tasks, c.write_names, c.write_types, c.write_data) $$;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
-- A session that nothing was written into has none.
SELECT count(*) FROM memory.checkpoint('trip');
SELECT memory.put_checkpoint('trip', '{"step": 1}', 'c1', refs => '{"b": "1", "a": "1", "never": "9"}', part_names => '{b,a}', part_types => '{text,text}', part_data => ARRAY['\x41', NULL]::bytea[]);
SELECT memory.put_checkpoint('trip', '{"step": 2, "x": 1.50, "n": null}', 'c2', 'c1', '{"run_id": "r1"}', refs => '{"b": "2", "a": "1"}', part_names => '{b}', part_types => '{text}', part_data => '{"\\x"}');
-- A parent that is not there is legal; so is a checkpoint without parts.
SELECT memory.put_checkpoint('trip', '[]', 'c3', 'gone', '{"run_id": "r2"}');
SELECT memory.put_checkpoint('trip', '"sub"', 'c1', path => 'sub');
SELECT length(memory.put_checkpoint('other', '1')) AS "an id of its own";
SELECT pg_temp.shown(c) FROM memory.checkpoint('trip', 'c1') c;
SELECT pg_temp.shown(c) FROM memory.checkpoint('trip', 'c2') c;
SELECT pg_temp.shown(c) FROM memory.checkpoint('trip') c;
SELECT pg_temp.shown(c) FROM memory.checkpoint('trip', path => 'sub') c;
SELECT count(*) FROM memory.checkpoint('trip', 'c9');
-- By id alone: the newest written.
SELECT session_id, path, state FROM memory.checkpoint(id => 'c2');
-- The same id again: state, refs and metadata are replaced; parent, place and time are not. The first writer of a part's version wins.
SELECT created_at AS first FROM memory.checkpoint('trip', 'c2') \gset
SELECT memory.put_checkpoint('trip', '{"step": "2, again"}', 'c2', 'c3', '{"run_id": "r3"}', refs => '{"b": "1"}', part_names => '{b}', part_types => '{other}', part_data => '{"\\x42"}');
SELECT pg_temp.shown(c), created_at = :'first' AS same FROM memory.checkpoint('trip', 'c2') c;
-- Writes may come before their checkpoint; the first of a place stays, or the last with replace; ordered by bytes.
SELECT memory.put_writes('trip', 'c4', 't', '{1,-1,1}', '{x,y,z}', '{t,t,t}', '{"\\x01","\\x02","\\x03"}');
SELECT memory.put_writes('trip', 'c4', 'T', '{0}', '{x}', '{t}', ARRAY[NULL]::bytea[], task_path => 'a|b');
SELECT memory.put_writes('trip', 'c4', 't', '{1,2}', '{new,new}', '{t,t}', '{"\\x11","\\x12"}');
SELECT * FROM memory.writes('trip', 'c4');
SELECT memory.put_writes('trip', 'c4', 't', '{1,1}', '{older,newer}', '{t,t}', '{"\\x21","\\x22"}', replace => true);
SELECT * FROM memory.writes('trip', 'c4', 't');
SELECT memory.put_writes('trip', 'c4', 't', '{}', '{}', '{}', '{}');
SELECT memory.put_checkpoint('trip', '{"step": 4}', 'c4', 'c2');
SELECT pg_temp.shown(c) FROM memory.checkpoint('trip', 'c4') c;
-- Lists: newest first, without payload unless asked for; before; ancestors; filters.
SELECT id, path, state IS NULL AND part_names IS NULL AND write_tasks IS NULL AS bare FROM memory.checkpoints('trip');
SELECT pg_temp.shown(c) FROM memory.checkpoints('trip', 2, full_rows => true) c;
SELECT id FROM memory.checkpoints('trip', path => '', before => 'c3');
SELECT id FROM memory.checkpoints('trip', path => '', before => 'c2x');
SELECT id FROM memory.checkpoints('trip', ancestors_of => 'c4');
SELECT id FROM memory.checkpoints('trip', 1, ancestors_of => 'c4');
SELECT id FROM memory.checkpoints('trip', ancestors_of => 'c3');
SELECT id FROM memory.checkpoints('trip', filter => '{"run_id": {"$in": ["r2", "r9"]}}');
SELECT session_id, id FROM memory.checkpoints(k => NULL, path => '') WHERE session_id = 'trip';
-- Parents that go in a circle end.
SELECT memory.put_checkpoint('circle', '1', 'a', 'b'), memory.put_checkpoint('circle', '2', 'b', 'a');
SELECT id FROM memory.checkpoints('circle', ancestors_of => 'a', k => NULL);
-- Long names, and names of any letters.
SELECT memory.put_checkpoint(repeat('s', 1024), '{"long": true}', repeat('é', 512), repeat('p', 1024), path => repeat('x', 1024), refs => jsonb_build_object(repeat('n', 1024), repeat('v', 1024)),
    part_names => ARRAY[repeat('n', 1024)], part_types => '{t}', part_data => '{"\\x01"}') = repeat('é', 512) AS put;
SELECT c.state, c.part_data FROM memory.checkpoint(repeat('s', 1024), repeat('é', 512), repeat('x', 1024)) c;
-- Another user has none of it, nor has another namespace.
SELECT count(*) FROM memory.checkpoints(k => NULL, user_id => 'bob');
SELECT count(*) FROM memory.checkpoint('trip', user_id => 'bob');
SELECT memory.delete_session('trip', user_id => 'bob'), memory.prune_checkpoints('{trip}', 0, user_id => 'bob');
-- Forks share the past, and part ways.
SELECT memory.fork_session('trip', 'fork', upto_checkpoint => 'c2', metadata => '{"fork": true}');
SELECT pg_temp.shown(c) FROM memory.checkpoints('fork', full_rows => true) c;
SELECT memory.put_checkpoint('fork', '{"step": "mine"}', 'c5', 'c2', refs => '{"b": "3"}', part_names => '{b}', part_types => '{text}', part_data => '{"\\x43"}');
SELECT memory.put_checkpoint('trip', '{"step": "theirs"}', 'c5', 'c4', refs => '{"b": "3"}', part_names => '{b}', part_types => '{text}', part_data => '{"\\x44"}');
SELECT pg_temp.shown(c) FROM memory.checkpoint('fork') c UNION ALL SELECT pg_temp.shown(c) FROM memory.checkpoint('trip') c;
-- Pruning: every condition must be met; protect stays; what remains is whole.
SELECT memory.prune_checkpoints('{trip}', before => '-infinity'), memory.prune_checkpoints(run_ids => '{r2}'), memory.prune_checkpoints('{trip}', 2, protect => '{c1}');
SELECT pg_temp.shown(c) FROM memory.checkpoints('trip', full_rows => true) c;
SELECT memory.prune_checkpoints('{trip}', 0);
SELECT count(*) FROM memory.checkpoints('trip');
SELECT pg_temp.shown(c) FROM memory.checkpoints('fork', full_rows => true) c;
-- Keep, by argument and by setting.
SELECT count(memory.put_checkpoint('kept', to_jsonb(n), 'k' || n, keep => 2)) FROM generate_series(1, 5) n;
SELECT id FROM memory.checkpoints('kept');
BEGIN;
SET LOCAL memory.checkpoints_kept = 1;
SELECT memory.put_checkpoint('kept', '6', 'k6');
COMMIT;
SELECT id FROM memory.checkpoints('kept');
-- A damaged version is an error that names the checkpoint; others are not touched.
BEGIN;
UPDATE memory.checkpoint_bytes SET data = '\x00' WHERE (store, number) IN (SELECT s.key, c.state FROM memory.checkpoints c JOIN memory.sessions s ON s.key = c.session WHERE s.session_id = 'kept');
SELECT pg_temp.refused($$SELECT * FROM memory.checkpoint('kept')$$);
SELECT id FROM memory.checkpoints('kept');
DELETE FROM memory.checkpoint_bytes WHERE (store, number) IN (SELECT s.key, c.state FROM memory.checkpoints c JOIN memory.sessions s ON s.key = c.session WHERE s.session_id = 'kept');
SELECT pg_temp.refused($$SELECT * FROM memory.checkpoint('kept')$$);
ROLLBACK;
-- What is refused, each by its own error, and before anything is written.
SELECT statement, pg_temp.refused('SELECT memory.' || statement) FROM (VALUES
    (1, $$put_checkpoint(NULL, '1')$$), (2, $$put_checkpoint('', '1')$$), (3, $$put_checkpoint('s', NULL)$$), (4, $$put_checkpoint('s', '1', '')$$), (5, $$put_checkpoint('s', '1', parent => '')$$),
    (6, $$put_checkpoint('s', '1', repeat('x', 1025))$$), (7, $$put_checkpoint('s', '1', metadata => '[]')$$), (8, $$put_checkpoint('s', '1', keep => -1)$$), (9, $$put_checkpoint('s', '1', refs => '{"a": 1}')$$),
    (10, $$put_checkpoint('s', '1', refs => '[]')$$), (11, $$put_checkpoint('s', '1', refs => '{"a": ""}')$$), (12, $$put_checkpoint('s', '1', part_names => '{a}')$$),
    (13, $$put_checkpoint('s', '1', part_names => '{a}', part_types => '{t}', part_data => '{"\\x01"}')$$), (14, $$put_checkpoint('s', '1', refs => '{"a": "1"}', part_names => '{a,a}', part_types => '{t,t}', part_data => '{"\\x01","\\x02"}')$$),
    (15, $$put_checkpoint('s', '1', refs => '{"a": "1"}', part_names => '{NULL}', part_types => '{t}', part_data => '{"\\x01"}')$$),
    (16, $$put_writes('s', 'c', 't', '{0}', '{}', '{}', '{}')$$), (17, $$put_writes('s', NULL, 't', '{}', '{}', '{}', '{}')$$), (18, $$put_writes('s', 'c', '', '{}', '{}', '{}', '{}')$$), (19, $$put_writes('s', 'c', 't', NULL, '{}', '{}', '{}')$$),
    (20, $$checkpoint()$$), (21, $$checkpoints(before => 'c')$$), (22, $$checkpoints(ancestors_of => 'c')$$), (23, $$checkpoints('s', 0)$$), (24, $$checkpoints('s', filter => '{"a": {"$foo": 1}}')$$),
    (25, $$prune_checkpoints()$$), (26, $$prune_checkpoints(protect => '{a}')$$), (27, $$prune_checkpoints(keep => -1)$$), (28, $$fork_session('nothing')$$), (29, $$fork_session('fork', 'kept')$$), (30, $$fork_session('fork', upto_checkpoint => 'c99')$$),
    (31, $$fork_session('fork', 'fork')$$), (32, $$put_checkpoint('s', '1', user_id => '')$$)) v (n, statement) ORDER BY n;
SET memory.max_state = '1kB';
SELECT pg_temp.refused($$SELECT memory.put_checkpoint('s', to_jsonb(repeat('x', 2000)))$$);
SELECT pg_temp.refused($$SELECT memory.put_checkpoint('s', '1', refs => '{"a": "1"}', part_names => '{a}', part_types => '{t}', part_data => ARRAY[convert_to(repeat('x', 1024), 'UTF8')])$$);
SELECT memory.put_checkpoint('max', '1', 'c', refs => '{"a": "1"}', part_names => '{a}', part_types => '{t}', part_data => ARRAY[convert_to(repeat('x', 1023), 'UTF8')]);
RESET memory.max_state;
SELECT count(*) FROM memory.sessions WHERE namespace = 'checkpoints' AND session_id IN ('s', 'nothing');
-- Without a session, writes go into the one of the setting; what is read, forked or deleted has to be named.
SET memory.session_id = 'of the setting';
SELECT memory.put_checkpoint(NULL, '1', 'c'), memory.put_writes(NULL, 'c', 't', '{0}', '{x}', '{t}', '{"\\x01"}');
SELECT state, write_data FROM memory.checkpoint('of the setting');
SELECT pg_temp.refused('SELECT memory.' || call) FROM unnest(ARRAY['writes(NULL, ''c'')', 'fork_session(NULL)', 'delete_session(NULL)']) AS call;
RESET memory.session_id;
-- Deleting a path, and a session; nothing is left of either.
SELECT memory.put_checkpoint('fork', '1', 'c1', path => 'sub 2'), memory.delete_session('fork', 'sub 2'), memory.delete_session('fork', 'sub 2'), memory.delete_session('no such session');
SELECT count(memory.delete_session(session_id)) FROM memory.sessions WHERE namespace = 'checkpoints';
SELECT (SELECT count(*) FROM memory.sessions WHERE namespace = 'checkpoints'), (SELECT count(*) FROM memory.checkpoints WHERE namespace = 'checkpoints'), (SELECT count(*) FROM memory.checkpoint_parts WHERE namespace = 'checkpoints'),
    (SELECT count(*) FROM memory.checkpoint_writes WHERE namespace = 'checkpoints'), (SELECT count(*) FROM memory.checkpoint_bytes WHERE namespace = 'checkpoints'), (SELECT count(*) FROM memory.checkpoint_stores WHERE namespace = 'checkpoints');
