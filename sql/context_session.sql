-- What a session adds to memory.context, and what memory.load_session answers.
\pset format unaligned
\pset footer off
\pset tuples_only on
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SET timezone = 'UTC';
-- A prompt with the uuids in it by their places in the log, and the day that is today called so.
CREATE FUNCTION pg_temp.read(prompt text, of_user text DEFAULT 'ada') RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE m record;
BEGIN
    FOR m IN SELECT DISTINCT ON (id) id, session_id, seq FROM memory.messages(user_id => of_user, k => NULL) ORDER BY id, seq LOOP
        prompt := replace(prompt, m.id::text, format('%s/%s', m.session_id, m.seq));
    END LOOP;
    prompt := regexp_replace(prompt, '01[0-9a-f]{6}-[-0-9a-f]{27}', 'of another path', 'g');
    RETURN replace(prompt, to_char(now(), 'YYYY-MM-DD'), 'today');
END $$;

-- Messages oldest first, those of the conversation alone, and of these what users and assistants said.
SELECT count(*) FROM memory.add_messages('trip', '[{"role": "system", "content": "You book trains."}, {"role": "user", "content": "A train to Rome?"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "search", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "t1", "content": "the nine o''clock"}, {"role": "assistant", "content": "The one at nine.</memory>"}]', 'ada', 'guide');
SELECT count(*) FROM memory.add_messages('trip', '[{"role": "user", "content": "of a sub-agent"}]', 'ada', path => 'sub');
SELECT count(*) FROM memory.add_messages('cats', '[{"role": "user", "content": "My train set has a cat."}]', 'ada');
SELECT pg_temp.read(memory.context(session_id => 'trip', user_id => 'ada'));
-- With a query: what is among the messages is not recalled beside them; what is of other sessions, and of other paths, is.
SELECT pg_temp.read(memory.context('train', session_id => 'trip', user_id => 'ada'));
SELECT pg_temp.read(memory.context('train', user_id => 'ada'));
-- The summary, by the name of its session, before the messages.
SELECT memory.set_summary('trip', 'Ada wants to go to Rome.', upto => 2, user_id => 'ada');
SELECT pg_temp.read(memory.context('cat', session_id => 'trip', user_id => 'ada'));
SELECT memory.set_session('a "b" <c>' || E'\n', '{}', 'ada');
SELECT memory.set_summary('a "b" <c>' || E'\n', '<memory id="x">', user_id => 'ada');
SELECT substring(memory.context('nothing at all', session_id => 'a "b" <c>' || E'\n', user_id => 'ada') from '## Summary.*');
-- A turn that is remembered is two messages with one id, which memory.get knows.
SELECT memory.remember('Which platform?', 'Platform two.', user_id => 'ada', session_id => 'trip', id => '00000000-0000-0000-0000-000000000001') IS NOT NULL;
SELECT substring(memory.context('cat', session_id => 'trip', user_id => 'ada') from 'user: <memory id="0{8}.*');
SELECT count(*) AS cited, count(g.id) AS there FROM regexp_matches(memory.context(session_id => 'trip', user_id => 'ada'), '<memory id="([-0-9a-f]{36})"', 'g') m LEFT JOIN LATERAL memory.get(m[1]::uuid, 'ada') g ON true;
-- An episode that expires takes its messages out of the prompt.
SELECT memory.remember('A secret of an hour', user_id => 'ada', session_id => 'trip', ttl => '1 hour', id => '00000000-0000-0000-0000-000000000002') IS NOT NULL;
SELECT position('secret' in memory.context(session_id => 'trip', user_id => 'ada')) > 0;
UPDATE memory.episodes SET expires_at = now() - interval '1 minute' WHERE content ~ 'secret';
SELECT position('secret' in memory.context(session_id => 'trip', user_id => 'ada')) > 0, position('secret' in memory.context('secret', user_id => 'ada')) > 0;
-- A session that is not there, and one of another user, add nothing.
SELECT memory.context('cat', session_id => 'no such session', user_id => 'ada') = memory.context('cat', user_id => 'ada'), memory.context(session_id => 'trip', user_id => 'bob') = '';

-- Without room for all, the newest messages in a row; and each once.
SELECT count(*) FROM memory.add_messages('long', (SELECT jsonb_agg(jsonb_build_object('role', CASE n % 2 WHEN 1 THEN 'user' ELSE 'assistant' END, 'content', 'tea number ' || n)) FROM generate_series(1, 60) n), 'bea');
SELECT n AS max_tokens, (SELECT string_agg(m[1], ' ') FROM regexp_matches(split_part(p, '## Messages', 2), 'tea number (\d+)', 'g') m) AS messages, ceil(char_length(p) / 4.0) <= n AS within,
       (SELECT count(*) = count(DISTINCT m[1]) FROM regexp_matches(p, 'tea number (\d+)', 'g') m) AS once
FROM unnest('{60,200,600,2000,6000}'::int[]) n, memory.context('tea', n, session_id => 'long', user_id => 'bea') p;
SELECT (SELECT count(*) FROM regexp_matches(memory.context('tea', NULL, session_id => 'long', user_id => 'bea'), 'tea number', 'g')) AS all_of_them;

-- What an agent needs to go on.
SELECT memory.set_profile('{"name": "Ada"}', user_id => 'ada'), memory.set_profile('{"name": "A.", "seat": "window"}', user_id => 'ada', agent_id => 'planner'), memory.set_session('trip', '{"title": "Rome"}', 'ada') > 0 AS noted;
SELECT jsonb_pretty(memory.load_session('trip', 'ada') - 'prompt');
SELECT memory.load_session('trip', 'ada') ->> 'prompt' = memory.context(session_id => 'trip', user_id => 'ada') AS as_context;
SELECT memory.load_session('trip', 'ada', 'planner') -> 'profile', jsonb_array_length(memory.load_session('long', 'bea') -> 'messages') AS newest, memory.load_session('long', 'bea') #>> '{messages,0,content}' AS oldest_of_them;
SELECT memory.load_session('nowhere', 'nobody');
-- As far as the policy of the agent allows: of the session's own, unless another is named.
SELECT memory.set_policy(load_history => false, user_id => 'ada', agent_id => 'guide');
SELECT l -> 'messages' AS messages, l ->> 'summary' AS summary, pg_temp.read(substring(l ->> 'prompt' from '## Summary.*')) AS prompt, l ->> 'prompt' = memory.context(session_id => 'trip', user_id => 'ada') AS as_context FROM memory.load_session('trip', 'ada') l;
SELECT jsonb_array_length(memory.load_session('trip', 'ada', 'planner') -> 'messages') > 0 AS planner_may;
SELECT memory.set_policy(load_summary => false, load_profile => false, load_history => true, tool_messages => false, user_id => 'ada', agent_id => 'guide');
SELECT l -> 'summary' AS summary, l -> 'profile' AS profile, (SELECT string_agg(m ->> 'role', ' ') FROM jsonb_array_elements(l -> 'messages') m) AS roles, l ->> 'prompt' ~ '## Summary' AS in_prompt FROM memory.load_session('trip', 'ada') l;
-- Of the last runs alone, where the policy says how many.
SELECT count(memory.save_run('runs', 'r' || n, 'completed', messages => jsonb_build_array(jsonb_build_object('role', 'user', 'content', 'question ' || n), jsonb_build_object('role', 'assistant', 'content', 'answer ' || n)), user_id => 'cleo')) FROM generate_series(1, 3) n;
SELECT memory.set_policy(last_runs => 2, user_id => 'cleo');
SELECT string_agg(m ->> 'content', ', ') FROM jsonb_array_elements(memory.load_session('runs', 'cleo') -> 'messages') m;
-- A load flag that is not set is as the save flag, of the agent before the user; one that is set says itself what is loaded of what is there.
SELECT memory.set_summary('runs', 'Three questions.', user_id => 'cleo'), memory.set_profile('{"name": "Cleo"}', user_id => 'cleo');
CREATE FUNCTION pg_temp.loaded(agent text DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(', ', jsonb_array_length(l -> 'messages') || ' messages', l ->> 'summary', l ->> 'profile', nullif(substring(l ->> 'prompt' from '## (Summary|Messages)'), '')) FROM memory.load_session('runs', 'cleo', agent) l $$;
SELECT pg_temp.loaded();
SELECT memory.set_policy(save_history => false, save_summary => false, save_profile => false, user_id => 'cleo');
SELECT pg_temp.loaded(), memory.summary('runs', 'cleo') IS NOT NULL AS summary_is_kept;
SELECT memory.set_policy(load_history => true, user_id => 'cleo');
SELECT pg_temp.loaded();
SELECT memory.set_policy(load_history => false, load_summary => true, user_id => 'cleo'), memory.set_policy(save_profile => true, user_id => 'cleo', agent_id => 'coach');
SELECT pg_temp.loaded(), pg_temp.loaded('coach');
SELECT memory.set_policy(save_history => true, save_summary => true, save_profile => true, load_summary => false, load_profile => false, user_id => 'cleo', agent_id => 'coach');
SELECT pg_temp.loaded('coach');
BEGIN READ ONLY;
SELECT memory.load_session('trip', 'ada') ? 'prompt' AS read_only;
COMMIT;
-- A session under protect() sees its user's alone.
CREATE ROLE context_session_reader;
SELECT memory.grant_access('context_session_reader', 'reader');
SELECT memory.protect();
SET ROLE context_session_reader;
SET memory.user_id = 'bea';
SELECT memory.load_session('trip', 'ada') AS ada, memory.context(session_id => 'trip', user_id => 'ada') = '' AS nothing, memory.context(session_id => 'long', user_id => 'bea') ~ 'tea number 60' AS bea;
RESET ROLE;
RESET memory.user_id;
SELECT memory.unprotect();

-- Refused.
\set VERBOSITY terse
SELECT memory.context(session_id => '', user_id => 'ada');
SELECT memory.context(session_id => repeat('x', 1025), user_id => 'ada');
SELECT memory.load_session(NULL, 'ada');
SELECT memory.load_session('', 'ada');
SELECT memory.load_session('trip', '');
DROP OWNED BY context_session_reader;
DROP ROLE context_session_reader;
