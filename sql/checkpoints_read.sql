-- What a checkpoint is when it is read back, and lists of them: docs/checkpoints.md, sentence by sentence.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE FUNCTION pg_temp.refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; hint text;
BEGIN
    EXECUTE statement;
    RETURN 'was not refused';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' | ', state, message, nullif(hint, ''));
END $$;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT user_id FROM memory.set_scope('ann', namespace => 'checkpoints_read');
-- The columns, in the order that programs bind them.
SELECT string_agg(attname || ' ' || atttypid::regtype, ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'memory.checkpoint'::regclass;

-- === the session =============================================================================
-- A checkpoint makes the session that is not there, for the agent of the settings; so do writes.
SET memory.agent_id = 'planner';
SELECT memory.put_checkpoint('made by a put', '1', 'a'), memory.put_writes('made by writes', 'a', 't', '{0}', '{n}', '{t}', '{"\\x01"}');
RESET memory.agent_id;
SELECT session_id, agent_id, version, metadata FROM memory.sessions() ORDER BY session_id;
-- Reading, and what finds nothing to delete, makes none.
SELECT (SELECT count(*) FROM memory.checkpoint('nothing')), (SELECT count(*) FROM memory.checkpoints('nothing')), (SELECT count(*) FROM memory.writes('nothing', 'a')),
    memory.delete_session('nothing'), memory.prune_checkpoints('{nothing}', 0), (SELECT count(*) FROM memory.session('nothing'));
-- A put is a write into the session: it is the newest then, and its version is not another.
UPDATE memory.sessions SET updated_at = '2020-01-01', created_at = '2020-01-01' WHERE namespace = 'checkpoints_read';
SELECT memory.put_checkpoint('made by a put', '2', 'b');
SELECT session_id, version, updated_at > created_at AS written FROM memory.sessions();
-- Without a session the setting's.
SET memory.session_id = 'made by a put';
SELECT memory.put_checkpoint(NULL, '3', 'c'), memory.put_writes(NULL, 'c', 't', '{0}', '{n}', '{t}', '{"\\x01"}');
RESET memory.session_id;
SELECT id, write_names FROM memory.checkpoint('made by a put');
-- What a transaction wrote it reads; what it rolled back was never there.
BEGIN;
SELECT memory.put_checkpoint('never', '1', 'a', refs => '{"p": "1"}', part_names => '{p}', part_types => '{t}', part_data => '{"\\x01"}');
SELECT state, part_data FROM memory.checkpoint('never');
ROLLBACK;
SELECT count(*) FROM memory.sessions WHERE namespace = 'checkpoints_read' AND session_id = 'never';
SELECT count(*) FROM memory.checkpoint_bytes WHERE namespace = 'checkpoints_read';
-- Reading works where nothing may be written, and nothing else does.
BEGIN READ ONLY;
SELECT state FROM memory.checkpoint('made by a put');
SELECT string_agg(id, ' ') FROM memory.checkpoints('made by a put', full_rows => true);
SELECT count(*) FROM memory.writes('made by writes', 'a');
SELECT statement, left(pg_temp.refused('SELECT memory.' || statement), 5) FROM unnest(ARRAY[$$put_checkpoint('s', '1')$$, $$put_writes('s', 'c', 't', '{}', '{}', '{}', '{}')$$,
    $$prune_checkpoints(keep => 0)$$, $$fork_session('made by a put', 'f')$$, $$delete_session('made by a put')$$]) statement;
COMMIT;

-- === a state =================================================================================
-- Comes back equal as jsonb, whatever it is, also after many others.
CREATE TEMP TABLE states (n int, state jsonb);
INSERT INTO states SELECT 0, s::jsonb FROM unnest(ARRAY['null', '0', '-1.50', '1e400', '""', '"\"\\\n\u00e9😀"', '{}', '[]', '[[[]], {"": {"": null}}]', '{"b": 1, "a": [true, false, null]}']) s;
UPDATE states SET n = (SELECT count(*) FROM states s WHERE s.ctid <= states.ctid);
SELECT count(memory.put_checkpoint('states', state, 'k' || n)) FROM (SELECT * FROM states ORDER BY n) s;
SELECT count(*) FROM states s, memory.checkpoint('states', 'k' || n) c WHERE c.state = s.state AND c.state::text = s.state::text;
-- Steps that follow each other, of which every fourth is replaced.
CREATE FUNCTION pg_temp.made(n bigint) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object('n', n, 'words', jsonb_agg(md5((CASE WHEN i % 100 = n % 100 THEN n ELSE 0 END)::text || '.' || i) ORDER BY i)) FROM generate_series(1, 200) i $$;
SELECT count(memory.put_checkpoint('steps', pg_temp.made(n), 's' || n, 's' || n - 1)) FROM generate_series(1, 120) n;
SELECT count(memory.put_checkpoint('steps', pg_temp.made(n + 1000), 's' || n, 's' || n - 1)) FROM generate_series(4, 120, 4) n;
SELECT count(*) FROM memory.checkpoints('steps', k => NULL, full_rows => true) c, CAST(substr(c.id, 2) AS bigint) n WHERE c.state = pg_temp.made(CASE n % 4 WHEN 0 THEN n + 1000 ELSE n END);
-- They take what changed.
SELECT count(*) FILTER (WHERE chain = '{}') < 12 AS "few keyframes", max(cardinality(chain)) < 48 AS "short chains", sum(length(data)) * 5 < sum(size) AS small FROM memory.checkpoint_bytes v JOIN memory.sessions s ON s.key = v.store WHERE session_id = 'steps' AND s.namespace = 'checkpoints_read';
-- 150 steps of 60 kB of which 1 % is another at each take 5 % of as many copies: a state, and a part whose structure is nobody's business.
CREATE FUNCTION pg_temp.grown(n bigint, seed text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(md5(seed || greatest(0, n - (n - i + 10000) % 100) || '.' || i), '' ORDER BY i) FROM generate_series(1, 1900) i $$;
SELECT count(memory.put_checkpoint('large', to_jsonb(pg_temp.grown(n, 'state')), 'l' || n, 'l' || n - 1, refs => jsonb_build_object('p', n::text),
    part_names => '{p}', part_types => '{bytes}', part_data => ARRAY[convert_to(pg_temp.grown(n, 'part'), 'UTF8')])) FROM generate_series(1, 150) n;
SELECT count(*) AS versions, sum(length(data)) < 0.05 * sum(size) AS "5 %" FROM memory.checkpoint_bytes v JOIN memory.sessions s ON s.key = v.store WHERE session_id = 'large' AND s.namespace = 'checkpoints_read';
SELECT count(*) FROM memory.checkpoints('large', k => NULL, full_rows => true) c, CAST(substr(c.id, 2) AS bigint) n
    WHERE c.state = to_jsonb(pg_temp.grown(n, 'state')) AND c.part_data = ARRAY[convert_to(pg_temp.grown(n, 'part'), 'UTF8')];
-- Which paths a session has is read from an index, however many checkpoints there are.
ANALYZE memory.checkpoints;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/blocks.sql
SELECT pg_temp.blocks($$SELECT * FROM memory.session('large')$$) < 60 AS few;
SELECT memory.delete_session('large');

-- === one again ===============================================================================
-- The same id replaces state, refs and metadata, and keeps parent, created_at and place. Without refs it has none.
SELECT memory.put_checkpoint('again', '1', 'a', 'p', '{"v": 1}', refs => '{"x": "1"}', part_names => '{x}', part_types => '{t}', part_data => '{"\\x01"}'), memory.put_checkpoint('again', '2', 'b', 'a');
UPDATE memory.checkpoints SET created_at = '2020-01-01' WHERE namespace = 'checkpoints_read' AND id = 'a' AND session = (SELECT key FROM memory.sessions WHERE namespace = 'checkpoints_read' AND session_id = 'again');
SELECT memory.put_checkpoint('again', '3', 'a', 'another');
SELECT id, parent, state, metadata, part_names, created_at = '2020-01-01' AS "same time" FROM memory.checkpoints('again', full_rows => true);
SELECT id FROM memory.checkpoint('again');
-- On another path it is another.
SELECT memory.put_checkpoint('again', '"sub"', 'a', path => 'sub');
SELECT path, state, parent FROM memory.checkpoint('again', 'a') UNION ALL SELECT path, state, parent FROM memory.checkpoint('again', 'a', 'sub');
-- Its old state is nothing's any more.
SELECT count(*) FROM memory.checkpoint_bytes v JOIN memory.sessions s ON s.key = v.store WHERE s.namespace = 'checkpoints_read' AND session_id = 'again' AND NOT EXISTS (SELECT FROM memory.checkpoints c WHERE c.session = s.key AND c.state = v.number)
    AND NOT EXISTS (SELECT FROM memory.checkpoint_parts p WHERE p.session = s.key AND p.number = v.number);

-- === parts ===================================================================================
-- Those that refs names and that are there, in the order of their names' bytes; NULL is a part that is known to be empty; one that never came is left out, and found once it has come.
SELECT memory.put_checkpoint('parts', '1', 'a', refs => '{"é": "1", "b": "1", "B": "1", "ab": "1", "late": "7"}', part_names => '{é,b,B,ab}', part_types => '{t1,t2,t3,t4}', part_data => ARRAY['\x01', NULL, '\x', '\x00ff']::bytea[]);
SELECT part_names, part_types, part_data FROM memory.checkpoint('parts');
SELECT memory.put_checkpoint('parts', '2', 'b', refs => '{"late": "7", "b": "1"}', part_names => '{late}', part_types => '{t5}', part_data => '{"\\x07"}');
SELECT id, part_names, part_data FROM memory.checkpoints('parts', full_rows => true);
-- The first writer of a name and version wins, also against NULL; another version, another path and another session are others.
SELECT memory.put_checkpoint('parts', '3', 'c', refs => '{"b": "1", "B": "2"}', part_names => '{b,B}', part_types => '{x,x}', part_data => '{"\\xee","\\xee"}'),
    memory.put_checkpoint('parts', '3', 'c', path => 'sub', refs => '{"b": "1", "B": "1"}', part_names => '{b}', part_types => '{x}', part_data => '{"\\xdd"}'),
    memory.put_checkpoint('parts of another', '3', 'c', refs => '{"b": "1", "B": "1"}', part_names => '{b}', part_types => '{x}', part_data => '{"\\xcc"}');
SELECT session_id, path, part_names, part_types, part_data FROM memory.checkpoint('parts', 'c') UNION ALL SELECT session_id, path, part_names, part_types, part_data FROM memory.checkpoint('parts', 'c', 'sub')
    UNION ALL SELECT session_id, path, part_names, part_types, part_data FROM memory.checkpoint('parts of another');
-- Each is stored once, however many checkpoints consist of it.
SELECT count(memory.put_checkpoint('parts', to_jsonb(n), 'n' || n, refs => '{"é": "1"}', part_names => '{é}', part_types => '{t}', part_data => '{"\\x99"}')) FROM generate_series(1, 5) n;
SELECT p.path, p.name, p.version, p.type, p.has_data FROM memory.checkpoint_parts p JOIN memory.sessions s ON s.key = p.session WHERE s.namespace = 'checkpoints_read' AND session_id = 'parts' ORDER BY p.path, p.name, p.version;

-- === writes ==================================================================================
-- By the checkpoint's name within session and path, before it comes and after; ordered by task (bytes) and idx.
SELECT memory.put_writes('writes', 'c', 'b', '{3,-2}', '{n3,n-2}', '{t,t}', ARRAY['\x03', NULL]::bytea[], task_path => 'p|b'), memory.put_writes('writes', 'c', 'B', '{9}', '{n9}', '{t}', '{"\\x09"}'),
    memory.put_writes('writes', 'c', 'é', '{0}', '{n0}', '{t}', '{"\\x"}'), memory.put_writes('writes', 'c', 'b', '{1}', '{sub}', '{t}', '{"\\x01"}', path => 'sub'), memory.put_writes('writes', 'd', 'b', '{1}', '{d}', '{t}', '{"\\x01"}');
SELECT * FROM memory.writes('writes', 'c');
SELECT memory.put_checkpoint('writes', '1', 'c'), memory.put_writes('writes', 'c', 'b', '{9223372036854775807,-9223372036854775808}', '{most,least}', '{t,t}', '{"\\x0a","\\x0b"}');
SELECT write_tasks, write_names, write_types, write_data FROM memory.checkpoint('writes', 'c');
SELECT task, name FROM memory.writes('writes', 'c', 'b', 'sub') UNION ALL SELECT task, name FROM memory.writes('writes', 'd');
SELECT count(*) FROM memory.writes('writes', 'c', 'no such task');
-- The first of a place stays, or the last with replace, and the number says how many rows were written. Another task_path is not another task.
SELECT memory.put_writes('writes', 'c', 'B', '{9,10}', '{again,new}', '{t,t}', '{"\\x01","\\x02"}'), memory.put_writes('writes', 'c', 'B', '{9}', '{last}', '{u}', ARRAY[NULL]::bytea[], task_path => 'p', replace => true);
SELECT * FROM memory.writes('writes', 'c', 'B');

-- === lists ===================================================================================
-- The newest first, in the order of first writing, whatever the ids and the times are; payload only when asked for.
SELECT memory.put_checkpoint('lists', to_jsonb(id), id, parent, metadata => metadata::jsonb, path => path) FROM (VALUES
    (1, 'z', NULL, '{"n": 1, "tags": ["x", "y"], "run_id": "r"}', ''), (2, 'y', 'z', '{"n": 2}', ''), (3, 'b', NULL, '{"n": 3, "tags": "x"}', 'sub'), (4, 'x', 'y', '{"n": 4, "run_id": null}', ''),
    (5, 'a', 'b', '{"n": 5}', 'sub'), (6, 'm', 'x', '{"n": "6"}', ''), (7, 'q', 'x', '{}', '')) v (n, id, parent, metadata, path) ORDER BY n;
SELECT string_agg(path || '/' || id, ' ') FROM memory.checkpoints('lists');
SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => '') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => 'sub') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', 2);
SELECT count(*) FROM memory.checkpoints('lists', path => 'no such path');
SELECT count(*) FILTER (WHERE state IS NULL AND part_names IS NULL AND part_types IS NULL AND part_data IS NULL AND write_tasks IS NULL AND write_names IS NULL AND write_types IS NULL AND write_data IS NULL) AS bare,
    count(*) FILTER (WHERE metadata IS NOT NULL AND created_at IS NOT NULL) AS heads FROM memory.checkpoints('lists');
SELECT c = d AS same FROM memory.checkpoints('lists', 1, full_rows => true) c, memory.checkpoint('lists', 'q') d;
-- Fifty unless more are asked for.
SELECT count(memory.put_checkpoint('sixty', to_jsonb(n), 'c' || n)) FROM generate_series(1, 60) n;
SELECT (SELECT count(*) FROM memory.checkpoints('sixty')) AS "by default", (SELECT count(*) FROM memory.checkpoints('sixty', k => NULL)) AS "all", (SELECT count(*) FROM memory.checkpoints('sixty', 3)) AS three;
-- Nothing was dropped unasked.
SHOW memory.checkpoints_kept;
-- before: those written before it, of its path. Pages by it meet every one once.
SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => '', before => 'x') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => 'sub', before => 'a') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', before => 'x');
SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => '', before => 'z');
WITH RECURSIVE page AS (
    SELECT 1 AS n, array_agg(id) AS ids FROM memory.checkpoints('lists', 2, path => '')
    UNION ALL SELECT n + 1, (SELECT array_agg(id) FROM memory.checkpoints('lists', 2, path => '', before => ids[cardinality(ids)])) FROM page WHERE ids IS NOT NULL)
SELECT n, ids FROM page;
-- One that is gone counts by its text, be it that it was pruned or never there; an id of another path is no id of this one.
SELECT memory.prune_checkpoints('{lists}', 0, protect => '{z,y,x,b,a,q}');
SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => '', before => 'm') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => '', before => 'yy') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => '', before => 'r')
    UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => 'sub', before => 'z');
-- ancestors_of: the chain of parents, the nearest first, without itself, up to the first that is gone.
SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', ancestors_of => 'q') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', 2, ancestors_of => 'q') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', path => 'sub', ancestors_of => 'a');
SELECT count(*) AS "of the first", (SELECT count(*) FROM memory.checkpoints('lists', ancestors_of => 'm')) AS "of one that is gone", (SELECT count(*) FROM memory.checkpoints('lists', ancestors_of => 'a')) AS "of one of another path" FROM memory.checkpoints('lists', ancestors_of => 'z');
SELECT memory.prune_checkpoints('{lists}', 0, protect => '{z,x,b,a,q}');
SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', ancestors_of => 'q');
SELECT id, parent FROM memory.checkpoint('lists', 'x');
-- A parent that comes again is a parent again; one of another path is none.
SELECT memory.put_checkpoint('lists', '"again"', 'y', 'b');
SELECT string_agg(id, ' ') FROM memory.checkpoints('lists', ancestors_of => 'q');
-- What a list is asked for must all be true.
SELECT count(memory.put_checkpoint('chain', to_jsonb(n), 'c' || lpad(n::text, 2, '0'), 'c' || lpad((n - 1)::text, 2, '0'), jsonb_build_object('n', n, 'tags', CASE n % 2 WHEN 1 THEN '["odd"]' ELSE '"odd"' END::jsonb))) FROM generate_series(1, 12) n;
SELECT string_agg(id, ' ') FROM memory.checkpoints('chain', ancestors_of => 'c11', before => 'c05') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('chain', 1, ancestors_of => 'c11', before => 'c05')
    UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('chain', 2, ancestors_of => 'c11', filter => '{"n": {"$lt": 6}}') UNION ALL SELECT string_agg(id, ' ') FROM memory.checkpoints('chain', before => 'c05', filter => '{"tags": ["odd"]}');
-- filter is on metadata, in the language of all filters.
SELECT filter, string_agg(id, ' ') FROM unnest(ARRAY['{}', '{"n": 3}', '{"tags": ["odd"]}', '{"tags": "odd"}', '{"n": {"$gte": 10, "$ne": 11}}', '{"n": {"$in": [1, 12, "2"]}}', '{"$or": [{"n": 1}, {"n": 2}]}', '{"$not": {"n": {"$gt": 2}}}',
    '{"m": {"$exists": true}}', '{"$path": "$.n > 11"}']) WITH ORDINALITY f (filter, o), memory.checkpoints('chain', filter => filter::jsonb) GROUP BY o, filter ORDER BY o;
SELECT filter, pg_temp.refused(format('SELECT memory.checkpoints(filter => %L)', filter)) FROM unnest(ARRAY['[]', '{"n": {"$above": 1}}', '{"n": {"$gt": 1, "m": 2}}', '{"$path": "$.n"}']) filter;
-- Of all sessions: by created_at, then session and path by their bytes, then the order of writing.
UPDATE memory.checkpoints SET created_at = '2020-01-01' WHERE namespace = 'checkpoints_read';
UPDATE memory.checkpoints SET created_at = '2021-01-01' WHERE namespace = 'checkpoints_read' AND id = 'b';
SELECT string_agg(session_id || '/' || path || '/' || id, ' ') FROM memory.checkpoints(k => NULL) WHERE session_id IN ('lists', 'again', 'made by a put');
SELECT string_agg(session_id || '/' || id, ' ') FROM memory.checkpoints(path => 'sub') UNION ALL SELECT string_agg(session_id || '/' || id, ' ') FROM memory.checkpoints(k => 2) UNION ALL SELECT string_agg(session_id || '/' || id, ' ') FROM memory.checkpoints(filter => '{"n": {"$gt": 11}}');
-- By id alone: the newest written, of this path.
SELECT session_id, state FROM memory.checkpoint(id => 'a') UNION ALL SELECT session_id, state FROM memory.checkpoint(id => 'a', path => 'sub') UNION ALL SELECT session_id, state FROM memory.checkpoint(id => 'no such id');
SELECT memory.fork_session('parts', 'parts, forked'), memory.put_checkpoint('parts, forked', '"the newest"', 'c2');
SELECT session_id FROM memory.checkpoint(id => 'c2') UNION ALL SELECT session_id FROM memory.checkpoint(id => 'n5');
SELECT count(memory.delete_session(session_id)) > 0 AS deleted FROM memory.sessions WHERE namespace = 'checkpoints_read';
SELECT memory.set_scope();
