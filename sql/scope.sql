-- Scope: whose memory a call is about.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql

-- Without a setting: namespace default, no user, no agent, no session.
SELECT namespace, user_id IS NULL AS no_user, agent_id IS NULL AS no_agent, session_id IS NULL AS no_session
FROM memory.scope();
SELECT memory.current_user_id() IS NULL AS no_user;

-- The settings are the scope of calls that name none.
SET memory.namespace = 'test of scope';
SET memory.user_id = 'ann';
SET memory.agent_id = 'coder';
SET memory.session_id = 'monday';
SELECT * FROM memory.scope();
SELECT memory.current_user_id();
SELECT memory.remember('by the settings') IS NOT NULL AS remembered;
SELECT user_id, agent_id, session_id, content FROM memory.recall_recent();

-- An argument comes before its setting.
SELECT memory.remember('by the arguments', user_id => 'bob', agent_id => 'critic', session_id => 'tuesday') IS NOT NULL AS remembered;
SELECT user_id, agent_id, session_id, content FROM memory.recall_recent(user_id => 'bob');
-- NULL is "not given".
SELECT content FROM memory.recall_recent(user_id => NULL);
SELECT memory.remember('by NULLs', user_id => NULL, agent_id => NULL, session_id => NULL) IS NOT NULL AS remembered;
SELECT user_id, agent_id, session_id FROM memory.recall_recent(k => 1);

-- Reads filter on agent and session only when asked to, whatever the settings.
SET memory.agent_id = 'somebody else';
SET memory.session_id = 'some other day';
SELECT count(*) FROM memory.recall_recent();
SELECT count(*) FROM memory.recall_recent(agent_id => 'somebody else');
RESET memory.agent_id;
RESET memory.session_id;

-- Users do not meet: whatever is asked with somebody else's id, there is no such episode.
SELECT id AS anns FROM memory.recall_recent(k => 1, user_id => 'ann') \gset
SELECT (memory.get(:'anns', 'ann')).content AS "ann gets";
SELECT NOT EXISTS (SELECT FROM memory.get(:'anns', 'bob')) AS "bob gets nothing";
SELECT memory.revise(:'anns', 'bob was here', user_id => 'bob') AS "bob revises";
SELECT memory.remember('the same id', user_id => 'bob', id => :'anns') = :'anns' AS "bob's own, of that id";
SELECT (memory.get(:'anns', 'bob')).content AS "bob gets his", (memory.get(:'anns', 'ann')).content AS "ann hers";
-- The anonymous user is one of them.
SET memory.anonymous = 'allow';
RESET memory.user_id;
SELECT NOT EXISTS (SELECT FROM memory.get(:'anns')) AS "the anonymous user gets nothing";
SELECT count(*) FROM memory.recall_recent();
SELECT memory.remember('of nobody in particular') IS NOT NULL AS remembered;
SELECT user_id IS NULL AS "shown as NULL", content FROM memory.recall_recent();
-- Names are compared byte by byte.
SELECT count(*) FROM memory.recall_recent(user_id => 'Ann');
SELECT count(*) FROM memory.recall_recent(user_id => 'ann ');

-- Namespaces do not meet.
SET memory.namespace = 'another test of scope';
SELECT NOT EXISTS (SELECT FROM memory.get(:'anns', 'ann')) AS "ann is somebody else here";
SELECT count(*) FROM memory.recall_recent(user_id => 'ann');
SELECT memory.remember('elsewhere', user_id => 'ann', id => :'anns') = :'anns' AS remembered;
SET memory.namespace = 'test of scope';
SELECT (memory.get(:'anns', 'ann')).content;

-- memory.anonymous: with warn, a read warns where there are named users, once in a session,
SET memory.anonymous = 'warn';
SELECT count(*) FROM memory.recall_recent();
SELECT NOT EXISTS (SELECT FROM memory.get(:'anns')) AS nothing;
SELECT memory.remember('quietly') IS NOT NULL AS remembered;
-- but not where there are none;
SET memory.namespace = 'nobody has a name in this test of scope';
SELECT memory.remember('quietly') IS NOT NULL AS remembered;
SELECT count(*) FROM memory.recall_recent();
-- where there are only facts of somebody, it does;
SELECT memory.assert_fact('a', 'b', 'c', user_id => 'ann') IS NOT NULL AS told;
SELECT count(*) FROM memory.facts('a');
-- and so does a write, whichever: once in a session, and in each namespace;
SET memory.namespace = 'another test of scope';
SELECT count(memory.remember('one of ' || i)) FROM generate_series(1, 3) i;
SELECT memory.remember('again') IS NOT NULL AS remembered;
\c -
SET client_min_messages = warning;
SET memory.namespace = 'another test of scope';
SELECT count(*) FROM memory.remember_many('[{"content": "a", "user_id": "ann"}, {"content": "b"}, {"content": "c"}]');
SELECT count(*) FROM memory.recall_recent(k => 1);
SET memory.namespace = 'test of scope';
SELECT memory.assert_fact('a', 'b', 'c') IS NOT NULL AS told;
\i :source/sql/shared/refused.sql
SET memory.namespace = 'nobody has a name in this test of scope';
DELETE FROM memory.facts WHERE namespace = 'nobody has a name in this test of scope';
DELETE FROM memory.timelines WHERE namespace = 'nobody has a name in this test of scope';
-- with deny, every anonymous call is an error.
SET memory.anonymous = 'deny';
SELECT pg_temp.refused(call) AS "anonymous, denied"
FROM unnest(ARRAY[
    $$SELECT memory.remember('hello')$$,
    $$SELECT memory.remember('hello', user_id => NULL)$$,
    $$SELECT memory.remember_many('[{"content": "hello"}]')$$,
    $$SELECT memory.revise('00000000-0000-7000-8000-000000000001', 'hello')$$,
    $$SELECT memory.get('00000000-0000-7000-8000-000000000001')$$,
    $$SELECT memory.recall_recent()$$]) AS call;
SELECT memory.remember('with a name', user_id => 'ann') IS NOT NULL AS remembered;
SELECT count(*) FROM memory.remember_many('[{"content": "with a name", "user_id": "ann"}]');
SELECT content FROM memory.recall_recent(user_id => 'ann');
RESET memory.anonymous;
SET memory.namespace = 'test of scope';

-- '' is nobody's name.
SELECT pg_temp.refused(call) AS "empty"
FROM unnest(ARRAY[
    $$SELECT memory.remember('hello', user_id => '')$$,
    $$SELECT memory.remember_many('[{"content": "hello"}]', user_id => '')$$,
    $$SELECT memory.remember_many('[{"content": "hello", "user_id": ""}]')$$,
    $$SELECT memory.remember_many('[]', user_id => '')$$,
    $$SELECT memory.revise('00000000-0000-7000-8000-000000000001', 'hello', user_id => '')$$,
    $$SELECT memory.get('00000000-0000-7000-8000-000000000001', '')$$,
    $$SELECT memory.recall_recent(user_id => '')$$,
    $$SELECT memory.set_scope(user_id => '')$$,
    $$SELECT memory.set_scope(namespace => '')$$,
    $$SELECT set_config('memory.user_id', '', true)$$,
    $$SET memory.user_id = ''$$,
    $$SET memory.namespace = ''$$,
    $$SET memory.anonymous = 'perhaps'$$]) AS call;
SELECT count(*) AS "nothing was written" FROM memory.episodes WHERE content = 'hello';

-- A name has at most 512 bytes, that of a session 1024.
SELECT memory.remember('of a long name', user_id => repeat('é', 256)) IS NOT NULL AS remembered;
SELECT content FROM memory.recall_recent(user_id => repeat('é', 256));
SELECT pg_temp.refused(format(call, repeat('é', length))) AS "too long"
FROM (VALUES
    ($$SELECT memory.remember('hello', user_id => '%s')$$, 257),
    ($$SELECT memory.remember('hello', agent_id => '%s')$$, 257),
    ($$SELECT memory.remember('hello', session_id => '%s')$$, 513),
    ($$SELECT memory.recall_recent(user_id => '%s')$$, 257)) AS c (call, length);
SELECT left(pg_temp.refused(format('SET %s = %L', name, repeat('é', length))), 51) AS "too long"
FROM (VALUES ('memory.user_id', 257), ('memory.agent_id', 257), ('memory.session_id', 513), ('memory.namespace', 257)) AS n (name, length);

-- set_scope sets the whole scope and returns it: for the session,
SELECT * FROM memory.set_scope('ann', 'coder', 'monday', 'test of scope', model => 'mini');
SELECT * FROM memory.scope();
SHOW memory.embedding_model;
-- without what a caller before has left,
SELECT * FROM memory.set_scope('bob');
SELECT * FROM memory.scope();
-- or for the transaction,
BEGIN;
SELECT memory.set_scope('ann', session_id => 'monday', is_local => true);
SELECT * FROM memory.scope();
COMMIT;
SELECT * FROM memory.scope();
-- whose rollback takes it back.
BEGIN;
SELECT memory.set_scope('cyd', 'a', 'b', 'c', model => 'd');
ROLLBACK;
SELECT * FROM memory.scope();
-- NULLs are not given.
SELECT * FROM memory.set_scope(NULL, NULL, NULL, NULL, NULL, NULL);

-- Outside a transaction block is_local ends with the statement, and a select list says so.
\set VERBOSITY sqlstate
SELECT memory.set_scope('ann', is_local => true);
SELECT user_id IS NULL AS no_user FROM memory.scope();
\set VERBOSITY default
SELECT (memory.set_scope('ann', is_local => true)).user_id;
-- In FROM one statement carries its own scope, also prepared and with a generic plan.
SELECT memory.remember('by one statement', user_id => 'ann') IS NOT NULL AS remembered;
SELECT s.user_id, m.content
FROM memory.set_scope(user_id => 'ann', is_local => true) s, LATERAL memory.recall_recent(user_id => s.user_id) m;
SET plan_cache_mode = force_generic_plan;
PREPARE of(text) AS SELECT s.user_id, memory.current_user_id() AS "the setting", m.content
FROM memory.set_scope(user_id => $1, is_local => true) s, LATERAL memory.recall_recent(user_id => s.user_id) m;
EXECUTE of('ann');
EXECUTE of('bob');
DEALLOCATE of;
RESET plan_cache_mode;
SELECT user_id IS NULL AS no_user FROM memory.scope();
-- Statements of a function, and several sent at once, are followed by others of their transaction.
DO $$
DECLARE one record;
BEGIN
    PERFORM memory.set_scope('ann', is_local => true);
    SELECT * INTO one FROM memory.scope();
    RAISE WARNING 'the scope is %', one;
END $$;
SELECT memory.set_scope('ann', is_local => true)\; SELECT user_id FROM memory.scope();
SELECT user_id IS NULL AS no_user FROM memory.scope();

-- What was set before the library was loaded counts; what SET would have refused is an error where
-- it is used, not a way into somebody else's bucket.
\c
SET memory.namespace = 'test of scope';
SET memory.user_id = 'ann';
SELECT count(*) > 0 AS "ann's" FROM memory.recall_recent();
\c
SET memory.user_id = '';
SELECT memory.remember('into whose bucket?');
SELECT count(*) FROM memory.recall_recent();
INSERT INTO memory.episodes (content) VALUES ('into whose bucket?');
SELECT * FROM memory.scope();
SELECT memory.remember('into ann''s', user_id => 'ann') IS NOT NULL AS remembered;
RESET memory.user_id;
SELECT memory.remember('into the anonymous one') IS NOT NULL AS remembered;
\c
SET memory.namespace = '';
SELECT memory.remember('into which namespace?', user_id => 'ann');
SELECT count(*) AS "nothing was written" FROM memory.episodes WHERE content LIKE 'into wh%';
