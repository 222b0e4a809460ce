-- Sessions: the table, the keys of long names, and the functions that set and list them.
\pset format unaligned
\pset footer off
\set VERBOSITY terse
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

-- === keys of names ===========================================================================
-- A short name is its own key, whatever it looks like; of a longer one the key is #, and its SHA-256.
SELECT octet_length(name), memory_internal.name_key(name) = name AS "its own",
    memory_internal.name_key(name) = '#' || encode(sha256(convert_to(name, 'UTF8')), 'hex') AS digest
FROM unnest(ARRAY['', 'a', repeat('x', 64), '#' || repeat('0', 63), repeat('é', 32), repeat('x', 65), '#' || repeat('0', 64), repeat('é', 33), repeat('x', 100000)]) name;
SELECT memory_internal.name_key(NULL) IS NULL AS "null";
SELECT count(DISTINCT memory_internal.name_key(name)) AS keys, max(octet_length(memory_internal.name_key(name))) AS longest
FROM (SELECT memory_internal.name_key(repeat('x', n)) AS name FROM generate_series(1, 200) n UNION ALL SELECT repeat('x', n) FROM generate_series(65, 200) n) names;
SELECT provolatile, proisstrict, proparallel FROM pg_proc WHERE oid = 'memory_internal.name_key'::regproc;

-- === the table ===============================================================================
-- Defaults are those of the other tables.
SELECT memory.set_scope('ann', agent_id => 'planner', namespace => 'regress_sessions');
INSERT INTO memory.sessions (session_id) VALUES ('monday');
COPY memory.sessions (session_id) FROM STDIN;
tuesday
\.
SELECT namespace, user_id, session_id, agent_id, version, store, metadata, created_at = updated_at AS "not written again", created_at <= now() AS now FROM memory.sessions WHERE namespace = 'regress_sessions' ORDER BY 3;
SELECT count(DISTINCT key) AS keys FROM memory.sessions WHERE namespace = 'regress_sessions';
-- What is true of each row holds in INSERT, UPDATE and COPY.
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$INSERT INTO memory.sessions DEFAULT VALUES$$,
    $$INSERT INTO memory.sessions (session_id) VALUES ('')$$,
    $$INSERT INTO memory.sessions (session_id) VALUES (repeat('x', 1025))$$,
    $$INSERT INTO memory.sessions (session_id, agent_id) VALUES ('a', repeat('x', 513))$$,
    $$INSERT INTO memory.sessions (session_id, user_id) VALUES ('a', repeat('x', 513))$$,
    $$INSERT INTO memory.sessions (session_id, namespace) VALUES ('a', '')$$,
    $$INSERT INTO memory.sessions (session_id, version) VALUES ('a', 0)$$,
    $$INSERT INTO memory.sessions (session_id, key) VALUES ('a', NULL)$$,
    $$INSERT INTO memory.sessions (session_id, updated_at) VALUES ('a', 'infinity')$$,
    $$INSERT INTO memory.sessions (session_id, created_at) VALUES ('a', '-infinity')$$,
    $$INSERT INTO memory.sessions (session_id, metadata) VALUES ('a', '[]')$$,
    $$INSERT INTO memory.sessions (session_id, metadata) VALUES ('a', NULL)$$,
    $$INSERT INTO memory.sessions (session_id) VALUES ('monday')$$,
    $$INSERT INTO memory.sessions (session_id, key) SELECT 'a', key FROM memory.sessions WHERE namespace = 'regress_sessions' AND session_id = 'monday'$$,
    $$UPDATE memory.sessions SET session_id = 'monday' WHERE session_id = 'tuesday'$$]) s;
COPY memory.sessions (session_id, metadata) FROM STDIN;
wednesday	3
\.
-- Names are compared byte by byte; those of another user or namespace are others. A key is a user's own as well.
INSERT INTO memory.sessions (session_id) VALUES ('Monday'), ('monday '), ('café'), (E'cafe\u0301');
INSERT INTO memory.sessions (session_id, user_id, key) SELECT session_id, 'bob', key FROM memory.sessions WHERE namespace = 'regress_sessions' AND session_id = 'monday';
SELECT count(*) FROM memory.sessions WHERE namespace = 'regress_sessions' AND lower(session_id) LIKE 'monday%';
-- The longest names that there may be, of bytes that do not compress, have room in every index.
CREATE FUNCTION pg_temp.noise(seed text, size int) RETURNS text LANGUAGE sql AS $$
    SELECT left(string_agg(translate(encode(sha256(convert_to(seed || n, 'UTF8')), 'base64'), E'\n', ''), '' ORDER BY n), size) FROM generate_series(1, size / 43 + 1) n
$$;
INSERT INTO memory.sessions (namespace, user_id, session_id, agent_id) VALUES (pg_temp.noise('n', 512), pg_temp.noise('u', 512), pg_temp.noise('s', 1024), pg_temp.noise('a', 512));
SELECT octet_length(namespace), octet_length(user_id), octet_length(session_id) FROM memory.sessions WHERE session_id = pg_temp.noise('s', 1024);
DELETE FROM memory.sessions WHERE session_id = pg_temp.noise('s', 1024);
DELETE FROM memory.sessions WHERE namespace = 'regress_sessions';
SELECT memory.set_scope();

-- === set_session =============================================================================
SELECT memory.set_scope('ann', agent_id => 'planner', namespace => 'regress_sessions');
CREATE TEMP VIEW seen AS SELECT session_id, agent_id, messages, last_seq, version, metadata, paths FROM memory.sessions(sort => '-created');
-- It makes a session, at version 1. Keys that are given take the place of those that are there, whole.
SELECT memory.set_session('monday', '{"title": "To Vienna", "trip": {"to": "Vienna"}, "open": true}');
SELECT memory.set_session('monday', '{"open": null, "trip": {"days": 3}}');
SELECT * FROM pg_temp.seen;
SELECT memory.set_session('monday', '{"only": 1}', mode => 'replace'), memory.set_session('monday', '{}', mode => NULL, expected_version => NULL);
SELECT * FROM pg_temp.seen;
-- The agent stays the one that it is, unless another is given; the setting is for a session without.
SELECT memory.set_scope('ann', agent_id => 'writer', namespace => 'regress_sessions');
SELECT memory.set_session('monday', '{}') AS version, agent_id FROM memory.session('monday');
SELECT memory.set_session('monday', '{}', agent_id => 'critic');
SELECT agent_id, version FROM memory.session('monday');
INSERT INTO memory.sessions (session_id, agent_id) VALUES ('of none', NULL);
SELECT memory.set_session('of none', '{}');
SELECT agent_id FROM memory.session('of none');
DELETE FROM memory.sessions WHERE session_id = 'of none';
-- Without a session the setting's.
SELECT pg_temp.refused($$SELECT memory.set_session(NULL, '{}')$$);
SET memory.session_id = 'of the setting';
SELECT memory.set_session(NULL, '{}');
SELECT session_id FROM memory.session('of the setting');
RESET memory.session_id;
DELETE FROM memory.sessions WHERE session_id = 'of the setting';
-- expected_version: 0 makes a session, another is the one that it has.
SELECT memory.set_session('tuesday', '{"n": 1}', expected_version => 0);
SELECT memory.set_session('tuesday', '{"n": 2}', expected_version => 1);
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.set_session('tuesday', '{"n": 3}', expected_version => 0)$$,
    $$SELECT memory.set_session('tuesday', '{"n": 3}', expected_version => 1)$$,
    $$SELECT memory.set_session('tuesday', '{"n": 3}', mode => 'replace', expected_version => 3)$$,
    $$SELECT memory.set_session('wednesday', '{"n": 3}', expected_version => 1)$$,
    $$SELECT memory.set_session('tuesday', '{"n": 3}', expected_version => -1)$$]) s;
SELECT * FROM pg_temp.seen;
-- Bad input is refused before anything is written.
SELECT pg_temp.refused(s) FROM unnest(ARRAY[
    $$SELECT memory.set_session('', '{}')$$,
    $$SELECT memory.set_session(repeat('x', 1025), '{}')$$,
    $$SELECT memory.set_session('bad', NULL)$$,
    $$SELECT memory.set_session('bad', '[]')$$,
    $$SELECT memory.set_session('bad', '"x"')$$,
    $$SELECT memory.set_session('bad', '{}', mode => 'merge')$$,
    $$SELECT memory.set_session('bad', '{}', mode => '')$$,
    $$SELECT memory.set_session('bad', '{}', agent_id => repeat('x', 513))$$,
    $$SELECT memory.set_session('bad', '{}', user_id => '')$$,
    $$SELECT memory.session('')$$,
    $$SELECT memory.session(NULL)$$,
    $$SELECT memory.session(repeat('x', 1025))$$,
    $$SELECT memory.sessions(k => 0)$$,
    $$SELECT memory.sessions(k => -1)$$,
    $$SELECT memory.sessions(k => 1000001)$$,
    $$SELECT memory.sessions(skip => -1)$$,
    $$SELECT memory.sessions(sort => 'name')$$,
    $$SELECT memory.sessions(ids => '{monday,NULL}')$$,
    $$SELECT memory.sessions(ids => '{monday,""}')$$,
    $$SELECT memory.sessions(ids => ARRAY[repeat('x', 1025)])$$,
    $$SELECT memory.sessions(filter => '{"n": {"$above": 1}}')$$,
    $$SELECT memory.sessions(filter => '[]')$$,
    $$SELECT memory.sessions(user_id => '')$$]) s;
SELECT count(*) FROM memory.sessions WHERE namespace = 'regress_sessions';
-- A name of 1 kB is a name.
SELECT memory.set_session(repeat('é', 512), '{}');
SELECT octet_length(session_id) FROM memory.session(repeat('é', 512));
DELETE FROM memory.sessions WHERE namespace = 'regress_sessions';
-- In one transaction updated_at is when it began, and never goes back.
BEGIN;
INSERT INTO memory.sessions (session_id, updated_at) VALUES ('ahead', now() + '1 day');
SELECT memory.set_session('ahead', '{}'), memory.set_session('now', '{}');
SELECT session_id, updated_at - now() AS ahead, created_at = now() AS made FROM memory.sessions();
ROLLBACK;

-- === sessions ================================================================================
-- A month of sessions, of which every fourth is as new as the one before.
INSERT INTO memory.sessions (session_id, agent_id, created_at, updated_at, metadata)
SELECT 's' || lpad(n::text, 2, '0'), CASE n % 3 WHEN 0 THEN 'planner' WHEN 1 THEN 'critic' END, '2026-01-31'::timestamptz - n * interval '1 day',
    '2026-03-01'::timestamptz + (n - (n % 4 = 0)::int) * interval '1 day', jsonb_build_object('n', n, 'odd', n % 2 = 1)
FROM generate_series(1, 30) n;
SELECT memory.set_scope('ann', namespace => 'regress_sessions');
-- Each order, and its reverse, with ties by name.
SELECT sort, string_agg(session_id, ' ' ORDER BY place) FROM unnest('{updated,-updated,created,-created}'::text[]) sort,
    LATERAL (SELECT session_id, row_number() OVER () AS place FROM memory.sessions(k => 8, sort => sort)) s GROUP BY 1 ORDER BY 1 DESC;
SELECT (SELECT array_agg(session_id) FROM memory.sessions(k => NULL)) = (SELECT array_agg(session_id ORDER BY updated_at DESC, session_id COLLATE "C") FROM memory.sessions WHERE namespace = 'regress_sessions') AS newest,
    (SELECT array_agg(session_id) FROM memory.sessions(k => NULL, sort => '-updated')) = (SELECT array_agg(session_id ORDER BY updated_at, session_id COLLATE "C" DESC) FROM memory.sessions WHERE namespace = 'regress_sessions') AS oldest;
-- Twenty unless more are asked for; pages, whose sum is everything once.
SELECT count(*) AS "by default", (SELECT count(*) FROM memory.sessions(k => NULL)) AS "all", (SELECT count(*) FROM memory.sessions(k => 1000000)) AS most,
    (SELECT count(*) FROM memory.sessions(skip => 25)) AS "last", (SELECT count(*) FROM memory.sessions(skip => 30)) AS "none" FROM memory.sessions();
SELECT count(*), count(DISTINCT session_id) FROM generate_series(0, 29, 7) first, memory.sessions(k => 7, skip => first);
-- since and until are both inside, and are about the time that sorts.
SELECT string_agg(session_id, ' ') FROM memory.sessions(since => '2026-03-27', until => '2026-03-30');
SELECT string_agg(session_id, ' ') FROM memory.sessions(since => '2026-01-27', until => '2026-01-30', sort => 'created');
SELECT count(*) FROM memory.sessions(since => '-infinity', until => 'infinity', k => NULL);
SELECT count(*) FROM memory.sessions(since => '2026-03-30', until => '2026-03-27');
-- By agent, by names, by metadata; together. A name that is not there is not found.
SELECT string_agg(session_id, ' ') FROM memory.sessions(agent_id => 'critic', k => 4);
SELECT string_agg(session_id, ' ') FROM memory.sessions(ids => '{s03,s30,nothing,s03,S04}');
SELECT count(*) FROM memory.sessions(ids => '{}');
SELECT string_agg(session_id, ' ') FROM memory.sessions(filter => '{"n": {"$gt": 20}, "odd": true}');
SELECT string_agg(session_id, ' ') FROM memory.sessions(agent_id => 'critic', ids => '{s01,s04,s07,s09}', filter => '{"n": {"$lt": 7}}', since => '2026-03-02', k => 1, skip => 1);
-- A page of a large user is read from its end of the index.
INSERT INTO memory.sessions (session_id, updated_at) SELECT 'many' || n, '2025-01-01'::timestamptz + n * interval '1 minute' FROM generate_series(1, 3000) n;
ANALYZE memory.sessions;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/blocks.sql
SELECT sort, pg_temp.blocks(format('SELECT * FROM memory.sessions(sort => %L)', sort)) < 120 AS few FROM unnest('{updated,-updated}'::text[]) sort;
SELECT pg_temp.blocks($$SELECT * FROM memory.sessions(ids => '{many7,many70}')$$) < 40 AS few, pg_temp.blocks($$SELECT * FROM memory.session('many7')$$) < 20 AS fewer;

-- === whose they are ==========================================================================
SELECT memory.set_session('s01', '{"mine": true}', user_id => 'bob');
SELECT user_id, metadata FROM memory.sessions WHERE namespace = 'regress_sessions' AND session_id = 's01' ORDER BY 1;
SELECT session_id, version, metadata FROM memory.sessions(user_id => 'bob');
SELECT count(*) FROM memory.session('s02', user_id => 'bob');
SELECT count(*) FROM memory.sessions(user_id => 'carl');
SELECT memory.set_scope('ann', namespace => 'regress_sessions_2');
SELECT count(*) FROM memory.sessions();
-- Without a user, the anonymous one's. Sessions of named users are enough for the warning.
SELECT memory.set_scope(namespace => 'regress_sessions');
SET client_min_messages = notice;
SELECT memory.set_session('nobody''s', '{}') AS version;
SELECT session_id FROM memory.sessions();
SET memory.anonymous = 'deny';
SELECT pg_temp.refused(s) FROM unnest(ARRAY[$$SELECT memory.set_session('x', '{}')$$, $$SELECT memory.sessions()$$, $$SELECT memory.session('x')$$]) s;
RESET memory.anonymous;
SET client_min_messages = warning;
SELECT user_id, session_id FROM memory.sessions WHERE namespace = 'regress_sessions' AND session_id LIKE 'nobody%';
-- Under protect(), only the session's user; in a read-only transaction reading works, writing does not.
CREATE ROLE regress_sessions_app;
SELECT memory.grant_access('regress_sessions_app', 'writer');
SELECT memory.protect();
SET ROLE regress_sessions_app;
SELECT memory.set_scope('bob', namespace => 'regress_sessions');
SELECT count(*) FROM memory.sessions(user_id => 'ann');
SELECT count(*) FROM memory.sessions;
SELECT memory.set_session('s01', '{"b": 1}'), pg_temp.refused($$SELECT memory.set_session('s01', '{}', user_id => 'ann')$$), pg_temp.refused($$SELECT memory.set_session('s01', '{}', user_id => 'ann', expected_version => 1)$$),
    pg_temp.refused($$SELECT memory.set_session('s01', '{}', user_id => 'ann', expected_version => 0)$$), pg_temp.refused($$SELECT memory.set_session('s01', '{}', user_id => 'nobody', expected_version => 1)$$);
SELECT metadata FROM memory.session('s01');
BEGIN READ ONLY;
SELECT version FROM memory.session('s01');
SELECT pg_temp.refused($$SELECT memory.set_session('s01', '{}')$$);
COMMIT;
RESET ROLE;
SELECT memory.unprotect();
SELECT memory.grant_access('regress_sessions_app', 'reader');
SET ROLE regress_sessions_app;
SELECT version, pg_temp.refused($$SELECT memory.set_session('s01', '{}')$$) FROM memory.session('s01');
RESET ROLE;
SELECT memory.revoke_access('regress_sessions_app');
DROP ROLE regress_sessions_app;
-- A row that a trigger of the owner's keeps out is an error.
CREATE FUNCTION pg_temp.keep_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER keep_out BEFORE INSERT OR UPDATE ON memory.sessions FOR EACH ROW EXECUTE FUNCTION pg_temp.keep_out();
SELECT pg_temp.refused($$SELECT memory.set_session('s01', '{}')$$), pg_temp.refused($$SELECT memory.set_session('new', '{}', expected_version => 0)$$), pg_temp.refused($$SELECT memory.set_session('s01', '{}', expected_version => 2)$$);
DROP TRIGGER keep_out ON memory.sessions;
DELETE FROM memory.sessions WHERE namespace = 'regress_sessions';
SELECT memory.set_scope();
