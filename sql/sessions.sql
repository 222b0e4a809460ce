-- Sessions: the table, what it accepts, and the keys of long names.
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
    $$INSERT INTO memory.sessions (session_id, key) SELECT 'a', key FROM memory.sessions WHERE session_id = 'monday'$$,
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
