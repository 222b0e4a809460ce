-- Runs: what they keep, how they are resumed, listed and deleted (docs/conversations.md, "Runs and policies").
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/begun.sql

-- === a paused run is resumed from another connection =========================================
-- Four runs of an agent stop, each for something that a person or another program has to say.
SELECT memory.set_scope('ann', agent_id => 'travel', namespace => 'regress_runs');
SELECT memory.save_run('trip', run, status => 'paused', state => '{"step": 3}', requirements => requirements::jsonb) FROM (VALUES
    ('confirmation', '[{"id": 1, "needs": "confirmation", "tool": "book", "arguments": {"train": "NJ 40490"}}]'),
    ('rejection', '[{"id": 1, "needs": "confirmation", "tool": "book", "arguments": {"train": "RJ 49"}}]'),
    ('input', '[{"id": 1, "needs": "input", "fields": ["budget", "class"]}]'),
    ('result', '[{"id": 1, "needs": "result", "tool": "take_photo"}, {"id": 2, "needs": "confirmation", "tool": "send"}]')) r (run, requirements);
\connect -
-- Another connection finds them, with what they wait for.
\pset format unaligned
\pset footer off
\set VERBOSITY terse
SET client_min_messages = warning;
SELECT memory.set_scope('ann', namespace => 'regress_runs');
SELECT run_id, agent_id, state, requirements FROM memory.runs(session_id => 'trip', statuses => '{paused}');
-- It answers each, and lets the run go on if nothing else has.
CREATE FUNCTION pg_temp.answer(run text, answers jsonb) RETURNS jsonb LANGUAGE sql AS $$
    SELECT memory.save_run(session_id, run_id, status => 'running', expected_status => '{paused}', requirements =>
        (SELECT jsonb_agg(r || coalesce(jsonb_path_query_first(answers, '$[*] ? (@.id == $id)', jsonb_build_object('id', r -> 'id')), '{}') ORDER BY n)
         FROM jsonb_array_elements(requirements) WITH ORDINALITY e (r, n)))
    FROM memory.run(run)
$$;
SELECT pg_temp.answer('confirmation', '[{"id": 1, "confirmed": true}]');
SELECT pg_temp.answer('rejection', '[{"id": 1, "confirmed": false, "note": "Too early: the one at eight, please."}]');
SELECT pg_temp.answer('input', '[{"id": 1, "values": {"budget": 120.00, "class": null}}]');
SELECT pg_temp.answer('result', '[{"id": 1, "result": {"url": "https://photos.example/7", "width": 640}}, {"id": 2, "confirmed": true}]');
-- Who comes second is told, and changes nothing.
\set VERBOSITY default
SELECT pg_temp.answer('confirmation', '[{"id": 1, "confirmed": false}]');
\set VERBOSITY terse
\connect -
-- The agent, on a third connection, sees the answers and goes on where it stopped.
\pset format unaligned
\pset footer off
\set VERBOSITY terse
SET client_min_messages = warning;
SELECT memory.set_scope('ann', namespace => 'regress_runs');
SELECT run_id, status, state, requirements FROM memory.runs(session_id => 'trip');
SELECT memory.save_run('trip', run_id, status => 'completed', state => '4', state_path => '{step}', requirements => '[]', expected_status => '{running}') FROM memory.runs(session_id => 'trip');
SELECT count(*) AS "to be resumed" FROM memory.runs(statuses => '{running,paused,cancelled,error}');
SELECT memory.delete_session('trip');

\i :source/sql/shared/refused.sql
CREATE TEMP VIEW seen AS SELECT run_id, session_id, agent_id, status, state, requirements, user_id FROM memory.runs();

-- === save_run ================================================================================
-- It makes the run, and its session. A new run is running, knows nothing and waits for nothing.
SELECT memory.set_scope('ann', agent_id => 'travel', namespace => 'regress_runs');
SELECT memory.save_run('monday', 'r1');
SELECT * FROM pg_temp.seen;
SELECT session_id, agent_id FROM memory.sessions();
-- What is NULL stays as it was; what is given takes its place, and the whole state is returned. The state may be any JSON.
SELECT memory.save_run('monday', 'r1', status => 'paused', state => '{"a": 1, "b": {"c": [1.50, null]}}', requirements => '{"ask": "which day?"}', agent_id => 'planner');
SELECT memory.save_run('monday', 'r1'), memory.save_run('monday', 'r1', status => NULL, state => NULL, state_path => NULL, requirements => NULL, messages => NULL, expected_status => NULL, user_id => NULL, agent_id => NULL);
SELECT * FROM pg_temp.seen;
SELECT memory.save_run('monday', 'r1', requirements => '[]'), memory.save_run('monday', 'r1', state => 'null'), memory.save_run('monday', 'r1', state => '[1, "x"]'), memory.save_run('monday', 'r1', status => 'error');
SELECT * FROM pg_temp.seen;
-- Every status may follow every other.
SELECT memory.save_run('monday', 'r1', status => s), (SELECT status FROM memory.run('r1')) IS NOT NULL AS there FROM unnest('{completed,running,cancelled,paused,error,running}'::text[]) s;
SELECT status FROM memory.run('r1');
-- The setting's session, and the setting's agent for a run without one.
SET memory.session_id = 'monday';
SELECT memory.save_run(NULL, 'r2', agent_id => NULL);
RESET memory.session_id;
UPDATE memory.runs SET agent_id = NULL WHERE namespace = 'regress_runs' AND run_id = 'r2';
SELECT memory.save_run('monday', 'r2');
SELECT run_id, agent_id FROM pg_temp.seen ORDER BY 1;
SELECT memory.delete_session('monday');

-- === state_path: one place of the state ======================================================
SELECT memory.save_run('monday', 'r1', state => '1', state_path => '{a,b,c}');
SELECT memory.save_run('monday', 'r1', state => '{"x": [1, 2]}', state_path => '{a,b,d}');
SELECT memory.save_run('monday', 'r1', state => 'null', state_path => '{a,b,c}');
SELECT memory.save_run('monday', 'r1', state => '"é \" \\ \u0001"', state_path => ARRAY['ключ', '0', 'a.b', '$', ' ']);
SELECT memory.save_run('monday', 'r1', state => '7', state_path => '[-3:-2]={a,n}'), memory.save_run('monday', 'r1', state => '[]', state_path => '{a}');
SELECT memory.save_run('monday', 'r1', state => '{}'), memory.save_run('monday', 'r1', state => '{}', state_path => '{a}'), memory.save_run('monday', 'r1', state => '1', state_path => '{a,b}');
-- As deep as names of 1 kB go, and back.
SELECT jsonb_path_query(memory.save_run('monday', 'r1', state => '"here"', state_path => array_fill('x'::text, ARRAY[1024])), ('$' || repeat('.x', 1024))::jsonpath);
-- The same as jsonb_set, wherever the way is there.
CREATE TEMP TABLE place AS SELECT 'p' || row_number() OVER () AS run, path::text[], value::jsonb
FROM unnest('{"{a}","{b}","{b,c}","{b,e}","{b,d,f}","{b,d,g}","{new}"}'::text[]) path, unnest('{1,"null","{\"n\": {}}","[]","\"s\""}'::text[]) value;
SELECT count(memory.save_run('monday', run, state => '{"a": 1, "b": {"c": 2, "d": {"f": 3}}}')) FROM pg_temp.place;
SELECT count(*) AS places, bool_and(memory.save_run('monday', run, state => value, state_path => path) = jsonb_set('{"a": 1, "b": {"c": 2, "d": {"f": 3}}}', path, value)) AS "as jsonb_set" FROM pg_temp.place;
-- It does not pass through what is no object, nor change anything then.
SELECT memory.save_run('monday', 'r1', state => '{"list": [{"a": 1}], "text": "x", "none": null, "n": 1, "yes": true}') IS NOT NULL AS saved;
SELECT pg_temp.refused(format($$SELECT memory.save_run('monday', 'r1', status => 'error', state => '1', state_path => %L)$$, path))
FROM unnest('{"{list,0}","{list,0,a}","{text,a}","{none,a}","{n,a,b}","{yes,a}"}'::text[]) path;
SELECT memory.save_run('monday', 'whole', state => s::jsonb) IS NOT NULL AS saved, pg_temp.refused($$SELECT memory.save_run('monday', 'whole', state => '1', state_path => '{a}')$$) FROM unnest('{[],1,"null","\"x\""}'::text[]) s;
SELECT status, state FROM memory.run('r1');
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.save_run('monday', 'r1', state_path => '{a}')$$,
    $$SELECT memory.save_run('monday', 'r1', state => '1', state_path => '{}')$$,
    $$SELECT memory.save_run('monday', 'r1', state => '1', state_path => '{a,NULL}')$$,
    $$SELECT memory.save_run('monday', 'r1', state => '1', state_path => '{a,""}')$$,
    $$SELECT memory.save_run('monday', 'r1', state => '1', state_path => '{{a,b},{c,d}}')$$,
    $$SELECT memory.save_run('monday', 'r1', state => '1', state_path => ARRAY[repeat('x', 1025)])$$,
    $$SELECT memory.save_run('monday', 'r1', state => '1', state_path => array_fill('xx'::text, ARRAY[513]))$$]) s;
SELECT memory.delete_session('monday');

-- === expected_status =========================================================================
SELECT pg_temp.refused($$SELECT memory.save_run('monday', 'r1', expected_status => '{running}')$$);
SELECT count(*) AS sessions FROM memory.sessions();
SELECT memory.save_run('monday', 'r1', state => '1');
SELECT memory.save_run('monday', 'r1', status => 'paused', expected_status => '{running}'), memory.save_run('monday', 'r1', state => '2', expected_status => '{running,paused}');
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.save_run('monday', 'r1', state => '3', expected_status => '{running}')$$,
    $$SELECT memory.save_run('monday', 'r1', state => '3', expected_status => '{running,completed,cancelled,error}')$$,
    $$SELECT memory.save_run('monday', 'r2', state => '3', expected_status => '{running,completed,paused,cancelled,error}')$$]) s;
SELECT run_id, status, state FROM pg_temp.seen;

-- === a run stays in its session ==============================================================
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.save_run('tuesday', 'r1', state => '3')$$,
    $$SELECT memory.save_run('tuesday', 'r1', state => '3', expected_status => '{completed}')$$]) s;
SELECT run_id, session_id, state FROM pg_temp.seen;
SELECT count(*) AS tuesday FROM memory.session('tuesday');
-- Another user's run of the same name is another run, wherever it is.
SELECT memory.save_run('tuesday', 'r1', state => '"bob''s"', user_id => 'bob');
SELECT run_id, session_id, state, user_id FROM memory.run('r1') UNION ALL SELECT run_id, session_id, state, user_id FROM memory.run('r1', user_id => 'bob');
SELECT memory.delete_session('monday'), memory.delete_session('tuesday', user_id => 'bob');

-- === messages of a run =======================================================================
SELECT memory.set_scope('ann', namespace => 'regress_runs');
CREATE TEMP VIEW log AS SELECT seq, run_id, role, content FROM memory.messages('monday', k => NULL);
-- They are appended to the session. Given again, the n-th takes the place of the run's n-th, and more are appended.
SELECT memory.save_run('monday', 'r1', messages => '[{"role": "user", "content": "A train to Vienna?"}, {"role": "assistant", "content": "Looking for trains."}]');
SELECT count(*) FROM memory.add_messages('monday', '[{"role": "user", "content": "No run at all."}]');
SELECT memory.save_run('monday', 'r2', messages => '[{"role": "user", "content": "And back?"}]');
SELECT memory.save_run('monday', 'r1', messages => '[{"role": "user", "content": "A train to Vienna?"}, {"role": "assistant", "content": "Found the RJ 49."}, {"role": "assistant", "content": "Shall I book?"}]');
SELECT * FROM pg_temp.log;
-- Fewer, or none, leave the others; another run's are not touched.
SELECT memory.save_run('monday', 'r1', messages => '[{"role": "user", "content": "A night train to Vienna?"}]'), memory.save_run('monday', 'r1', messages => '[]'), memory.save_run('monday', 'r1', status => 'paused');
SELECT * FROM pg_temp.log;
-- What was replaced is not recalled, what took its place is.
SELECT what, (SELECT string_agg(content, ' | ' ORDER BY content) FROM memory.recall_scored(what, k => 9, min_relevance => 0.1)) AS recalled FROM unnest('{"looking for trains","the RJ 49","night train"}'::text[]) what;
-- A message that is none is refused, and nothing of the call is written.
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.save_run('monday', 'r1', status => 'completed', state => '1', messages => '[{"role": "user", "content": "x"}, "y"]')$$,
    $$SELECT memory.save_run('monday', 'r1', status => 'completed', state => '1', messages => '{"role": "user", "content": "x"}')$$,
    $$SELECT memory.save_run('monday', 'r1', status => 'completed', state => '1', messages => jsonb_build_array(jsonb_build_object('role', 'user', 'content', repeat('x', 1048577))))$$,
    $$SELECT memory.save_run('friday', 'r9', messages => '[null]')$$]) s;
SELECT run_id, status, state FROM pg_temp.seen;
SELECT count(*) AS friday FROM memory.session('friday');
-- delete_runs takes the messages of the run, and what of them was recalled.
SELECT memory.delete_runs('{r1}');
SELECT * FROM pg_temp.log;
SELECT count(*) AS episodes FROM memory.episodes WHERE namespace = 'regress_runs';
SELECT memory.save_run('monday', 'r1', messages => '[{"role": "user", "content": "Again."}]');
SELECT seq, run_id, content FROM pg_temp.log;
SELECT memory.delete_session('monday');

-- === what a policy keeps of a run ============================================================
-- Without save_history a completed run keeps no message, whether it had them before or has them from this call; any other run keeps them.
SELECT memory.set_policy(save_history => false);
SELECT memory.save_run('monday', s, status => s, state => '1', messages => '[{"role": "user", "content": "one"}]') FROM unnest('{running,completed,paused,cancelled,error}'::text[]) s;
SELECT run_id, content FROM pg_temp.log;
SELECT memory.save_run('monday', 'running', status => 'completed', messages => '[{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]'), memory.save_run('monday', 'paused', status => 'completed');
SELECT run_id, content FROM pg_temp.log;
SELECT run_id, status, state FROM pg_temp.seen ORDER BY 1;
-- The messages that are added by themselves are kept, until the run that they are said to be of is completed.
SELECT seq FROM memory.add_messages('monday', '[{"role": "user", "content": "mine"}]') UNION ALL SELECT seq FROM memory.add_messages('monday', '[{"role": "user", "content": "of the run"}]', run_id => 'error');
SELECT run_id, content FROM pg_temp.log;
SELECT memory.save_run('monday', 'error', status => 'completed');
SELECT run_id, content FROM pg_temp.log;
SELECT content AS "to be recalled" FROM memory.episodes WHERE namespace = 'regress_runs' AND content = ANY ('{one,two,mine,of the run}') ORDER BY 1;
-- The policy is that of the run's agent before that of the user: of the call's, else the run's, else the setting's.
SELECT memory.set_policy(save_history => true, agent_id => 'travel');
SELECT memory.save_run('monday', 'a1', status => 'completed', messages => '[{"role": "user", "content": "a1"}]', agent_id => 'travel'), memory.save_run('monday', 'a2', messages => '[{"role": "user", "content": "a2"}]', agent_id => 'travel'),
    memory.save_run('monday', 'a2', status => 'completed'), memory.save_run('monday', 'a3', messages => '[{"role": "user", "content": "a3"}]', agent_id => 'travel');
SELECT memory.save_run('monday', 'a3', status => 'completed', agent_id => 'other');
SET memory.agent_id = 'travel';
SELECT memory.save_run('monday', 'a4', status => 'completed', messages => '[{"role": "user", "content": "a4"}]');
RESET memory.agent_id;
SELECT run_id, content FROM pg_temp.log;
-- Another user has said nothing.
SELECT memory.save_run('monday', 'b', status => 'completed', messages => '[{"role": "user", "content": "bob''s"}]', user_id => 'bob');
SELECT content FROM memory.messages('monday', user_id => 'bob');
DELETE FROM memory.policies WHERE namespace = 'regress_runs';
-- A summary alone: no history, and a summary that says what there was.
SELECT memory.set_policy(save_history => false, save_summary => true);
SELECT memory.save_run('alone', 'r', status => 'completed', messages => '[{"role": "user", "content": "A train to Vienna?"}]');
SELECT memory.set_summary('alone', 'Ann asked for a train to Vienna.');
SELECT summary, upto, newer, (SELECT count(*) FROM memory.messages('alone')) AS messages FROM memory.summary('alone');
DELETE FROM memory.policies WHERE namespace = 'regress_runs';
SELECT memory.delete_session('monday'), memory.delete_session('alone'), memory.delete_session('monday', user_id => 'bob');

-- === bad input ===============================================================================
-- It is refused before anything is written.
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.save_run('', 'r')$$,
    $$SELECT memory.save_run(NULL, 'r')$$,
    $$SELECT memory.save_run(repeat('x', 1025), 'r')$$,
    $$SELECT memory.save_run('bad', '')$$,
    $$SELECT memory.save_run('bad', NULL)$$,
    $$SELECT memory.save_run('bad', repeat('x', 1025))$$,
    $$SELECT memory.save_run('bad', 'r', status => 'failed')$$,
    $$SELECT memory.save_run('bad', 'r', status => '')$$,
    $$SELECT memory.save_run('bad', 'r', status => 'Running')$$,
    $$SELECT memory.save_run('bad', 'r', requirements => '"x"')$$,
    $$SELECT memory.save_run('bad', 'r', requirements => 'null')$$,
    $$SELECT memory.save_run('bad', 'r', requirements => '[{}, 1]')$$,
    $$SELECT memory.save_run('bad', 'r', requirements => '[null]')$$,
    $$SELECT memory.save_run('bad', 'r', requirements => '[[]]')$$,
    $$SELECT memory.save_run('bad', 'r', expected_status => '{}')$$,
    $$SELECT memory.save_run('bad', 'r', expected_status => '{running,NULL}')$$,
    $$SELECT memory.save_run('bad', 'r', expected_status => '{running,done}')$$,
    $$SELECT memory.save_run('bad', 'r', user_id => '')$$,
    $$SELECT memory.save_run('bad', 'r', agent_id => repeat('x', 513))$$,
    $$SELECT memory.run('')$$,
    $$SELECT memory.run(NULL)$$,
    $$SELECT memory.run(repeat('x', 1025))$$,
    $$SELECT memory.run('r', user_id => '')$$,
    $$SELECT memory.runs(session_id => '')$$,
    $$SELECT memory.runs(session_id => repeat('x', 1025))$$,
    $$SELECT memory.runs(statuses => '{}')$$,
    $$SELECT memory.runs(statuses => '{paused,resumable}')$$,
    $$SELECT memory.runs(statuses => '{NULL}')$$,
    $$SELECT memory.runs(k => 0)$$,
    $$SELECT memory.runs(k => -1)$$,
    $$SELECT memory.runs(k => 1000001)$$,
    $$SELECT memory.runs(skip => -1)$$,
    $$SELECT memory.runs(user_id => '')$$,
    $$SELECT memory.delete_runs(NULL)$$,
    $$SELECT memory.delete_runs('{r,NULL}')$$,
    $$SELECT memory.delete_runs('{r,""}')$$,
    $$SELECT memory.delete_runs(ARRAY[repeat('x', 1025)])$$,
    $$SELECT memory.delete_runs('{r}', user_id => '')$$]) s;
SELECT (SELECT count(*) FROM memory.runs WHERE namespace = 'regress_runs') AS runs, (SELECT count(*) FROM memory.sessions WHERE namespace = 'regress_runs') AS sessions;
-- What is true of each row holds in INSERT, UPDATE and COPY.
SELECT memory.set_session('table', '{}');
SELECT key AS session FROM memory.sessions WHERE namespace = 'regress_runs' \gset
SELECT pg_temp.refused(format($$INSERT INTO memory.runs (session, run_id, %s) VALUES (%L, %s)$$, c, :'session', v)) FROM (VALUES
    ('status', $$'r', 'done'$$), ('status', $$'r', NULL$$), ('status', $$'', 'paused'$$), ('status', $$repeat('x', 1025), 'paused'$$), ('status', $$NULL, 'paused'$$),
    ('state', $$'r', NULL$$), ('requirements', $$'r', '1'$$), ('requirements', $$'r', '[{}, []]'$$), ('requirements', $$'r', NULL$$), ('agent_id', $$'r', repeat('x', 513)$$),
    ('created_at', $$'r', 'infinity'$$), ('updated_at', $$'r', NULL$$), ('namespace', $$'r', ''$$), ('user_id', $$'r', repeat('x', 513)$$), ('user_id', $$'r', 'bob'$$)) r (c, v);
SELECT pg_temp.refused($$INSERT INTO memory.runs (session, run_id) VALUES ('01900000-0000-7000-8000-00000000000a', 'r')$$);
COPY memory.runs (session, run_id, requirements) FROM PROGRAM 'true';
INSERT INTO memory.runs (session, run_id) VALUES (:'session', 'by insert');
SELECT * FROM pg_temp.seen;
-- Names of the greatest length have room in every index.
CREATE FUNCTION pg_temp.noise(seed text, size int) RETURNS text LANGUAGE sql AS $$
    SELECT left(string_agg(translate(encode(sha256(convert_to(seed || n, 'UTF8')), 'base64'), E'\n', ''), '' ORDER BY n), size) FROM generate_series(1, size / 43 + 1) n
$$;
SELECT memory.set_scope(pg_temp.noise('u', 512), agent_id => pg_temp.noise('a', 512), namespace => pg_temp.noise('n', 512)) IS NOT NULL AS set;
SELECT memory.save_run(pg_temp.noise('s', 1024), pg_temp.noise('r', 1024));
SELECT octet_length(run_id), octet_length(session_id), octet_length(agent_id) FROM memory.runs();
SELECT memory.delete_session(pg_temp.noise('s', 1024));
SELECT memory.set_scope('ann', namespace => 'regress_runs');
SELECT memory.delete_session('table');

-- === runs ====================================================================================
-- A month of runs, of which every fourth was made when the one before was.
SELECT memory.set_session(s, '{}') FROM unnest('{monday,tuesday}'::text[]) s;
INSERT INTO memory.runs (session, run_id, agent_id, status, created_at, state)
SELECT (SELECT key FROM memory.sessions WHERE namespace = 'regress_runs' AND session_id = CASE n % 2 WHEN 0 THEN 'monday' ELSE 'tuesday' END),
    format('r%s', to_char(n, 'FM00')), CASE WHEN n % 3 > 0 THEN 'a' || n % 3 END, ('{running,completed,paused,cancelled,error}'::text[])[n % 5 + 1],
    '2026-03-01'::timestamptz + (n - (n % 4 = 0)::int) * interval '1 day', to_jsonb(n)
FROM generate_series(1, 30) n;
CREATE FUNCTION pg_temp.listed(what text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE names text;
BEGIN
    EXECUTE format('SELECT string_agg(run_id, '' '' ORDER BY n) FROM memory.runs(%s) WITH ORDINALITY r (run_id, session_id, agent_id, status, state, requirements, created_at, updated_at, user_id, n)', what) INTO names;
    RETURN names;
END $$;
SELECT what, pg_temp.listed(what) AS runs FROM unnest(ARRAY['', 'k => NULL', 'k => 3', 'k => 3, skip => 3', 'k => 3, skip => 29', 'k => 3, skip => 30', $$'monday', k => 5$$, $$'wednesday'$$, $$agent_id => 'a1'$$, $$agent_id => 'A1'$$,
    $$statuses => '{paused}'$$, $$statuses => '{running,paused,cancelled,error}', k => NULL$$, $$since => '2026-03-27'$$, $$until => '2026-03-04'$$, $$since => '2026-03-10', until => '2026-03-10'$$, $$since => '2026-03-11', until => '2026-03-10'$$, $$since => 'infinity'$$,
    $$session_id => 'monday', agent_id => 'a1', statuses => '{paused,error}', since => '2026-03-05', until => '2026-03-25'$$]) what;
SELECT string_agg(p, ' ') = pg_temp.listed('k => NULL') AS "pages are whole" FROM (SELECT pg_temp.listed(format('k => 7, skip => %s', skip)) AS p FROM generate_series(0, 28, 7) skip) pages;
SELECT run_id, session_id, agent_id, status, state, requirements, created_at, updated_at >= created_at AS saved, user_id FROM memory.run('r07');
SELECT count(*) FROM memory.run('R07');
-- A page, a session's runs and one run cost no more where there are many.
INSERT INTO memory.runs (session, run_id, status, created_at)
SELECT key, session_id || n, 'completed', '2025-01-01'::timestamptz + n * interval '1 minute' FROM memory.sessions, generate_series(1, 10000) n WHERE namespace = 'regress_runs' AND session_id = 'tuesday';
\i :source/sql/shared/blocks.sql
SELECT pg_temp.blocks($$SELECT * FROM memory.runs()$$) < 80 AS page, pg_temp.blocks($$SELECT * FROM memory.runs('monday')$$) < 60 AS "of a session", pg_temp.blocks($$SELECT * FROM memory.run('tuesday77')$$) < 20 AS one;

-- === delete_runs, and what else takes runs ===================================================
SELECT memory.delete_runs('{r01,r02,r02,"r 03"}'), memory.delete_runs('{r01}'), memory.delete_runs('{}');
SELECT count(*) FROM memory.runs(k => NULL);
SELECT memory.delete_runs('{r04}', user_id => 'bob');
-- A fork has none; a session that is deleted, by whatever statement, takes its own.
SELECT memory.fork_session('monday', 'fork');
SELECT count(*) FROM memory.runs('fork', k => NULL);
SELECT memory.delete_session('monday', path => 'sub');
SELECT count(*) FROM memory.runs('monday', k => NULL);
SELECT memory.delete_session('monday');
DELETE FROM memory.sessions WHERE namespace = 'regress_runs' AND session_id = 'tuesday';
SELECT count(*) FROM memory.runs WHERE namespace = 'regress_runs';
-- A session that is made again has none of those before, and their names are free.
SELECT memory.save_run('monday', 'r04', state => '"again"');
SELECT run_id, session_id, state FROM pg_temp.seen;
-- In one transaction created_at is when it began, and updated_at never goes back.
BEGIN;
UPDATE memory.runs SET updated_at = now() + '1 day' WHERE namespace = 'regress_runs';
SELECT memory.save_run('monday', 'r04', status => 'error'), memory.save_run('monday', 'r05');
SELECT run_id, updated_at - now() AS ahead, created_at = now() AS made FROM memory.runs() ORDER BY 1;
ROLLBACK;

-- === whose they are ==========================================================================
-- Without a user, the anonymous one's. Runs of named users are enough for the warning.
SELECT memory.set_scope(namespace => 'regress_runs');
SET client_min_messages = notice;
SELECT memory.save_run('nobody''s', 'r04', state => '"of none"');
SELECT run_id, state, user_id FROM pg_temp.seen;
SET memory.anonymous = 'deny';
SELECT pg_temp.refused(s) FROM unnest(ARRAY[$$SELECT memory.save_run('s', 'r')$$, $$SELECT memory.run('r')$$, $$SELECT memory.runs()$$, $$SELECT memory.delete_runs('{r}')$$]) s;
RESET memory.anonymous;
SET client_min_messages = warning;
-- Under protect(), only the session's user; in a read-only transaction reading works, writing does not.
CREATE ROLE regress_runs_app;
SELECT memory.grant_access('regress_runs_app', 'writer');
SELECT memory.protect();
SET ROLE regress_runs_app;
SELECT memory.set_scope('bob', namespace => 'regress_runs');
SELECT (SELECT count(*) FROM memory.runs(user_id => 'ann')) AS "ann's", (SELECT count(*) FROM memory.runs) AS all;
SELECT memory.save_run('monday', 'r04', state => '{"bob": 1}'), memory.save_run('monday', 'r04', state => '2', state_path => '{bob}', expected_status => '{running}');
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.save_run('monday', 'r04', user_id => 'ann')$$, $$SELECT memory.save_run('monday', 'none', user_id => 'ann')$$, $$SELECT memory.save_run('monday', 'r04', expected_status => '{error}', user_id => 'ann')$$,
    $$SELECT memory.delete_runs('{r04}', user_id => 'ann')$$, $$SELECT memory.delete_runs('{r04}', user_id => 'nobody')$$]) s;
BEGIN READ ONLY;
SELECT run_id, state FROM memory.runs();
SELECT pg_temp.refused(s) FROM unnest(ARRAY[$$SELECT memory.save_run('monday', 'r04')$$, $$SELECT memory.delete_runs('{r04}')$$]) s;
COMMIT;
SELECT memory.delete_runs('{r04}');
SELECT memory.save_run('monday', 'r04'), memory.delete_session('monday');
RESET ROLE;
SELECT memory.unprotect();
SELECT memory.grant_access('regress_runs_app', 'reader');
SET ROLE regress_runs_app;
SELECT memory.set_scope('ann', namespace => 'regress_runs');
SELECT state, pg_temp.refused($$SELECT memory.save_run('monday', 'r04')$$), pg_temp.refused($$SELECT memory.delete_runs('{r04}')$$) FROM memory.run('r04');
RESET ROLE;
SELECT memory.revoke_access('regress_runs_app');
DROP ROLE regress_runs_app;
-- A row that a trigger of the owner's keeps out is an error.
CREATE FUNCTION pg_temp.keep_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER keep_out BEFORE INSERT OR UPDATE ON memory.runs FOR EACH ROW EXECUTE FUNCTION pg_temp.keep_out();
SELECT pg_temp.refused($$SELECT memory.save_run('monday', 'r04')$$), pg_temp.refused($$SELECT memory.save_run('monday', 'new')$$);
DROP TRIGGER keep_out ON memory.runs;
DELETE FROM memory.episodes WHERE namespace = 'regress_runs';
DELETE FROM memory.sessions WHERE namespace = 'regress_runs';
SELECT memory.set_scope();
