-- Policies, summaries and profiles (docs/conversations.md).
\pset format unaligned
\pset footer off
\pset null NULL
\set VERBOSITY terse
SET client_min_messages = warning;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT memory.set_scope('ann', namespace => 'regress_profiles');
SET client_min_messages = notice;

-- === profiles ================================================================================
-- There is none at first. 'update' adds traits, and puts those that are given in the place of the known ones, whole.
SELECT memory.profile();
SELECT memory.set_profile('{"name": "Ann", "home": {"city": "Tokyo", "since": 2019}, "diet": "vegetarian"}');
SELECT memory.set_profile('{"home": {"city": "Vienna"}, "likes": ["trains"]}');
SELECT memory.profile();
-- A null erases no trait, nor makes one; below the top it is a value as any other.
SELECT memory.set_profile('{"diet": null, "pets": null, "home": {"city": "Vienna", "since": null}}');
SELECT memory.profile();
SELECT memory.set_profile('{}'), memory.set_profile('{"a": null}', mode => NULL);
SELECT memory.profile();
-- 'replace' overwrites all of it, with nulls where they are given; a trait that is null is told again.
SELECT memory.set_profile('{"name": "Ann", "diet": null}', mode => 'replace');
SELECT memory.profile();
SELECT memory.set_profile('{"diet": "vegan"}');
SELECT memory.profile();
SELECT memory.set_profile('{}', mode => 'replace');
SELECT memory.profile();
-- The first one with nothing but nulls is empty.
SELECT memory.set_profile('{"diet": null}', user_id => 'first'), memory.profile(user_id => 'first');
-- An agent has a profile of its own. The setting memory.agent_id makes none: what is written without an agent is read without one.
SELECT memory.set_profile('{"tone": "short"}', agent_id => 'coach');
SET memory.agent_id = 'coach';
SELECT memory.set_profile('{"name": "Ann"}');
SELECT memory.profile(), memory.profile(agent_id => 'coach'), memory.profile(agent_id => 'Coach');
RESET memory.agent_id;
SELECT agent_id, traits FROM memory.profiles WHERE namespace = 'regress_profiles' AND user_id = 'ann' ORDER BY 1;
-- Traits are any names and any JSON.
SELECT memory.set_profile('{"": 1.50, "a.b": [null, {}], "$": "\u0001 é", "same": 1, "same": 2}', agent_id => 'odd');
SELECT memory.profile(agent_id => 'odd');
-- Another user's is another.
SELECT memory.set_profile('{"name": "Bob"}', user_id => 'bob');
SELECT memory.profile(user_id => 'bob'), memory.profile(user_id => 'carl'), memory.profile();
-- In one transaction it is one write after the other; what is rolled back was never there.
BEGIN;
SELECT memory.set_profile('{"x": 1}'), memory.set_profile('{"y": 2}');
SELECT memory.profile();
ROLLBACK;
SELECT memory.profile();

-- === summaries ===============================================================================
-- Of a session that is there; it covers all its messages, where nothing else is said.
SELECT pg_temp.refused($$SELECT memory.set_summary('monday', 'x')$$);
SELECT count(*) FROM memory.sessions();
SELECT memory.set_session('monday', '{}', agent_id => 'coach');
SELECT * FROM memory.summary('monday');
SELECT memory.set_summary('monday', 'Nothing was said yet.');
SELECT session_id, summary, upto, topics, newer, updated_at <= now() AS now FROM memory.summary('monday');
-- newer tells how many messages it does not cover yet.
SELECT count(*) FROM memory.add_messages('monday', '[{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}, {"role": "user", "content": "three"}]');
SELECT summary, upto, newer FROM memory.summary('monday');
SELECT memory.set_summary('monday', 'One and two.', upto => 2, topics => '{numbers,"é, \"quoted\"",numbers}');
SELECT summary, upto, topics, newer, newer = (SELECT count(*) FROM memory.messages('monday', after => upto)) AS "as messages" FROM memory.summary('monday');
-- Messages of sub-agents do not count, nor do those that were dropped.
SELECT count(*) FROM memory.add_messages('monday', '[{"role": "user", "content": "aside"}]', path => 'sub');
SELECT upto, newer FROM memory.summary('monday');
SELECT count(*) FROM memory.add_messages('monday', '[{"role": "user", "content": "four"}]');
SELECT seq FROM memory.drop_messages('monday', last => 1);
SELECT upto, newer FROM memory.summary('monday');
-- It is replaced whole, topics included. Up to the last number that was given it may reach, dropped or not, and no further.
SELECT memory.set_summary('monday', 'All of it.');
SELECT summary, upto, topics, newer FROM memory.summary('monday');
SELECT memory.set_summary('monday', 'Less of it.', upto => 0, topics => '{}');
SELECT summary, upto, topics, newer FROM memory.summary('monday');
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.set_summary('monday', 'x', upto => 5)$$,
    $$SELECT memory.set_summary('monday', 'x', upto => 9223372036854775807)$$,
    $$SELECT memory.set_summary('monday', 'x', upto => -1)$$]) s;
SELECT summary, upto FROM memory.summary('monday');
-- It is about the session, and no write into it: a summary made at night moves no session to the front.
SELECT version, updated_at AS written FROM memory.session('monday') \gset
SELECT memory.set_summary('monday', 'Made at night.');
SELECT version = :version AS same, updated_at = :'written' AS "not written into" FROM memory.session('monday');
-- The setting's session; a fork has none; it goes with its session, however that goes, and does not come back with the name.
SET memory.session_id = 'monday';
SELECT memory.set_summary(NULL, 'Of the setting.');
RESET memory.session_id;
SELECT summary FROM memory.summary('monday');
SELECT memory.fork_session('monday', 'fork');
SELECT count(*) FROM memory.summary('fork');
SELECT memory.delete_session('monday');
SELECT memory.set_session('monday', '{}');
SELECT count(*) FROM memory.summary('monday');
SELECT memory.set_summary('monday', 'Again.');
DELETE FROM memory.sessions WHERE namespace = 'regress_profiles' AND session_id = 'monday';
SELECT count(*) FROM memory.summaries WHERE namespace = 'regress_profiles';
-- Another user's session of the same name is another.
SELECT memory.set_session('monday', '{}') AS ann, memory.set_session('monday', '{}', user_id => 'bob') AS bob;
SELECT memory.set_summary('monday', 'Bob''s.', user_id => 'bob');
SELECT summary FROM memory.summary('monday') UNION ALL SELECT summary FROM memory.summary('monday', user_id => 'bob');

-- === policies ================================================================================
-- What is not kept is told of; what was kept before stays.
SELECT memory.set_summary('monday', 'Before.'), memory.set_profile('{"name": "Ann"}', mode => 'replace');
SELECT memory.set_policy(save_summary => false, save_profile => false);
SELECT memory.set_summary('monday', 'After.'), memory.set_profile('{"name": "Anna"}', mode => 'replace');
SELECT memory.profile(), (SELECT summary FROM memory.summary('monday'));
-- Bad input is refused all the same.
SELECT pg_temp.refused(s) FROM unnest(ARRAY[$$SELECT memory.set_summary('monday', 'x', upto => 5)$$, $$SELECT memory.set_summary('friday', 'x')$$, $$SELECT memory.set_profile('[]')$$]) s;
-- What is NULL stays as it was.
SELECT memory.set_policy(), memory.set_policy(save_profile => true);
SELECT memory.set_summary('monday', 'After.'), memory.set_profile('{"name": "Anna"}');
SELECT memory.profile(), (SELECT summary FROM memory.summary('monday'));
-- The policy of user and agent comes before that of the user, flag by flag. A summary is the session's agent's.
SELECT memory.set_policy(save_summary => true, agent_id => 'coach'), memory.set_policy(save_profile => false, agent_id => 'writer');
SELECT memory.set_session('monday', '{}', agent_id => 'coach');
SELECT memory.set_summary('monday', 'By the coach.'), memory.set_profile('{"by": "coach"}', agent_id => 'coach'), memory.set_profile('{"by": "writer"}', agent_id => 'writer');
SELECT memory.set_session('monday', '{}', agent_id => 'writer');
SELECT memory.set_summary('monday', 'By the writer.');
SELECT summary, memory.profile(agent_id => 'coach') AS coach, memory.profile(agent_id => 'writer') AS writer FROM memory.summary('monday');
-- Another user has none; the anonymous user's is no one else's.
SELECT memory.set_scope(namespace => 'regress_profiles');
SELECT memory.set_policy(save_profile => false, save_summary => false);
SELECT memory.set_scope('ann', namespace => 'regress_profiles');
SELECT memory.set_summary('monday', 'Bob''s again.', user_id => 'bob'), memory.set_profile('{"n": 1}', user_id => 'bob');
SELECT summary, memory.profile(user_id => 'bob') FROM memory.summary('monday', user_id => 'bob');
-- The setting memory.agent_id makes no policy for an agent.
SET memory.agent_id = 'coach';
SELECT memory.set_policy(last_runs => 3, tool_messages => false);
RESET memory.agent_id;
SELECT agent_id, save_history, save_summary, save_profile, load_history, load_summary, load_profile, tool_messages, last_runs FROM memory.policies WHERE namespace = 'regress_profiles' AND user_id = 'ann' ORDER BY 1;
-- A call without a flag writes nothing, a policy that is deleted says nothing.
SELECT memory.set_policy(agent_id => 'none');
SELECT count(*) FROM memory.policies WHERE agent_id = 'none';
DELETE FROM memory.policies WHERE namespace = 'regress_profiles';
SELECT memory.set_profile('{"free": true}', agent_id => 'writer');
SELECT memory.profile(agent_id => 'writer');

-- === bad input ===============================================================================
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.set_profile(NULL)$$, $$SELECT memory.set_profile('[]')$$, $$SELECT memory.set_profile('null')$$, $$SELECT memory.set_profile('"x"')$$,
    $$SELECT memory.set_profile('{}', mode => 'merge')$$, $$SELECT memory.set_profile('{}', mode => '')$$,
    $$SELECT memory.set_profile('{}', agent_id => '')$$, $$SELECT memory.set_profile('{}', agent_id => repeat('x', 513))$$, $$SELECT memory.set_profile('{}', user_id => '')$$,
    $$SELECT memory.profile(agent_id => '')$$, $$SELECT memory.profile(user_id => '')$$,
    $$SELECT memory.set_summary(NULL, 'x')$$, $$SELECT memory.set_summary('', 'x')$$, $$SELECT memory.set_summary(repeat('x', 1025), 'x')$$,
    $$SELECT memory.set_summary('monday', NULL)$$, $$SELECT memory.set_summary('monday', '')$$, $$SELECT memory.set_summary('monday', repeat('x', 1048577))$$,
    $$SELECT memory.set_summary('monday', 'x', topics => '{a,NULL}')$$, $$SELECT memory.set_summary('monday', 'x', topics => '{{a,b},{c,d}}')$$, $$SELECT memory.set_summary('monday', 'x', user_id => '')$$,
    $$SELECT memory.summary(NULL)$$, $$SELECT memory.summary('')$$, $$SELECT memory.summary('monday', user_id => '')$$,
    $$SELECT memory.set_policy(last_runs => 0)$$, $$SELECT memory.set_policy(last_runs => -1)$$, $$SELECT memory.set_policy(last_runs => 1000001)$$,
    $$SELECT memory.set_policy(true, agent_id => '')$$, $$SELECT memory.set_policy(true, agent_id => repeat('x', 513))$$, $$SELECT memory.set_policy(true, user_id => '')$$]) s;
SELECT summary FROM memory.summary('monday');
SELECT count(*) FROM memory.policies WHERE namespace = 'regress_profiles';
-- What is true of each row holds in INSERT, UPDATE and COPY.
SELECT key AS session FROM memory.sessions WHERE namespace = 'regress_profiles' AND user_id = 'ann' AND session_id = 'monday' \gset
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$INSERT INTO memory.profiles (agent_id, traits) VALUES ('a', '[]')$$, $$INSERT INTO memory.profiles (agent_id, traits) VALUES ('a', NULL)$$, $$INSERT INTO memory.profiles (agent_id, traits) VALUES (repeat('x', 513), '{}')$$,
    $$INSERT INTO memory.profiles (agent_id, traits) VALUES ('coach', '{}')$$, $$INSERT INTO memory.profiles (agent_id, traits, updated_at) VALUES ('a', '{}', 'infinity')$$,
    $$INSERT INTO memory.policies (last_runs) VALUES (0)$$, $$INSERT INTO memory.policies (agent_id) VALUES (NULL)$$, $$INSERT INTO memory.policies (agent_id) VALUES (repeat('x', 513))$$,
    $$UPDATE memory.summaries SET upto = -1$$, $$UPDATE memory.summaries SET summary = ''$$, $$UPDATE memory.summaries SET topics = NULL$$, $$UPDATE memory.summaries SET user_id = 'carl'$$,
    $$INSERT INTO memory.summaries (session, summary, upto) VALUES ('01900000-0000-7000-8000-00000000000a', 'x', 0)$$]) s;
INSERT INTO memory.policies DEFAULT VALUES;
SELECT user_id, agent_id, save_history, last_runs FROM memory.policies WHERE namespace = 'regress_profiles';

-- === whose they are ==========================================================================
-- Without a user, the anonymous one's.
SELECT memory.set_scope(namespace => 'regress_profiles');
SELECT memory.set_profile('{"of": "none"}');
SELECT memory.profile();
SET memory.anonymous = 'deny';
SELECT pg_temp.refused(s) FROM unnest(ARRAY[$$SELECT memory.set_profile('{}')$$, $$SELECT memory.profile()$$, $$SELECT memory.set_summary('monday', 'x')$$, $$SELECT memory.summary('monday')$$, $$SELECT memory.set_policy(true)$$]) s;
RESET memory.anonymous;
SET client_min_messages = warning;
-- Under protect(), only the session's user; in a read-only transaction reading works, writing does not.
CREATE ROLE regress_profiles_app;
SELECT memory.grant_access('regress_profiles_app', 'writer');
SELECT memory.protect();
SET ROLE regress_profiles_app;
SELECT memory.set_scope('bob', namespace => 'regress_profiles');
SELECT memory.profile(user_id => 'ann'), (SELECT count(*) FROM memory.summary('monday', user_id => 'ann')), (SELECT count(*) FROM memory.profiles WHERE user_id <> 'bob'), (SELECT count(*) FROM memory.policies);
SELECT memory.set_profile('{"b": 1}'), memory.set_summary('monday', 'Bob''s own.'), memory.set_policy(tool_messages => false);
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.set_profile('{}', user_id => 'ann')$$, $$SELECT memory.set_profile('{}', user_id => 'nobody')$$, $$SELECT memory.set_summary('monday', 'x', user_id => 'ann')$$, $$SELECT memory.set_summary('monday', 'x', user_id => 'nobody')$$,
    $$SELECT memory.set_policy(true, user_id => 'ann')$$, $$SELECT memory.set_policy(user_id => 'ann')$$]) s;
BEGIN READ ONLY;
SELECT memory.profile(), summary FROM memory.summary('monday');
SELECT pg_temp.refused(s) FROM unnest(ARRAY[$$SELECT memory.set_profile('{}', agent_id => 'a')$$, $$SELECT memory.set_summary('monday', 'x')$$, $$SELECT memory.set_policy(true)$$]) s;
COMMIT;
RESET ROLE;
SELECT memory.unprotect();
SELECT memory.grant_access('regress_profiles_app', 'reader');
SET ROLE regress_profiles_app;
SELECT memory.set_scope('ann', namespace => 'regress_profiles');
SELECT memory.profile(), pg_temp.refused($$SELECT memory.set_profile('{}')$$), pg_temp.refused($$SELECT memory.set_policy(true)$$), pg_temp.refused($$SELECT memory.set_summary('monday', 'x')$$);
RESET ROLE;
SELECT memory.revoke_access('regress_profiles_app');
DROP ROLE regress_profiles_app;
-- A row that a trigger of the owner's keeps out is an error.
CREATE FUNCTION pg_temp.keep_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER keep_out BEFORE INSERT OR UPDATE ON memory.profiles FOR EACH ROW EXECUTE FUNCTION pg_temp.keep_out();
CREATE TRIGGER keep_out BEFORE INSERT OR UPDATE ON memory.policies FOR EACH ROW EXECUTE FUNCTION pg_temp.keep_out();
CREATE TRIGGER keep_out BEFORE INSERT OR UPDATE ON memory.summaries FOR EACH ROW EXECUTE FUNCTION pg_temp.keep_out();
SELECT pg_temp.refused($$SELECT memory.set_profile('{"a": 1}')$$), pg_temp.refused($$SELECT memory.set_policy(true)$$), pg_temp.refused($$SELECT memory.set_summary('monday', 'x')$$);
DROP TRIGGER keep_out ON memory.profiles;
DROP TRIGGER keep_out ON memory.policies;
DROP TRIGGER keep_out ON memory.summaries;
DELETE FROM memory.episodes WHERE namespace = 'regress_profiles';
DELETE FROM memory.sessions WHERE namespace = 'regress_profiles';
DELETE FROM memory.profiles WHERE namespace = 'regress_profiles';
DELETE FROM memory.policies WHERE namespace = 'regress_profiles';
SELECT memory.set_scope();
