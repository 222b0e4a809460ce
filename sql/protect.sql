-- memory.protect(): a session sees and writes the rows of one user, whatever it passes.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE FUNCTION pg_temp.refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text;
BEGIN
    EXECUTE statement;
    RETURN 'was not refused';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
    RETURN state || ' ' || message;
END $$;
DROP ROLE IF EXISTS regress_protect_owner, regress_protect_app;
CREATE ROLE regress_protect_owner;
CREATE ROLE regress_protect_app;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE SCHEMA memory AUTHORIZATION regress_protect_owner;
CREATE EXTENSION memory CASCADE;
SET ROLE regress_protect_owner;
SELECT memory.init();
SELECT memory.grant_access('regress_protect_app', 'writer');

-- What two users have, before.
SELECT count(memory.remember(t, user_id => u, id => i, embedding => e::public.vector)) FROM (VALUES
    ('ada',  'night trains to Vienna',    '00000000-0000-7000-8000-000000000001'::uuid, '[1,0]'),
    ('ada',  'the cat sleeps all day',    '00000000-0000-7000-8000-000000000002', '[0,1]'),
    ('bob',  'trains are late at night',  '00000000-0000-7000-8000-000000000003', '[1,1]'),
    (NULL,   'nobody''s trains',          '00000000-0000-7000-8000-000000000004', '[1,0]')) v (u, t, i, e);
SELECT count(memory.assert_fact('Vienna', 'is in', o, user_id => u)) FROM (VALUES ('ada', 'Austria'), ('bob', 'Virginia')) v (u, o);
CREATE TEMP TABLE before AS SELECT * FROM memory.recall_scored('trains at night', '[2,1]', k => 9, user_id => 'ada');

-- What a session can see of it, by whatever it passes.
CREATE FUNCTION pg_temp.sees() RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(' | ',
        (SELECT coalesce(string_agg(DISTINCT user_id, ', '), 'nothing') FROM memory.episodes),
        (SELECT coalesce(string_agg(content, ', ' ORDER BY content), 'nothing') FROM unnest('{ada,bob}'::text[]) u, memory.recall_scored('trains', '[1,1]', user_id => u)),
        (SELECT coalesce(string_agg(object, ', ' ORDER BY object), 'nothing') FROM unnest('{ada,bob}'::text[]) u, memory.facts('Vienna', user_id => u)),
        (SELECT coalesce(string_agg(object, ', ' ORDER BY object), 'nothing') FROM unnest('{ada,bob}'::text[]) u, memory.recall_facts('vienna', user_id => u)))
$$;
SELECT pg_temp.sees();

-- By the setting, unless told otherwise. The owner is a user as well.
SELECT memory.protect();
SELECT pg_temp.sees();
SET memory.user_id = 'ada';
SELECT pg_temp.sees();
SET memory.user_id = 'bob';
SELECT pg_temp.sees();
SET ROLE regress_protect_app;
SELECT pg_temp.sees();
SELECT content FROM memory.get('00000000-0000-7000-8000-000000000001', user_id => 'ada');

-- Every table with a user is closed.
RESET ROLE;
SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity AS forced, count(p.oid) AS policies
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id' LEFT JOIN pg_policy p ON p.polrelid = c.oid
WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind = 'r' GROUP BY 1, 2 ORDER BY 1;

-- Writing for another user is refused, changing another user's finds nothing.
SET ROLE regress_protect_app;
SELECT pg_temp.refused($$SELECT memory.remember('mine', user_id => 'ada')$$);
SELECT pg_temp.refused($$SELECT memory.remember_many('[{"content": "mine", "user_id": "ada"}]')$$);
SELECT pg_temp.refused($$INSERT INTO memory.episodes (user_id, content) VALUES ('ada', 'mine')$$);
SELECT pg_temp.refused($$SELECT memory.assert_fact('Vienna', 'is in', 'Bavaria', user_id => 'ada')$$);
SELECT pg_temp.refused($$UPDATE memory.episodes SET user_id = 'ada'$$);
SELECT pg_temp.refused($$SELECT memory.revise('00000000-0000-7000-8000-000000000001', 'mine', user_id => 'ada')$$);
SELECT pg_temp.refused($$SELECT memory.assert_facts('[{"subject": "a", "predicate": "b", "object": "c", "user_id": "bob"}, {"subject": "a", "predicate": "b", "object": "c", "user_id": "ada"}]')$$);
RESET memory.user_id;
SELECT pg_temp.refused($$SELECT memory.remember('mine', user_id => 'ada')$$), pg_temp.refused($$SELECT memory.remember('nobody''s')$$);
SET memory.user_id = 'bob';
DELETE FROM memory.episodes WHERE user_id = 'ada';
SELECT memory.remember('mine', user_id => 'bob') IS NOT NULL AS own;
SELECT memory.assert_fact('Vienna', 'is in', 'Maryland', user_id => 'bob') IS NOT NULL AS own;

-- One's own answers are what they were, to the last digit.
SET ROLE regress_protect_owner;
SET memory.user_id = 'ada';
SELECT count(*) AS rows, count(*) FILTER (WHERE b IS DISTINCT FROM a) AS differ
FROM before b FULL JOIN memory.recall_scored('trains at night', '[2,1]', k => 9, user_id => 'ada') a USING (id);

-- A setting that SET LOCAL has left empty is no user, not the anonymous one.
RESET memory.user_id;
SELECT memory.protect($$current_setting('regress.identity', true)$$);
BEGIN; SET LOCAL regress.identity = 'ada'; SELECT pg_temp.sees(); COMMIT;
SELECT current_setting('regress.identity', true) = '' AS empty, pg_temp.sees();

-- Any expression; the last one counts. A wide policy beside it does not let more be seen.
CREATE POLICY wide ON memory.episodes USING (true);
SELECT memory.protect($$CASE current_user WHEN 'regress_protect_app' THEN 'ada' ELSE NULL END -- of the role$$);
SELECT pg_temp.sees();
SET ROLE regress_protect_app;
SELECT pg_temp.sees();

-- Tables that come later are closed too.
RESET ROLE;
SET ROLE regress_protect_owner;
DROP TABLE memory.entity_aliases;
SELECT memory.init();
SELECT relrowsecurity AND relforcerowsecurity AS forced FROM pg_class WHERE oid = 'memory.entity_aliases'::regclass;

-- The policies outlive the extension.
SELECT memory.protect();
RESET ROLE;
DROP EXTENSION memory CASCADE;
CREATE EXTENSION memory;
SET ROLE regress_protect_owner;
SELECT memory.init();
SELECT pg_temp.sees();
SET memory.user_id = 'bob';
SELECT pg_temp.sees();
RESET memory.user_id;

-- Not an expression, or one that would be true of every row; not for all.
SELECT pg_temp.refused($$SELECT memory.protect(NULL)$$);
SELECT pg_temp.refused($$SELECT memory.protect(' ')$$);
SELECT pg_temp.refused($$SELECT memory.protect('user_id')$$);
SELECT pg_temp.refused($$SELECT memory.protect('1 +')$$);
SET ROLE regress_protect_app;
SELECT left(pg_temp.refused($$SELECT memory.protect()$$), 5), left(pg_temp.refused($$SELECT memory.unprotect()$$), 5);

-- Ownership comes first, and that of all tables.
SELECT pg_temp.refused($$SELECT memory.protect(NULL)$$);
RESET ROLE;
ALTER TABLE memory.usage OWNER TO regress_protect_app;
SET ROLE regress_protect_owner;
SELECT pg_temp.refused($$SELECT memory.protect()$$);
RESET ROLE;
ALTER TABLE memory.usage OWNER TO regress_protect_owner;

-- It is quiet. What fails in it is one command, not all of them; and a superuser is told that no policy holds for one.
SET client_min_messages = notice;
SET ROLE regress_protect_owner;
SELECT memory.unprotect();
SELECT memory.protect();
SELECT memory.protect();
RESET ROLE;
CREATE FUNCTION public.regress_refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'no %', tg_tag;
END $$;
CREATE EVENT TRIGGER regress_refuse ON ddl_command_start WHEN tag IN ('ALTER TABLE') EXECUTE FUNCTION public.regress_refuse();
CREATE FUNCTION pg_temp.context_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE context text;
BEGIN
    EXECUTE statement;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS context = PG_EXCEPTION_CONTEXT;
    RETURN substring(context FROM 'SQL statement "((?:ALTER|CREATE|DROP)[^"]*)"');
END $$;
SET ROLE regress_protect_owner;
SELECT pg_temp.context_of('SELECT memory.protect()');
RESET ROLE;
DROP EVENT TRIGGER regress_refuse;
DROP FUNCTION public.regress_refuse;
CREATE ROLE regress_protect_root SUPERUSER;
SET ROLE regress_protect_root;
SELECT memory.protect();
RESET ROLE;
DROP ROLE regress_protect_root;
SET client_min_messages = warning;

-- And open again, but for what has a policy of its own.
RESET ROLE;
SET ROLE regress_protect_owner;
SELECT memory.unprotect();
SELECT relname, relrowsecurity FROM pg_class WHERE oid IN ('memory.episodes'::regclass, 'memory.embeddings'::regclass) ORDER BY 1;
DROP POLICY wide ON memory.episodes;
ALTER TABLE memory.episodes DISABLE ROW LEVEL SECURITY;
SELECT pg_temp.sees();

RESET ROLE;
DROP EXTENSION memory CASCADE;
DROP OWNED BY regress_protect_owner CASCADE;
DROP OWNED BY regress_protect_app;
DROP ROLE regress_protect_owner, regress_protect_app;
