-- Checkpoints that go: by which conditions, what goes with them, and that all else stays whole; forks, and sessions that are deleted.
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
SELECT user_id FROM memory.set_scope('ann', namespace => 'checkpoints_pruned');
-- A text of 3 kB, of which step n has a fiftieth of its own.
CREATE FUNCTION pg_temp.made(n bigint) RETURNS text LANGUAGE sql AS $$ SELECT string_agg(md5((CASE WHEN i % 50 = n % 50 THEN n ELSE 0 END)::text || '.' || i), '' ORDER BY i) FROM generate_series(1, 100) i $$;
-- A step has it as its state, and another as its part.
CREATE FUNCTION pg_temp.put(session text, n bigint, parent bigint DEFAULT NULL, path text DEFAULT '', metadata jsonb DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
    SELECT memory.put_checkpoint(session, to_jsonb(pg_temp.made(n)), 'c' || n, 'c' || parent, metadata, path, refs => jsonb_build_object('p', n::text),
        part_names => '{p}', part_types => '{t}', part_data => ARRAY[convert_to(pg_temp.made(n + 100), 'UTF8')]) $$;
-- What a session has, path by path; what is not as it was put is shown in capitals.
CREATE FUNCTION pg_temp.has(session text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(concat(path, '/', CASE WHEN c.state = to_jsonb(pg_temp.made(n)) AND c.part_data = ARRAY[convert_to(pg_temp.made(n + 100), 'UTF8')] THEN id ELSE upper(id) END), ' ')
    FROM memory.checkpoints(session, k => NULL, full_rows => true) c, CAST(substr(c.id, 2) AS bigint) n $$;
-- The rows of a session's tables, and how many of its store's no chain begins with and nothing needs.
CREATE VIEW pg_temp.session_rows AS SELECT session_id,
    (SELECT count(*) FROM memory.checkpoints c WHERE c.session = s.key) AS checkpoints, (SELECT count(*) FROM memory.checkpoint_parts p WHERE p.session = s.key) AS parts,
    (SELECT count(*) FROM memory.checkpoint_writes w WHERE w.session = s.key) AS writes,
    (SELECT count(*) FROM memory.checkpoint_bytes v WHERE v.store = coalesce(s.store, s.key)) AS bytes,
    (SELECT count(*) FROM memory.checkpoint_bytes v WHERE v.store = coalesce(s.store, s.key) AND v.chain = '{}') AS keyframes
FROM memory.sessions s WHERE namespace = 'checkpoints_pruned';
CREATE VIEW pg_temp.all_rows AS SELECT (SELECT count(*) FROM memory.sessions WHERE namespace = 'checkpoints_pruned') AS sessions, (SELECT count(*) FROM memory.checkpoint_stores WHERE namespace = 'checkpoints_pruned') AS stores,
    (SELECT count(*) FROM memory.checkpoints WHERE namespace = 'checkpoints_pruned') AS checkpoints, (SELECT count(*) FROM memory.checkpoint_parts WHERE namespace = 'checkpoints_pruned') AS parts,
    (SELECT count(*) FROM memory.checkpoint_writes WHERE namespace = 'checkpoints_pruned') AS writes, (SELECT count(*) FROM memory.checkpoint_bytes WHERE namespace = 'checkpoints_pruned') AS bytes;

-- === conditions ==============================================================================
-- Two sessions of ten steps on two paths, of three runs, a day each.
SELECT count(pg_temp.put(s, n, n - 1, CASE WHEN n > 6 THEN 'sub' ELSE '' END, jsonb_build_object('run_id', 'r' || n % 3))) FROM unnest('{one,two}'::text[]) s, generate_series(1, 10) n;
UPDATE memory.checkpoints SET created_at = '2026-01-01'::timestamptz + substr(id, 2)::int * interval '1 day' WHERE namespace = 'checkpoints_pruned';
CREATE FUNCTION pg_temp.without(condition text, OUT gone bigint, OUT one text, OUT two text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT memory.prune_checkpoints(' || condition || ')' INTO gone;
    one := pg_temp.has('one'); two := pg_temp.has('two');
    RAISE EXCEPTION USING ERRCODE = 'P0001', MESSAGE = gone || ' gone; one has ' || coalesce(one, 'none') || '; two has ' || coalesce(two, 'none');
END $$;
-- Each by itself, and together: what goes meets all of them. keep counts each path of each session; before is strictly before; protect is by id.
SELECT condition, pg_temp.refused(format('SELECT pg_temp.without(%L)', condition)) FROM unnest(ARRAY[
    $$'{one}'$$, $$'{one,two}', keep => 0$$, $$'{}', keep => 0$$, $$keep => 0$$, $$keep => 2$$, $$keep => 100$$, $$'{two,no such session}', keep => 1$$,
    $$run_ids => '{r1}'$$, $$run_ids => '{r1,r2,r9}'$$, $$run_ids => '{}'$$, $$before => '2026-01-05'$$, $$before => '-infinity'$$, $$before => 'infinity'$$,
    $$'{one}', run_ids => '{r1}'$$, $$'{one}', 3, before => '2026-01-03'$$, $$'{one}', 5, before => '2026-01-03'$$, $$'{one}', 1, '{r1}'$$, $$'{one}', 1, '{r1}', '2026-01-04'$$,
    $$'{one}', 0, protect => '{c2,c9}'$$, $$keep => 1, run_ids => '{r0}', before => '2026-01-09', protect => '{c3}'$$, $$'{one}', 0, protect => '{}'$$, $$'{one}', NULL, NULL, NULL, NULL$$]) WITH ORDINALITY c (condition, n) ORDER BY n;
-- run_ids is compared with metadata.run_id as text; a checkpoint without one is of no run.
BEGIN;
SELECT memory.put_checkpoint('runs', '1', 'number', metadata => '{"run_id": 5}'), memory.put_checkpoint('runs', '1', 'null', metadata => '{"run_id": null}'), memory.put_checkpoint('runs', '1', 'none'), memory.put_checkpoint('runs', '1', 'within', metadata => '{"run": {"run_id": "5"}}');
SELECT memory.prune_checkpoints(run_ids => '{5,"null",""}');
SELECT string_agg(id, ' ') FROM memory.checkpoints('runs');
ROLLBACK;
-- One is needed, and what is given must be good.
SELECT condition, pg_temp.refused(format('SELECT memory.prune_checkpoints(%s)', condition)) FROM unnest(ARRAY['', 'NULL, NULL, NULL, NULL', $$protect => '{c1}'$$, $$user_id => 'ann'$$, 'keep => -1', $$'{one}', 9223372036854775807$$,
    $$'{one,NULL}'$$, $$run_ids => '{NULL}'$$, $$'{one}', protect => '{c1,NULL}'$$]) condition;
SELECT pg_temp.has('one') = pg_temp.has('two') AS "nothing is gone", count(*) FROM memory.checkpoints('one');

-- === what goes with them =====================================================================
-- Writes go with their checkpoint, those whose checkpoint has not come stay; parts go that no remaining checkpoint refers to, and bytes that no remaining one needs.
SELECT memory.put_writes('one', 'c2', 't', '{0,1}', '{a,b}', '{t,t}', '{"\\x01","\\x02"}'), memory.put_writes('one', 'c6', 't', '{0}', '{a}', '{t}', '{"\\x01"}'), memory.put_writes('one', 'c99', 't', '{0}', '{early}', '{t}', '{"\\x01"}'),
    memory.put_writes('one', 'c2', 't', '{0}', '{of another path}', '{t}', '{"\\x01"}', path => 'sub'), memory.put_checkpoint('one', '"as before"', 'c0', refs => '{"p": "2"}');
SELECT * FROM pg_temp.session_rows WHERE session_id = 'one';
SELECT memory.prune_checkpoints('{one}', 0, protect => '{c0,c5,c6,c7,c8,c9,c10}');
SELECT * FROM pg_temp.session_rows WHERE session_id = 'one';
-- Of parts of those four, version 2 is still referred to. The other session is as it was.
SELECT part_data = ARRAY[convert_to(pg_temp.made(102), 'UTF8')] AS whole FROM memory.checkpoint('one', 'c0');
SELECT p.version FROM memory.checkpoint_parts p JOIN memory.sessions s ON s.key = p.session WHERE s.namespace = 'checkpoints_pruned' AND session_id = 'one' ORDER BY p.version::int;
SELECT string_agg(concat_ws('/', w.path, w.checkpoint, w.name), ' ' ORDER BY w.number) FROM memory.checkpoint_writes w JOIN memory.sessions s ON s.key = w.session WHERE s.namespace = 'checkpoints_pruned' AND session_id = 'one';
SELECT * FROM pg_temp.session_rows WHERE session_id = 'two';
-- The oldest survivor is a keyframe now, and what follows it is what it was: a delta against it.
SELECT count(*) FILTER (WHERE c.id = 'c5' AND v.chain = '{}' AND length(v.data) = v.size) AS "c5 is a keyframe", count(*) FILTER (WHERE c.id = 'c6' AND cardinality(v.chain) = 1 AND length(v.data) < v.size / 3) AS "c6 is a delta"
    FROM memory.checkpoint_bytes v JOIN memory.checkpoints c ON c.session = v.store AND c.state = v.number JOIN memory.sessions s ON s.key = v.store AND s.namespace = 'checkpoints_pruned' AND session_id = 'one';
-- Late writes find their checkpoint; a checkpoint that comes again has none of the writes that went.
SELECT memory.put_checkpoint('one', '1', 'c99'), memory.put_checkpoint('one', '1', 'c2');
SELECT id, write_names FROM memory.checkpoint('one', 'c99') UNION ALL SELECT id, write_names FROM memory.checkpoint('one', 'c2');
SELECT memory.prune_checkpoints('{one}', 0, protect => '{c5,c6,c7,c8,c9,c10}');
-- A part that went can come again, with other data; one that stays cannot.
SELECT memory.put_checkpoint('one', '1', 'p', refs => '{"p": "2", "q": "1"}', part_names => '{p}', part_types => '{t}', part_data => '{"\\xab"}'), memory.put_checkpoint('one', '1', 'p5', refs => '{"p": "5"}', part_names => '{p}', part_types => '{t}', part_data => '{"\\xab"}');
SELECT part_data FROM memory.checkpoint('one', 'p') UNION ALL SELECT ARRAY[substr(part_data[1], 1, 1)] FROM memory.checkpoint('one', 'p5');
-- No child breaks, whichever go: each single one, and each pair, of seven that form a tree.
SELECT count(pg_temp.put('tree', n, p)) FROM (VALUES (1, NULL), (2, 1), (3, 2), (4, 2), (5, 1), (6, 4), (7, 5)) v (n, p);
CREATE FUNCTION pg_temp.whole_without(gone text[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE whole boolean;
BEGIN
    PERFORM memory.prune_checkpoints('{tree}', 0, protect => ARRAY(SELECT 'c' || n FROM generate_series(1, 7) n WHERE NOT 'c' || n = ANY (gone)));
    whole := pg_temp.has('tree') = (SELECT string_agg('/c' || n, ' ' ORDER BY n DESC) FROM generate_series(1, 7) n WHERE NOT 'c' || n = ANY (gone))
        AND (SELECT bytes = 2 * (7 - cardinality(gone)) FROM pg_temp.session_rows WHERE session_id = 'tree');
    RAISE EXCEPTION USING ERRCODE = 'P0002', MESSAGE = whole::text;
EXCEPTION WHEN no_data_found THEN
    RETURN SQLERRM::boolean;
END $$;
SELECT count(*), bool_and(pg_temp.whole_without(ARRAY['c' || a, 'c' || b])) AS whole FROM generate_series(1, 7) a, generate_series(1, 7) b WHERE a < b;
SELECT count(*), bool_and(pg_temp.whole_without(ARRAY['c' || a, 'c' || b, 'c' || c])) AS whole FROM generate_series(1, 7) a, generate_series(1, 7) b, generate_series(1, 7) c WHERE a < b AND b < c;
SELECT bool_and(pg_temp.whole_without(ARRAY['c' || a])) AS whole FROM generate_series(1, 7) a;
-- keep, by argument and by setting, is of the path that is written.
SELECT count(pg_temp.put('kept', n, n - 1, CASE n % 2 WHEN 0 THEN 'even' ELSE '' END)) FROM generate_series(1, 9) n;
SELECT memory.put_checkpoint('kept', to_jsonb(pg_temp.made(11)), 'c11', keep => 2, refs => '{"p": "9"}');
SELECT string_agg(path || '/' || id, ' ') FROM memory.checkpoints('kept');
BEGIN;
SET LOCAL memory.checkpoints_kept = 1;
SELECT memory.put_checkpoint('kept', '1', 'c12', path => 'even'), memory.put_checkpoint('kept', '1', 'c13', keep => 0);
SELECT string_agg(path || '/' || id, ' ') FROM memory.checkpoints('kept');
ROLLBACK;
SELECT * FROM pg_temp.session_rows WHERE session_id = 'kept';
-- A prune that asks for more than there is takes nothing, and is no write.
SELECT version, memory.prune_checkpoints('{kept}', 100) FROM memory.session('kept');

-- === versions of a session ===================================================================
-- Every drop raises the version, once, and none is a write into the session.
SELECT count(pg_temp.put('versions', n, n - 1, CASE n WHEN 5 THEN 'sub' ELSE '' END)) FROM generate_series(1, 5) n;
UPDATE memory.sessions SET updated_at = '2020-01-01', created_at = '2020-01-01' WHERE namespace = 'checkpoints_pruned' AND session_id = 'versions';
SELECT version FROM memory.session('versions');
SELECT memory.prune_checkpoints('{versions}', 3), memory.prune_checkpoints('{versions}', 3);
SELECT version, updated_at = created_at AS "not written" FROM memory.session('versions');
SELECT memory.delete_session('versions', 'sub'), memory.delete_session('versions', 'sub');
SELECT version, updated_at = created_at AS "not written" FROM memory.session('versions');
SELECT memory.put_checkpoint('versions', '1', 'c6'), memory.put_checkpoint('versions', '2', 'c6'), memory.put_writes('versions', 'c6', 't', '{0}', '{n}', '{t}', '{"\\x01"}');
SELECT version FROM memory.session('versions');
SELECT memory.put_checkpoint('versions', '3', 'c7', keep => 2), memory.put_checkpoint('versions', '3', 'c7', keep => 2);
SELECT version FROM memory.session('versions');
SELECT pg_temp.refused($$SELECT memory.set_session('versions', '{}', expected_version => 3)$$);

-- === paths ===================================================================================
-- A session's paths are those that it has checkpoints in, by their bytes.
SELECT paths FROM memory.session('versions');
SELECT count(memory.put_checkpoint('paths', '1', 'c' || n, path => path)) FROM unnest(ARRAY['b', '', 'B', 'é', 'a|b', repeat('x', 100), repeat('x', 99) || 'w', 'b']) WITH ORDINALITY p (path, n);
SELECT array_replace(array_replace(paths, repeat('x', 100), '100 x'), repeat('x', 99) || 'w', '99 x and w') AS paths FROM memory.session('paths');
SELECT memory.set_session('no paths', '{}');
SELECT paths FROM memory.session('no paths');
SELECT memory.put_writes('no paths', 'c', 't', '{0}', '{n}', '{t}', '{"\\x01"}', path => 'of writes');
SELECT paths FROM memory.session('no paths');
SELECT memory.put_checkpoint('no paths', '1', 'c', path => 'only');
SELECT memory.delete_session('paths', 'b'), memory.delete_session('paths', 'é'), memory.prune_checkpoints('{paths}', 0, protect => '{c2,c3,c5}');
SELECT session_id, paths FROM memory.sessions(ids => '{paths,no paths,one}') ORDER BY session_id;
SELECT paths FROM memory.session('paths', user_id => 'bob');

-- === a path is deleted =======================================================================
-- Checkpoints, parts and writes of that path alone, those whose checkpoint has not come among them.
SELECT count(pg_temp.put('deleted', n, n - 1, path)) FROM unnest('{"",sub,sub 2}'::text[]) path, generate_series(1, 3) n;
SELECT count(memory.put_writes('deleted', c, 't', '{0}', '{n}', '{t}', '{"\\x01"}', path => path)) FROM unnest('{"",sub,sub 2}'::text[]) path, unnest('{c1,late}'::text[]) c;
SELECT * FROM pg_temp.session_rows WHERE session_id = 'deleted';
SELECT memory.delete_session('deleted', 'sub'), memory.delete_session('deleted', 'no such path'), memory.delete_session('deleted', 'sub', user_id => 'bob');
SELECT *, pg_temp.has('deleted') FROM pg_temp.session_rows WHERE session_id = 'deleted';
SELECT count(*) FROM memory.writes('deleted', 'late', path => 'sub');
-- Writes alone are something to delete.
SELECT memory.put_writes('deleted', 'c', 't', '{0}', '{n}', '{t}', '{"\\x01"}', path => 'writes'), memory.delete_session('deleted', 'writes'), memory.delete_session('deleted', 'writes');
-- The session is there until all of it is deleted, also when no path is left.
SELECT memory.delete_session('deleted', 'sub 2'), memory.prune_checkpoints('{deleted}', 0);
SELECT paths FROM memory.session('deleted');
SELECT memory.delete_session('deleted', NULL), memory.delete_session('deleted');
SELECT paths FROM memory.session('deleted');
-- What comes after it is another session of this name.
SELECT pg_temp.put('deleted', 1);
SELECT version, paths, pg_temp.has('deleted') FROM memory.session('deleted');

-- === forks ===================================================================================
-- A fork has the agent, the metadata unless its own are given, a version of its own, and no checkpoint after upto_checkpoint; of the other paths those that were written before it.
SELECT memory.set_session('past', '{"title": "past"}', agent_id => 'planner'), memory.set_session('past', '{"n": 1}');
SELECT count(pg_temp.put('past', n, n - 1, CASE n WHEN 3 THEN 'sub' WHEN 6 THEN 'sub' ELSE '' END)) FROM generate_series(1, 6) n;
SELECT memory.put_writes('past', 'c' || n, 't', '{0}', '{n}', '{t}', '{"\\x01"}') FROM unnest('{1,4,5,99}'::int[]) n;
SELECT memory.fork_session('past', 'whole'), memory.fork_session('past', 'part', upto_checkpoint => 'c4', metadata => '{}'), length(memory.fork_session('past')) AS "a name of its own";
SELECT session_id, agent_id, metadata, version, paths, pg_temp.has(session_id) FROM memory.sessions(ids => '{past,whole,part}') ORDER BY created_at, session_id;
SELECT * FROM pg_temp.session_rows WHERE session_id IN ('past', 'whole', 'part') ORDER BY session_id;
SELECT string_agg(DISTINCT w.checkpoint, ' ') FROM memory.checkpoint_writes w JOIN memory.sessions s ON s.key = w.session WHERE s.namespace = 'checkpoints_pruned' AND session_id = 'part';
-- created_at, parents and the order are those of the original.
SELECT count(*), bool_and(a.created_at = b.created_at AND a.parent IS NOT DISTINCT FROM b.parent AND a.metadata = b.metadata) FROM memory.checkpoints('past') WITH ORDINALITY a JOIN memory.checkpoints('whole') WITH ORDINALITY b USING (ordinality, path, id);
-- Bytes are not copied: the forks have added none, and share one store.
SELECT count(DISTINCT coalesce(store, key)) AS stores FROM memory.sessions WHERE namespace = 'checkpoints_pruned' AND session_id IN ('past', 'whole', 'part');
-- Both sides go on, and neither sees the other; what they add is written against what they share.
SELECT pg_temp.put('past', 7, 5), pg_temp.put('whole', 8, 5), pg_temp.put('part', 9, 4);
SELECT pg_temp.has('past'), pg_temp.has('whole'), pg_temp.has('part');
SELECT bytes, keyframes FROM pg_temp.session_rows WHERE session_id = 'past';
-- Pruning one side leaves the other whole, and so does deleting the original.
SELECT memory.prune_checkpoints('{whole}', 1);
SELECT pg_temp.has('past'), pg_temp.has('whole'), pg_temp.has('part');
SELECT memory.delete_session('past');
SELECT pg_temp.has('past'), pg_temp.has('whole'), pg_temp.has('part');
SELECT bytes, keyframes FROM pg_temp.session_rows WHERE session_id = 'part';
-- A session of the original's name is a new one, and a fork can be forked.
SELECT pg_temp.put('past', 1), memory.fork_session('part', 'part of part', upto_checkpoint => 'c2'), pg_temp.put('part of part', 10, 2);
SELECT pg_temp.has('past'), pg_temp.has('part of part');
SELECT count(DISTINCT coalesce(store, key)) AS stores FROM memory.sessions WHERE namespace = 'checkpoints_pruned' AND session_id IN ('past', 'part', 'part of part');
SELECT memory.prune_checkpoints('{part}', 0), memory.delete_session('part');
SELECT pg_temp.has('part of part'), pg_temp.has('whole');
-- A fork of a session without checkpoints, of one with writes alone, and of one whose checkpoints are all gone.
SELECT memory.set_session('bare', '{"a": 1}'), memory.fork_session('bare', 'bare, forked'), memory.put_checkpoint('bare, forked', '1', 'c1'), memory.put_writes('early', 'c', 't', '{0}', '{n}', '{t}', '{"\\x01"}'), memory.fork_session('early', 'early, forked');
SELECT s.*, metadata FROM pg_temp.session_rows s JOIN memory.sessions(k => NULL) USING (session_id) WHERE session_id LIKE 'bare%' OR session_id LIKE 'early%' ORDER BY session_id;
SELECT memory.prune_checkpoints('{past}', 0), memory.fork_session('past', 'past, forked');
SELECT * FROM pg_temp.session_rows WHERE session_id LIKE 'past%' ORDER BY session_id;
-- What cannot be forked, and into what.
SELECT statement, pg_temp.refused('SELECT memory.' || statement) FROM unnest(ARRAY[$$fork_session(NULL)$$, $$fork_session('')$$, $$fork_session('no such session')$$, $$fork_session('part of part', '')$$, $$fork_session('part of part', repeat('x', 1025))$$,
    $$fork_session('part of part', 'whole')$$, $$fork_session('part of part', 'part of part')$$, $$fork_session('part of part', 'f', upto_checkpoint => 'c10x')$$, $$fork_session('part of part', 'f', upto_checkpoint => '')$$,
    $$fork_session('whole', 'f', upto_checkpoint => 'c6')$$, $$fork_session('part of part', 'f', metadata => '[]')$$, $$fork_session('part of part', 'f', user_id => 'bob')$$, $$delete_session(NULL)$$, $$delete_session('')$$, $$delete_session('whole', repeat('x', 1025))$$]) statement;
SELECT count(*) FROM memory.session('f');
-- Another user's session of a name is no hindrance.
SELECT memory.set_session('f', '{}', user_id => 'bob'), memory.fork_session('part of part', 'f');
SELECT memory.delete_session('f', user_id => 'bob');
SELECT pg_temp.has('f');

-- === a session's row is deleted ==============================================================
-- By a statement on the table, one or several of a store at once: what belongs to them goes with them, and what they share with others stays.
SELECT count(pg_temp.put('row', n, n - 1)), count(memory.put_writes('row', 'c' || n, 't', '{0}', '{n}', '{t}', '{"\\x01"}')) FROM generate_series(1, 6) n;
SELECT memory.fork_session('row', 'row 2'), memory.fork_session('row', 'row 3', upto_checkpoint => 'c3'), pg_temp.put('row 2', 7, 6), pg_temp.put('row 3', 8, 3);
DELETE FROM memory.sessions WHERE namespace = 'checkpoints_pruned' AND session_id = 'row';
SELECT *, pg_temp.has(session_id) FROM pg_temp.session_rows WHERE session_id LIKE 'row%' ORDER BY session_id;
SELECT memory.fork_session('row 3', 'row 4');
DELETE FROM memory.sessions WHERE namespace = 'checkpoints_pruned' AND session_id IN ('row 2', 'row 4');
SELECT *, pg_temp.has(session_id) FROM pg_temp.session_rows WHERE session_id LIKE 'row%' ORDER BY session_id;
SELECT memory.fork_session('row 3', 'row 5'), pg_temp.put('row 5', 9, 8);
BEGIN;
DELETE FROM memory.sessions WHERE namespace = 'checkpoints_pruned';
SELECT * FROM pg_temp.all_rows;
ROLLBACK;
SELECT pg_temp.has('row 3'), pg_temp.has('row 5');

-- === what it costs ===========================================================================
-- Pages that are read grow with the session, and neither with its square nor with the other sessions of the user; also before the planner knows anything of them. The bounds have room for
-- catalogs that are read again when autovacuum comes by.
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/blocks.sql
SELECT count(memory.put_checkpoint('long', to_jsonb(n), 'c' || n, 'c' || n - 1, refs => jsonb_build_object('a', n::text, 'b', (n / 2)::text), part_names => '{a,b}', part_types => '{t,t}', part_data => '{"\\x01","\\x02"}')),
    count(memory.put_writes('long', 'c' || n, 't', '{0}', '{n}', '{t}', '{"\\x01"}')) FROM generate_series(1, 1000) n;
SELECT pg_temp.blocks($$SELECT memory.fork_session('long', 'long, forked')$$, once => true) < 40000 AS "fork of 1,000", pg_temp.blocks($$SELECT memory.prune_checkpoints('{long}', 500)$$, once => true) < 10000 AS "prune of 500", pg_temp.blocks($$SELECT memory.put_checkpoint('long', '1', 'last', keep => 500)$$, once => true) < 2000 AS "keep of 500";
INSERT INTO memory.sessions (session_id) SELECT 'other ' || n FROM generate_series(1, 3000) n;
SELECT pg_temp.blocks($$SELECT memory.put_checkpoint('short', '1', 'c' || n, keep => 2) FROM generate_series(1, 20) n$$, once => true) < 15000 AS "20 puts", pg_temp.blocks($$SELECT memory.delete_session('short')$$, once => true) < 2000 AS deletion;
DELETE FROM memory.sessions WHERE namespace = 'checkpoints_pruned' AND session_id LIKE 'other %';

-- === nothing is left over ====================================================================
SELECT count(*) FROM memory.checkpoint_bytes v WHERE namespace = 'checkpoints_pruned' AND NOT EXISTS (SELECT FROM memory.checkpoints c JOIN memory.sessions s ON s.key = c.session WHERE coalesce(s.store, s.key) = v.store AND c.state = v.number)
    AND NOT EXISTS (SELECT FROM memory.checkpoint_parts p JOIN memory.sessions s ON s.key = p.session WHERE coalesce(s.store, s.key) = v.store AND p.number = v.number);
SELECT bool_and(memory.delete_session(session_id)) FROM memory.sessions WHERE namespace = 'checkpoints_pruned';
SELECT * FROM pg_temp.all_rows;
SELECT memory.set_scope();
