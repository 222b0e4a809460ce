-- What memory.protect() takes for who the session is: one value by itself, the same throughout a statement, that can be
-- had here and does not ask the tables that it protects.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE FUNCTION pg_temp.answer(identity text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text; hint text;
BEGIN
    PERFORM memory.protect(identity);
    RETURN 'protects';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' ', state, message, '(' || nullif(hint, '') || ')');
END $$;
DROP ROLE IF EXISTS regress_identity_owner;
CREATE ROLE regress_identity_owner;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS regress_identity CASCADE;
CREATE SCHEMA memory AUTHORIZATION regress_identity_owner;
CREATE SCHEMA regress_identity AUTHORIZATION regress_identity_owner;
CREATE EXTENSION memory CASCADE;
SET ROLE regress_identity_owner;
SELECT memory.init();
SELECT memory.remember('a', user_id => 'ada') IS NOT NULL AS remembered;
CREATE TABLE regress_identity.session (token text PRIMARY KEY, person text);
INSERT INTO regress_identity.session VALUES ('t1', 'ada'), ('t2', 'bob'), ('t3', NULL);
CREATE FUNCTION regress_identity.person() RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN (SELECT person FROM regress_identity.session WHERE token = current_setting('regress.token', true)); END $$;
CREATE FUNCTION regress_identity.undeclared() RETURNS text LANGUAGE sql AS $$ SELECT current_user::text $$;
CREATE FUNCTION regress_identity.set() RETURNS SETOF text LANGUAGE sql STABLE AS $$ VALUES ('ada'), ('bob') $$;
CREATE FUNCTION regress_identity.itself() RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN (SELECT max(user_id) FROM memory.episodes); END $$;
CREATE FUNCTION regress_identity.itself_deeper() RETURNS text LANGUAGE sql STABLE AS $$ SELECT coalesce(regress_identity.itself(), 'x') $$;
CREATE FUNCTION regress_identity.itself_caught() RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN PERFORM FROM memory.facts; RAISE 'no'; EXCEPTION WHEN OTHERS THEN RETURN 'ada'; END $$;
CREATE FUNCTION regress_identity.by_recall() RETURNS text LANGUAGE sql STABLE AS $$ SELECT content FROM memory.recall_recent(user_id => 'ada') $$;
CREATE VIEW regress_identity.users AS SELECT user_id FROM memory.timelines;

-- What is good.
SELECT identity, pg_temp.answer(identity) FROM unnest(ARRAY[
    'memory.current_user_id()',
    'current_user::text',
    'current_user',
    $$current_setting('regress.user', true)$$,
    $$current_setting('request.jwt.claims', true)::jsonb->>'sub'$$,
    $$(SELECT person FROM regress_identity.session WHERE token = current_setting('regress.token', true))$$,
    $$(SELECT max(person) FROM regress_identity.session)$$,
    'regress_identity.person()',
    '(SELECT max(predicate) FROM memory.predicates)',
    $$CASE WHEN current_user = 'regress_identity_owner' THEN 'ada' END -- a comment$$,
    'NULL',
    '42']) identity;

-- What is not.
SELECT identity, pg_temp.answer(identity) FROM unnest(ARRAY[
    '', E' \t', '1 +', 'current_user; SELECT 1', 'current_user) , (current_user', $$current_user)::text FROM pg_class WHERE (true$$, $$current_user)::text UNION SELECT ('x'$$, '$1',
    'user_id', 'nosuch.function()', 'pg_class.relname', '(SELECT e.user_id)',
    'max(current_user::text)', 'count(*)', 'first_value(current_user::text) OVER ()', 'row_number() OVER ()', 'regress_identity.set()', $$unnest('{ada,bob}'::text[])$$,
    'random()', 'gen_random_uuid()', 'clock_timestamp()', 'regress_identity.undeclared()', $$set_config('memory.user_id', 'ada', false)$$, '(SELECT random())',
    $$current_setting('regress.missing')$$, $$1 / (current_user = 'x')::int$$, '(SELECT token FROM regress_identity.session)', $$'{'::jsonb->>'sub'$$,
    '(SELECT max(user_id) FROM memory.episodes)', 'regress_identity.itself()', 'regress_identity.itself_deeper()', 'regress_identity.itself_caught()', 'regress_identity.by_recall()',
    '(SELECT max(user_id) FROM regress_identity.users)', '(SELECT max(episode_id::text) FROM memory.embeddings)', $$CASE WHEN current_user = 'x' THEN (SELECT max(user_id) FROM memory.usage) END$$]) identity;

-- The last one that was good holds, and it works where it was refused for being evaluated without a user.
SELECT pg_temp.answer('regress_identity.person()');
SELECT polname, count(*) FROM pg_policy GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM memory.episodes;
SET regress.token = 't1';
SELECT count(*) FROM memory.episodes;
SET regress.token = 't2';
SELECT count(*) FROM memory.episodes;
SET regress.token = 't3';
SELECT count(*) FROM memory.episodes;

-- A function that began to read what it protects after it was accepted ends statements, and shows nothing.
CREATE OR REPLACE FUNCTION regress_identity.person() RETURNS text LANGUAGE sql STABLE AS $$ SELECT max(user_id) FROM memory.episodes $$;
DO $$ BEGIN PERFORM FROM memory.episodes; RAISE 'was answered'; EXCEPTION WHEN statement_too_complex THEN RAISE INFO '%', SQLERRM; END $$;
SELECT pg_temp.answer('regress_identity.person()');
SELECT pg_temp.answer('current_user');

-- Who may ask for it is asked first; nothing is evaluated for others.
RESET ROLE;
CREATE ROLE regress_identity_other;
GRANT USAGE ON SCHEMA memory, regress_identity TO regress_identity_other;
SET ROLE regress_identity_other;
SELECT pg_temp.answer('1 / 0'), pg_temp.answer('current_user');
SELECT memory.unprotect();
RESET ROLE;

-- NULL has its own.
SELECT memory.protect(NULL);
DROP EXTENSION memory CASCADE;
DROP OWNED BY regress_identity_owner CASCADE;
DROP OWNED BY regress_identity_other;
DROP ROLE regress_identity_owner, regress_identity_other;
