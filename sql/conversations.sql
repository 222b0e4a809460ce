-- Conversations: the log of a session. Messages are added, replaced by their keys, read, dropped; remember takes its place among
-- them; and what is refused.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT user_id FROM memory.set_scope('ann', namespace => 'conversations');
CREATE FUNCTION pg_temp.shown(m memory.message) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(' ', m.seq, m.role || ':', coalesce(m.content, '-'), '[' || m.key || ']', '(' || m.run_id || ')') $$;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
-- Numbers of the rows agree with those of the session and its paths; each episode of a message is in its session, and there is one exactly where something is recalled.
CREATE VIEW pg_temp.faults AS
    SELECT 'numbers of ' || s.session_id || '/' || p.path AS fault
    FROM memory.sessions s CROSS JOIN LATERAL (
        SELECT '' AS path, s.last_seq, s.messages
        UNION ALL SELECT p.path, p.last_seq, p.messages FROM memory.session_paths p WHERE p.session = s.key AND p.user_id = s.user_id AND p.namespace = s.namespace) p
        CROSS JOIN LATERAL (SELECT count(*) AS messages, coalesce(max(m.seq), 0) AS newest FROM memory.messages m WHERE m.session = s.key AND m.path = p.path) m
    WHERE s.namespace = 'conversations' AND (m.messages <> p.messages OR m.newest > p.last_seq)
    UNION ALL
    SELECT 'episode of ' || s.session_id || '/' || m.path || '/' || m.seq
    FROM memory.messages m LEFT JOIN memory.sessions s ON s.key = m.session
        LEFT JOIN memory.episodes e ON (e.namespace, e.user_id, e.id) = (m.namespace, m.user_id, m.id)
    WHERE m.namespace = 'conversations' AND (s.key IS NULL OR e.session_id <> s.session_id
        OR (e.id IS NULL) <> (m.role NOT IN ('user', 'assistant') OR coalesce(memory_internal.message_content(m.message), '') = '') AND
           (SELECT count(*) FROM memory.messages o WHERE o.id = m.id) = 1);

-- === adding and reading ======================================================================
-- Messages have the numbers 1, 2, 3 … and come back equal as JSON.
SELECT seq FROM memory.add_messages('trip', '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "A train to Vienna?", "price": 1.50, "none": null}, {"role": "assistant", "content": "The 21:05."}]');
SELECT pg_temp.shown(m) FROM memory.messages('trip') m;
SELECT message FROM memory.messages('trip', roles => '{user}');
SELECT seq FROM memory.add_messages('trip', '[{"role": "tool", "content": "42"}]');
-- Beside what users and assistants say is an episode with the same id; system, tool and other have none.
SELECT m.seq, e.role, e.content, e.session_id, e.kind FROM memory.messages('trip') m LEFT JOIN LATERAL memory.get(m.id) e ON true ORDER BY 1;
SELECT content FROM memory.recall('vienna');
-- The agent of the call, or of the setting, is the session's and that of its episodes, which do not expire by themselves.
SET memory.agent_id = 'guide';
SELECT seq FROM memory.add_messages('of agents', '[{"role": "user", "content": "by the setting"}]') UNION ALL SELECT seq FROM memory.add_messages('of agents', '[{"role": "user", "content": "by the argument"}]', agent_id => 'planner');
RESET memory.agent_id;
SELECT (SELECT agent_id FROM memory.session('of agents')) AS session, content, agent_id, expires_at FROM memory.episodes WHERE namespace = 'conversations' AND session_id = 'of agents' ORDER BY content DESC;
-- A call without messages makes the session; what it is not told it does not make.
SELECT count(*) FROM memory.add_messages('empty', '[]');
SELECT session_id, messages, last_seq, paths FROM memory.sessions(sort => '-created');
SELECT count(*) FROM memory.messages('never');
-- The newest k, oldest first; after and before are numbers, since and until times, both inclusive.
SELECT array_agg(seq) FROM memory.messages('trip', k => 2);
SELECT array_agg(seq) FROM memory.messages('trip', k => NULL);
SELECT array_agg(seq) FROM memory.messages('trip', after => 1, before => 4);
SELECT array_agg(seq) FROM memory.messages('trip', k => 1, before => 4);
SELECT array_agg(seq) FROM memory.messages('trip', roles => '{user,tool}');
-- Messages of tools, and assistants that say nothing, can be left out.
SELECT seq FROM memory.add_messages('trip', '[{"role": "assistant", "content": null, "tool_calls": []}, {"role": "user", "content": "Thanks."}]');
SELECT array_agg(seq) FROM memory.messages('trip', tool_messages => false);
-- around adds neighbours, k counts hits.
SELECT array_agg(seq) FROM memory.messages('trip', roles => '{tool}', around => 1);
SELECT array_agg(seq) FROM memory.messages('trip', roles => '{user}', k => 1, around => 2);
SELECT array_agg(seq) FROM memory.messages('trip', roles => '{user}', k => 1, around => 2, tool_messages => false);
-- Other users and namespaces have other sessions.
SELECT count(*) FROM memory.messages('trip', user_id => 'bob');
SELECT seq FROM memory.add_messages('trip', '[{"role": "user", "content": "Mine."}]', user_id => 'bob');

-- === wrappers ================================================================================
-- An object under "message" makes a wrapper: what stands beside it wins, and it comes back whole.
SELECT seq FROM memory.add_messages('wrapped', '[
    {"message": {"role": "user", "content": "inside"}},
    {"message": {"role": "user", "content": "inside"}, "role": "assistant", "content": "beside", "key": "k1", "occurred_at": "2026-03-01 10:00+00"},
    {"message": "no object", "role": "user", "content": "plain"}]');
SELECT pg_temp.shown(m), m.occurred_at = '2026-03-01 10:00+00' AS "its time", e.content FROM memory.messages('wrapped') m LEFT JOIN LATERAL memory.get(m.id) e ON true ORDER BY m.seq;
SELECT message FROM memory.messages('wrapped', keys => '{k1}');
SELECT array_agg(seq) FROM memory.messages('wrapped', until => '2026-03-01 10:00+00');
SELECT array_agg(seq) FROM memory.messages('wrapped', since => '2026-03-01 10:00:00.000001+00');

-- === keys ====================================================================================
-- A message whose key is there takes its place: number and id stay, and its episode has the new text, or goes with it.
SELECT seq FROM memory.add_messages('keyed', '[{"id": "a", "role": "user", "content": "first a"}, {"id": 7, "role": "user", "content": "first 7"}, {"role": "user", "content": "no key"}]', key_field => 'id');
CREATE TEMP TABLE before AS SELECT seq, id FROM memory.messages('keyed');
SELECT seq FROM memory.add_messages('keyed', '[{"id": "b", "role": "user", "content": "first b"}, {"id": "a", "role": "user", "content": "second a"}, {"id": "7", "role": "tool", "content": "second 7"}]', key_field => 'id');
SELECT pg_temp.shown(m), b.id = m.id AS "same id", e.content FROM memory.messages('keyed') m LEFT JOIN before b USING (seq) LEFT JOIN LATERAL memory.get(m.id) e ON true ORDER BY m.seq;
SELECT fault FROM pg_temp.faults;
-- Text again: an episode again, of the same id.
SELECT seq FROM memory.add_messages('keyed', '[{"id": "7", "role": "user", "content": "third 7"}]', key_field => 'id');
SELECT b.id = m.id AS "same id", e.content FROM memory.messages('keyed', keys => '{7}') m JOIN before b USING (seq) LEFT JOIN LATERAL memory.get(m.id) e ON true;
-- Twice in a call: the last, with one number.
SELECT seq FROM memory.add_messages('keyed', '[{"id": "c", "role": "user", "content": "c one"}, {"role": "user", "content": "between"}, {"id": "c", "role": "user", "content": "c two"}, {"id": "a", "role": "user", "content": "a three"}, {"id": "a", "role": "user", "content": "a four"}]', key_field => 'id');
SELECT pg_temp.shown(m) FROM memory.messages('keyed') m;
-- Without key_field it is new; another path has other keys; long names work.
SELECT seq FROM memory.add_messages('keyed', '[{"id": "a", "role": "user", "content": "not by key"}]');
SELECT seq FROM memory.add_messages('keyed', '[{"id": "a", "role": "user", "content": "another path"}]', key_field => 'id', path => repeat('p', 1024));
SELECT seq FROM generate_series(1, 2) n, memory.add_messages(repeat('s', 1024), jsonb_build_array(jsonb_build_object('id', repeat('k', 1024), 'role', 'user', 'content', 'number ' || n)), path => repeat('p', 1024), run_id => repeat('r', 1024), key_field => 'id', operation => repeat('o', 1023) || n) m;
SELECT length(session_id), length(path), length(key), length(run_id), content FROM memory.messages(repeat('s', 1024), path => repeat('p', 1024));
SELECT fault FROM pg_temp.faults;

-- === expected_seq and operation ==============================================================
SELECT seq FROM memory.add_messages('guarded', '[{"role": "user", "content": "one"}]', expected_seq => 0);
SELECT pg_temp.refused($$SELECT memory.add_messages('guarded', '[{"role": "user", "content": "two"}]', expected_seq => 0)$$);
SELECT pg_temp.refused($$SELECT memory.add_messages('never', '[{"role": "user", "content": "two"}]', expected_seq => 1)$$);
SELECT pg_temp.refused($$SELECT memory.add_messages('guarded', '[{"role": "user", "content": "two"}]', expected_seq => 1, path => 'sub')$$);
-- The same operation with the same messages changes nothing and returns the same, whatever expected_seq says.
CREATE TEMP TABLE op AS SELECT * FROM memory.add_messages('guarded', '[{"role": "user", "content": "two"}, {"role": "user", "content": "three"}]', expected_seq => 1, operation => 'op1');
SELECT count(*) AS "the same" FROM memory.add_messages('guarded', '[{"content": "two", "role": "user"}, {"role": "user", "content": "three"}]', expected_seq => 1, operation => 'op1') JOIN op USING (seq, id);
SELECT pg_temp.refused($$SELECT memory.add_messages('guarded', '[{"role": "user", "content": "other"}]', operation => 'op1')$$);
SELECT pg_temp.refused($$SELECT memory.add_messages('guarded', '[{"role": "user", "content": "two"}, {"role": "user", "content": "three"}]', path => 'sub', operation => 'op1')$$);
SELECT seq FROM memory.add_messages('guarded 2', '[{"role": "user", "content": "other"}]', operation => 'op1');
SELECT array_agg(seq) FROM memory.messages('guarded');

-- === paths ===================================================================================
SELECT seq FROM memory.add_messages('team', '[{"role": "user", "content": "to all"}]');
SELECT seq FROM memory.add_messages('team', '[{"role": "user", "content": "to the cook"}, {"role": "assistant", "content": "yes, chef"}]', path => 'cook');
SELECT pg_temp.shown(m) FROM memory.messages('team') m;
SELECT m.path, pg_temp.shown(m) FROM memory.messages('team', path => 'cook') m;
SELECT messages, last_seq, paths FROM memory.session('team');

-- === several sessions ========================================================================
SELECT seq FROM memory.add_messages('x', '[{"message": {"role": "user", "content": "x at 3"}, "occurred_at": "2020-01-03"}]');
SELECT seq FROM memory.add_messages('y', '[{"message": {"role": "user", "content": "y at 1"}, "occurred_at": "2020-01-01"}, {"message": {"role": "user", "content": "y at 3"}, "occurred_at": "2020-01-03"}, {"message": {"role": "assistant", "content": "y at 3 again"}, "occurred_at": "2020-01-03"}]');
SELECT m.session_id, pg_temp.shown(m) FROM memory.messages(until => '2020-12-31') m;
SELECT m.session_id, pg_temp.shown(m) FROM memory.messages(until => '2020-12-31', k => 2) m;
SELECT m.session_id, pg_temp.shown(m) FROM memory.messages(until => '2020-12-31', roles => '{assistant}', around => 1) m;
SELECT pg_temp.refused(s) FROM unnest(ARRAY[$$SELECT memory.messages(after => 1)$$, $$SELECT memory.messages(before => 1)$$]) s;

-- === dropping ================================================================================
SELECT seq FROM memory.add_messages('log', (SELECT jsonb_agg(jsonb_build_object('role', 'user', 'content', 'number ' || n, 'id', 'k' || n)) FROM generate_series(1, 8) n), key_field => 'id');
SELECT version FROM memory.session('log');
SELECT pg_temp.shown(m) FROM memory.drop_messages('log', last => 2) m;
SELECT messages, last_seq, version FROM memory.session('log');
SELECT count(*) FROM memory.recall_recent(session_id => 'log');
-- Numbers are not given again, not even when all are gone.
SELECT seq FROM memory.add_messages('log', '[{"role": "user", "content": "number 9"}]');
-- Conditions AND.
SELECT array_agg(seq) FROM memory.drop_messages('log', last => 3, after => 5, keys => '{k2,k6}');
SELECT array_agg(seq) FROM memory.drop_messages('log', keys => '{k1,k2,none}');
SELECT array_agg(m.seq) FROM (SELECT array_agg(id) AS ids FROM memory.messages('log', keys => '{k3,k4}')) i, LATERAL memory.drop_messages('log', after => 3, ids => ids) m;
SELECT array_agg(seq) FROM memory.messages('log');
SELECT array_agg(seq) FROM memory.drop_messages('log', last => 0);
SELECT array_agg(seq) FROM memory.drop_messages('log', after => 9);
SELECT version FROM memory.session('log');
SELECT array_agg(seq) FROM memory.drop_messages('log', after => 0);
SELECT seq FROM memory.add_messages('log', '[{"role": "user", "content": "number 10"}]');
SELECT messages, last_seq, version FROM memory.session('log');
-- Of another path, session or user nothing is dropped; a session that is not there is not made.
SELECT count(*) FROM memory.drop_messages('log', last => 5, path => 'sub');
SELECT count(*) FROM memory.drop_messages('never', last => 5);
SELECT count(*) FROM memory.drop_messages('log', last => 5, user_id => 'bob');
SELECT count(*) FROM memory.session('never');
SELECT m.path, pg_temp.shown(m) FROM memory.drop_messages('team', last => 1, path => 'cook') m;
SELECT seq FROM memory.add_messages('team', '[{"role": "user", "content": "to the cook again"}]', path => 'cook');
SELECT fault FROM pg_temp.faults;

-- === remember ================================================================================
-- It takes numbers for content, transcript and response, which have its id and are dropped together.
SELECT memory.remember('A table for two?', 'At eight.', session_id => 'dinner', transcript => '[{"role": "tool", "content": "free"}, 5, {"role": "assistant", "content": "Let me see."}]') AS dinner \gset
SELECT pg_temp.shown(m), m.id = :'dinner' AS "its id", m.message FROM memory.messages('dinner') m;
SELECT seq FROM memory.add_messages('dinner', '[{"role": "user", "content": "Thanks."}]');
SELECT pg_temp.shown(m) FROM memory.drop_messages('dinner', ids => ARRAY[:'dinner']::uuid[], last => 2) m;
SELECT count(*) FROM memory.get(:'dinner');
-- The setting; a speaker of its own; a response alone.
SET memory.session_id = 'dinner';
SELECT memory.remember('Noted.', role => 'assistant') IS NOT NULL AS remembered;
SELECT memory.remember('', 'Silence.') IS NOT NULL AS remembered;
SELECT memory.remember('Said in another way.', role => 'narrator') IS NOT NULL AS remembered;
RESET memory.session_id;
SELECT pg_temp.shown(m) FROM memory.messages('dinner') m;
-- An id again replaces in place; what is more is appended, what is less is dropped; in another session they move.
SELECT memory.remember('one', session_id => 'again', id => '00000000-0000-0000-0000-00000000000a');
SELECT memory.remember('two', session_id => 'again', id => '00000000-0000-0000-0000-00000000000b');
SELECT memory.remember('one!', 'answer', session_id => 'again', id => '00000000-0000-0000-0000-00000000000a');
SELECT pg_temp.shown(m) FROM memory.messages('again') m;
SELECT memory.remember('one!!', session_id => 'again', id => '00000000-0000-0000-0000-00000000000a');
SELECT pg_temp.shown(m) FROM memory.messages('again') m;
SELECT memory.remember('moved', session_id => 'elsewhere', id => '00000000-0000-0000-0000-00000000000a');
SELECT memory.remember('left', id => '00000000-0000-0000-0000-00000000000b');
SELECT session_id, messages, last_seq FROM memory.sessions(ids => '{again,elsewhere}', sort => 'created');
SELECT fault FROM pg_temp.faults;
-- remember_many does the same, in the order of its elements.
SELECT count(*) FROM memory.remember_many('[{"content": "b1", "session_id": "many b"}, {"content": "a1", "response": "a2"}, {"content": "b2", "session_id": "many b", "user_id": "bob"}, {"content": "a3", "id": "00000000-0000-0000-0000-00000000000c"},
    {"content": "b3", "session_id": "many b"}, {"content": "a3 again", "id": "00000000-0000-0000-0000-00000000000c"}, {"content": "a4"}]', session_id => 'many a');
SELECT m.session_id, pg_temp.shown(m) FROM unnest(ARRAY['many a', 'many b']) s, memory.messages(s) m;
SELECT pg_temp.shown(m) FROM memory.messages('many b', user_id => 'bob') m;
SELECT fault FROM pg_temp.faults;
-- Names of 1 kB work in remember, too.
SELECT memory.remember('long', session_id => repeat('n', 1024)) IS NOT NULL AS remembered;
SELECT content FROM memory.recall_recent(session_id => repeat('n', 1024));
SELECT pg_temp.refused($$SELECT memory.remember('long', session_id => repeat('n', 1025))$$);
-- revise changes what is recalled, not the log; deleting the episode takes its messages.
SELECT memory.revise('00000000-0000-0000-0000-00000000000c', 'a3 revised');
SELECT pg_temp.shown(m) FROM memory.messages('many a', k => 2) m;
DELETE FROM memory.episodes WHERE namespace = 'conversations' AND (id = '00000000-0000-0000-0000-00000000000c' OR content LIKE 'b_');
SELECT m.session_id, pg_temp.shown(m) FROM unnest(ARRAY['many a', 'many b']) s, memory.messages(s) m;
SELECT messages, last_seq, version FROM memory.session('many b', user_id => 'bob');
SELECT fault FROM pg_temp.faults;
-- INSERT and COPY into memory.episodes do not touch the log.
INSERT INTO memory.episodes (content, session_id) VALUES ('not in the log', 'many a');
COPY memory.episodes (content, session_id) FROM PROGRAM 'printf "copied\tmany a\n"';
SELECT count(*) FROM memory.messages('many a');
-- What is rolled back was never there, its number included.
BEGIN;
SELECT seq FROM memory.add_messages('again', '[{"role": "user", "content": "never"}]');
ROLLBACK;
SELECT seq FROM memory.add_messages('again', '[{"role": "user", "content": "ever"}]');

-- === runs ====================================================================================
-- The last n runs, cancelled and failed ones skipped, and the system message once: the first of these runs.
SELECT count(seq) FROM unnest('{r1,r2,r3,r4,r5}'::text[]) r, memory.add_messages('runs', jsonb_build_array(jsonb_build_object('role', 'system', 'content', r), jsonb_build_object('role', 'user', 'content', 'asked in ' || r), jsonb_build_object('role', 'assistant', 'content', 'said in ' || r)), run_id => r) m;
SELECT count(seq) FROM memory.add_messages('runs', '[{"role": "user", "content": "of no run"}]');
SELECT count(memory.save_run('runs', r, status => s)) FROM (VALUES ('r2', 'completed'), ('r3', 'cancelled'), ('r4', 'paused'), ('r5', 'error')) v (r, s);
SELECT pg_temp.shown(m) FROM memory.messages('runs', runs => 2) m;
SELECT array_agg(m.seq) FROM memory.messages('runs', runs => 1) m;
SELECT array_agg(m.seq) FROM memory.messages('runs', runs => 9) m;
SELECT array_agg(m.seq) FROM memory.messages('runs', runs => 2, k => 3, roles => '{user,assistant}') m;
SELECT array_agg(m.seq) FROM memory.messages('empty', runs => 2) m;
SELECT pg_temp.refused(s) FROM unnest(ARRAY[$$SELECT memory.messages('runs', runs => 0)$$, $$SELECT memory.messages('runs', runs => -1)$$, $$SELECT memory.messages(runs => 1)$$]) s;

-- === whole sessions ==========================================================================
-- A fork has the messages up to a number, with ids, episodes and vectors of their own; of a remember that it divides it has what comes before.
SELECT seq FROM memory.add_messages('origin', '[{"role": "user", "content": "fork one", "id": "k"}, {"role": "tool", "content": "result"}]', key_field => 'id', run_id => 'run of origin', operation => 'op of origin');
SELECT memory.remember('fork three', 'fork four', session_id => 'origin', embedding => '[1,2,3]', model => 'regress', transcript => '[{"role": "tool", "content": "x"}]', metadata => '{"a": 1}') AS turn \gset
SELECT seq FROM memory.add_messages('origin', '[{"role": "user", "content": "fork six"}]');
SELECT seq FROM memory.add_messages('origin', '[{"role": "user", "content": "of a sub-agent"}]', path => 'sub');
SELECT memory.fork_session('origin', 'whole'), memory.fork_session('origin', 'part', upto_seq => 4, metadata => '{"part": true}'), memory.fork_session('origin', 'nothing', upto_seq => 0);
SELECT s, pg_temp.shown(m), m.message = o.message AS "the same", m.id = o.id AS "same id", e.content, e.response, e.metadata, e.transcript, (SELECT array_agg(v.embedding::text) FROM memory.embeddings v WHERE v.namespace = 'conversations' AND v.episode_id = m.id) AS vectors
FROM unnest('{whole,part,nothing}'::text[]) s, memory.messages(s) m JOIN memory.messages('origin') o USING (seq) LEFT JOIN LATERAL memory.get(m.id) e ON true ORDER BY 1 DESC, m.seq;
SELECT session_id, messages, last_seq, version, paths, metadata FROM memory.sessions(ids => '{origin,whole,part,nothing}', sort => '-created');
SELECT count(*) AS forks, count(DISTINCT id) AS ids FROM memory.messages(k => NULL) WHERE session_id IN ('whole', 'part');
SELECT fault FROM pg_temp.faults;
-- They go on by themselves. What the original's keys and operations were is a key in the fork, and no operation.
SELECT seq FROM memory.add_messages('part', '[{"role": "user", "content": "fork one, again", "id": "k"}, {"role": "user", "content": "on"}]', key_field => 'id', operation => 'op of origin');
SELECT pg_temp.shown(m) FROM memory.messages('origin', k => NULL, before => 2) m;
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.fork_session('origin', 'whole')$$,
    $$SELECT memory.fork_session('not there')$$,
    $$SELECT memory.fork_session('origin', upto_seq => -1)$$,
    $$SELECT memory.fork_session('origin', upto_checkpoint => 'none')$$,
    $$SELECT memory.fork_session('origin', user_id => 'bob')$$]) s;
-- A path goes with its messages and episodes; its numbers begin anew.
SELECT memory.delete_session('origin', 'sub'), memory.delete_session('origin', 'sub');
SELECT count(*) FROM memory.recall_recent(session_id => 'origin') WHERE content = 'of a sub-agent';
SELECT seq FROM memory.add_messages('origin', '[{"role": "user", "content": "of another sub-agent"}]', path => 'sub');
-- A session goes with its log, episodes and vectors, those that INSERT has put in included; forks stay.
INSERT INTO memory.episodes (content, session_id) VALUES ('put in', 'origin');
BEGIN;
SELECT memory.delete_session('origin');
SELECT count(*) FROM memory.embeddings WHERE namespace = 'conversations' AND episode_id = :'turn';
ROLLBACK;
SELECT messages, (SELECT count(*) FROM memory.embeddings WHERE namespace = 'conversations' AND episode_id = :'turn') AS vectors FROM memory.session('origin');
SELECT memory.delete_session('origin'), memory.delete_session('origin');
SELECT count(*) FROM memory.episodes WHERE namespace = 'conversations' AND session_id = 'origin';
SELECT count(*) FROM memory.embeddings WHERE namespace = 'conversations' AND episode_id = :'turn';
SELECT count(*) FROM memory.session_operations o WHERE namespace = 'conversations' AND operation = 'op of origin';
SELECT seq FROM memory.add_messages('origin', '[{"role": "user", "content": "anew"}]', operation => 'op of origin');
SELECT messages FROM memory.session('whole');
-- So does the log when the row of the session is deleted.
DELETE FROM memory.sessions WHERE namespace = 'conversations' AND session_id = 'whole';
SELECT count(*) FROM memory.messages WHERE namespace = 'conversations' AND session NOT IN (SELECT key FROM memory.sessions);
DELETE FROM memory.episodes WHERE namespace = 'conversations' AND session_id = 'whole';
SELECT fault FROM pg_temp.faults;

-- === what is refused, and leaves nothing behind ==============================================
CREATE TEMP TABLE counts AS SELECT (SELECT count(*) FROM memory.messages) AS messages, (SELECT count(*) FROM memory.episodes) AS episodes, (SELECT count(*) FROM memory.sessions) AS sessions;
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.add_messages(NULL, '[]')$$,
    $$SELECT memory.add_messages('', '[]')$$,
    $$SELECT memory.add_messages(repeat('x', 1025), '[]')$$,
    $$SELECT memory.add_messages('new', NULL)$$,
    $$SELECT memory.add_messages('new', '{}')$$,
    $$SELECT memory.add_messages('new', '"x"')$$,
    $$SELECT memory.add_messages('new', '[{"role": "user", "content": "fine"}, 5]')$$,
    $$SELECT memory.add_messages('new', '[null]')$$,
    $$SELECT memory.add_messages('new', '[{"message": {}, "key": ""}]')$$,
    $$SELECT memory.add_messages('new', '[{"message": {}, "occurred_at": "soon"}]')$$,
    $$SELECT memory.add_messages('new', '[{"message": {}, "occurred_at": "infinity"}]')$$,
    $$SELECT memory.add_messages('new', '[{"role": "user", "content": "x", "id": []}]', key_field => 'id')$$,
    $$SELECT memory.add_messages('new', jsonb_build_array(jsonb_build_object('id', repeat('x', 1025))), key_field => 'id')$$,
    $$SELECT memory.add_messages('new', '[]', key_field => '')$$,
    $$SELECT memory.add_messages('new', '[]', path => repeat('x', 1025))$$,
    $$SELECT memory.add_messages('new', '[]', run_id => '')$$,
    $$SELECT memory.add_messages('new', '[]', operation => '')$$,
    $$SELECT memory.add_messages('new', '[]', agent_id => repeat('x', 513))$$,
    $$SELECT memory.add_messages('new', '[]', user_id => '')$$,
    $$SELECT memory.add_messages('new', '[]', expected_seq => -1)$$,
    $$SELECT memory.add_messages('new', jsonb_build_array(jsonb_build_object('role', 'user', 'content', 'fine'), jsonb_build_object('role', 'user', 'content', repeat('x', 1024 * 1024 + 1))))$$,
    $$SELECT memory.messages('trip', k => -1)$$,
    $$SELECT memory.messages('trip', k => 0)$$,
    $$SELECT memory.messages('trip', around => -1)$$,
    $$SELECT memory.messages('trip', after => -1)$$,
    $$SELECT memory.messages('trip', before => -1)$$,
    $$SELECT memory.messages('trip', roles => '{human}')$$,
    $$SELECT memory.messages('trip', roles => '{NULL}')$$,
    $$SELECT memory.messages('')$$,
    $$SELECT memory.drop_messages('trip')$$,
    $$SELECT memory.drop_messages('trip', NULL, NULL, NULL, NULL)$$,
    $$SELECT memory.drop_messages(NULL, last => 1)$$,
    $$SELECT memory.drop_messages('trip', last => -1)$$,
    $$SELECT memory.drop_messages('trip', after => -1)$$,
    $$SELECT memory.drop_messages('trip', keys => '{NULL}')$$,
    $$SELECT memory.remember('x', session_id => '')$$]) s;
SELECT c = (SELECT counts FROM counts) AS "nothing was written" FROM (SELECT (SELECT count(*) FROM memory.messages) AS messages, (SELECT count(*) FROM memory.episodes) AS episodes, (SELECT count(*) FROM memory.sessions) AS sessions) c;
-- Tool output over memory.max_content is kept, and not recalled.
SELECT seq FROM memory.add_messages('large', jsonb_build_array(jsonb_build_object('role', 'tool', 'content', repeat('x', 1024 * 1024 + 1))));
SELECT content, length(message ->> 'content') AS length FROM memory.messages('large');
-- A write in a read-only transaction is refused, reading is not.
BEGIN READ ONLY;
SELECT count(*) FROM memory.messages('trip');
SELECT memory.add_messages('trip', '[{"role": "user", "content": "x"}]');
ROLLBACK;
SELECT fault FROM pg_temp.faults;
-- Nothing is left for the tests after this one.
DELETE FROM memory.messages WHERE namespace = 'conversations';
DELETE FROM memory.episodes WHERE namespace = 'conversations';
DELETE FROM memory.session_paths WHERE namespace = 'conversations';
DELETE FROM memory.session_operations WHERE namespace = 'conversations';
DELETE FROM memory.sessions WHERE namespace = 'conversations';  -- and runs
