-- What docs/security.md says, as far as no other test does: what a protected session, an admin, the owner and a superuser
-- can do, and what is seen of others all the same.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_security_owner, regress_security_app, regress_security_admin, regress_security_super;
CREATE ROLE regress_security_owner;
CREATE ROLE regress_security_app;
CREATE ROLE regress_security_admin;
CREATE ROLE regress_security_super SUPERUSER;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE SCHEMA memory AUTHORIZATION regress_security_owner;
CREATE EXTENSION memory CASCADE;
SET ROLE regress_security_owner;
SELECT memory.init();
SELECT memory.grant_access('regress_security_app', 'writer'), memory.grant_access('regress_security_admin', 'admin');
SELECT count(memory.remember(u || ' has a secret ' || n, user_id => u, session_id => 's', id => md5(u || n)::uuid, embedding => '[1,2]')) FROM generate_series(1, 300) n, unnest('{ada,bob}'::text[]) u;
SELECT count(memory.revise(md5(u || 1)::uuid, u || ' again', user_id => u)) FROM unnest('{ada,bob}'::text[]) u;
SELECT count(memory.assert_fact(u, 'keeps', 'secret ' || n, u, id => md5(u || n)::uuid, valid_from => '2026-01-01'::timestamptz + n * interval '1 day',
    sources => ARRAY[md5(u || n)::uuid], embedding => '[1,2]')) FROM generate_series(1, 20) n, unnest('{ada,bob}'::text[]) u;
SELECT count(memory.reject_fact(u, 'keeps', 'nothing', user_id => u)), count(memory.merge_entities(u, u || '2', u)) FROM unnest('{ada,bob}'::text[]) u;
INSERT INTO memory.usage SELECT namespace, user_id, id, 1 FROM memory.episodes;
INSERT INTO memory.jobs (user_id, task, thing, target, error) SELECT u, 'embed', 'episode', md5(u || 1)::uuid, 'secret' FROM unnest('{ada,bob}'::text[]) u;
INSERT INTO memory.merged_episodes (namespace, user_id, episode_id, kept, similarity) SELECT namespace, user_id, id, '00000000-0000-7000-8000-00000000000a', 1 FROM memory.episodes WHERE user_id <> '';
SELECT count(memory.set_session('s', '{"secret": true}', user_id => u)) FROM unnest('{ada,bob}'::text[]) u;
SELECT count(memory.put_checkpoint('s', '{}', 'c', refs => '{"m": "1"}', part_names => '{m}', part_types => '{t}', part_data => '{"\\x01"}', user_id => u)),
    count(memory.put_writes('s', 'c', 't', '{0}', '{n}', '{t}', '{"\\x01"}', user_id => u)) FROM unnest('{ada,bob}'::text[]) u;
SELECT count(memory.save_run('s', 'r', state => '{"secret": true}', user_id => u)), count(memory.set_summary('s', 'secret', user_id => u)), count(memory.set_profile('{"secret": true}', user_id => u)),
    count(memory.set_policy(true, user_id => u)), count(memory.set_block('secret', 'secret', user_id => u)) FROM unnest('{ada,bob}'::text[]) u;
SELECT count(seq) FROM unnest('{ada,bob}'::text[]) u, unnest('{"",sub}'::text[]) p, memory.add_messages('s', '[{"role": "user", "content": "a secret"}]', user_id => u, path => p, operation => 'o' || p) m;
SELECT count(memory.put_item('{s}', 'k', '"a secret"', user_id => u, texts => '{"a secret"}', embeddings => '{"[1,2]"}')) FROM unnest('{ada,bob}'::text[]) u;
SELECT memory.set_scope('bob', namespace => 'elsewhere');
SELECT memory.remember('bob, elsewhere') IS NOT NULL AS remembered, memory.define_predicate('knows', 'many');
SELECT memory.set_scope();
SELECT memory.protect();
RESET ROLE;
ANALYZE;
CREATE FUNCTION pg_temp.refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text; hint text;
BEGIN
    EXECUTE statement;
    RETURN 'was not refused';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' | ', state, message, nullif(detail, ''), nullif(hint, ''));
END $$;
-- INSERTs of a row of ada's into each table as it is there already, and of the same row for a user that there is not.
CREATE FUNCTION pg_temp.adas(relation text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE found jsonb;
BEGIN
    EXECUTE format('SELECT to_jsonb(t) FROM memory.%I t WHERE user_id = ''ada'' LIMIT 1', relation) INTO found;
    RETURN found;
END $$;
CREATE TEMP TABLE attempt AS
SELECT c.relname, format('INSERT INTO memory.%I (%s) %s SELECT %s FROM jsonb_populate_record(NULL::memory.%I, %L)', c.relname, columns, overriding, columns, c.relname,
    pg_temp.adas(c.relname) || jsonb_build_object('user_id', u)) AS statement
FROM pg_class c, LATERAL (SELECT string_agg(quote_ident(attname), ', ') AS columns, CASE WHEN bool_or(attidentity <> '') THEN 'OVERRIDING SYSTEM VALUE' ELSE '' END AS overriding
    FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') a, unnest('{ada,nobody}'::text[]) u
WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind = 'r' AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'user_id');
GRANT SELECT ON attempt TO PUBLIC;
SELECT count(*) > 15 AS attempts, bool_and(statement ~ 'ada|nobody') AS "each about somebody" FROM attempt;

-- No function runs with other rights than its caller's.
SELECT count(*) AS "SECURITY DEFINER" FROM pg_proc WHERE pronamespace IN ('memory'::regnamespace, 'memory_internal'::regnamespace) AND prosecdef;

-- === a protected session =====================================================================
SET ROLE regress_security_app;
SET memory.user_id = 'bob';

-- It cannot tell from an error whether another's row is there: by INSERT of the very row, by a function, by a reference.
SELECT relname, min(answer) AS answer, count(DISTINCT answer) AS answers
FROM (SELECT relname, pg_temp.refused(statement) AS answer FROM attempt) a GROUP BY 1 ORDER BY 1;
SELECT call, min(answer) AS answer, count(DISTINCT answer) AS answers
FROM unnest(ARRAY[
    $$SELECT memory.remember('x', id => md5(%1$L || '1')::uuid, user_id => %1$L)$$,
    $$SELECT memory.remember_many(json_build_array(json_build_object('content', 'x', 'id', md5(%1$L || '1')::uuid))::jsonb, user_id => %1$L)$$,
    $$SELECT memory.assert_fact(%1$L, 'keeps', 'secret 1', %1$L, id => md5(%1$L || '1')::uuid)$$,
    $$SELECT memory.assert_fact('bob', 'keeps', 'secret 77', sources => ARRAY[md5(%1$L || '1')::uuid])$$,
    $$SELECT memory.correct_fact(md5(%1$L || '1')::uuid, 'x', user_id => %1$L)$$,
    $$SELECT memory.reject_fact('ada', 'keeps', 'secret 1', user_id => %1$L)$$,
    $$SELECT memory.merge_entities('ada', 'secret 1', %1$L)$$,
    $$SELECT memory.set_session('s', '{}', user_id => %1$L)$$,
    $$SELECT memory.set_session('s', '{}', user_id => %1$L, expected_version => 0)$$,
    $$SELECT memory.set_session('s', '{}', user_id => %1$L, expected_version => 1)$$,
    $$SELECT memory.save_run('s', 'r', user_id => %1$L)$$,
    $$SELECT memory.save_run('t', 'r', expected_status => '{paused}', user_id => %1$L)$$,
    $$SELECT memory.delete_runs('{r}', user_id => %1$L)$$,
    $$SELECT memory.set_summary('s', 'x', user_id => %1$L)$$,
    $$SELECT memory.set_profile('{}', user_id => %1$L)$$,
    $$SELECT memory.set_policy(true, user_id => %1$L)$$,
    $$SELECT memory.put_item('{s}', 'k', '1', user_id => %1$L)$$,
    $$SELECT memory.put_item('{s}', 'k', '1', user_id => %1$L, expected_version => 0)$$,
    $$SELECT memory.put_item('{s}', 'k', '1', user_id => %1$L, expected_version => 7)$$,
    $$SELECT memory.put_items('[{"path": ["s"], "key": "k", "value": 1}]', user_id => %1$L)$$,
    $$SELECT memory.delete_items('{}', user_id => %1$L)$$,
    $$SELECT memory.touch_items('{}', user_id => %1$L)$$,
    $$SELECT memory.set_block('secret', 'x', user_id => %1$L)$$,
    $$SELECT memory.set_block('secret', 'x', user_id => %1$L, expected_version => 0)$$,
    $$SELECT memory.set_block('secret/x', 'x', user_id => %1$L)$$,
    $$SELECT memory.append_block('secret', 'x', user_id => %1$L)$$,
    $$SELECT memory.edit_block('secret', 'x', 'secret', user_id => %1$L)$$,
    $$SELECT memory.rename_block('secret', 'x', user_id => %1$L)$$,
    $$SELECT memory.move_block('secret', 0, user_id => %1$L)$$,
    $$SELECT memory.delete_block('secret', user_id => %1$L)$$,
    $$INSERT INTO memory.runs (session, run_id) SELECT key, 'r2' FROM memory.sessions WHERE user_id = %1$L$$,
    $$INSERT INTO memory.embeddings (episode_id, embedding) VALUES (md5(%1$L || '1')::uuid, '[1,2]')$$,
    $$INSERT INTO memory.fact_sources SELECT 'default', 'bob', md5('bob1')::uuid, md5(%1$L || '2')::uuid$$,
    $$UPDATE memory.episodes SET user_id = %1$L WHERE id = md5('bob1')::uuid$$]) call,
    unnest('{ada,nobody}'::text[]) u, LATERAL (SELECT replace(pg_temp.refused(format(call, u)), md5(u || '1')::uuid::text, 'the id') AS raw) r,
    LATERAL (SELECT replace(raw, md5(u || '2')::uuid::text, 'the id') AS answer) s
GROUP BY 1 ORDER BY 1;
-- Nothing came of it.
SELECT count(*) AS "bob's episodes", count(*) FILTER (WHERE user_id <> 'bob') AS "of others" FROM memory.episodes WHERE namespace = 'default';

-- The planner's estimates of ours do not depend on what others say: neither on a word that the index knows, nor on a text.
CREATE FUNCTION pg_temp.estimate(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || statement INTO plan;
    RETURN concat_ws(' ', plan->0->'Plan'->>'Plan Rows', plan->0->'Plan'->>'Startup Cost', plan->0->'Plan'->>'Total Cost');
END $$;
SELECT what, count(DISTINCT pg_temp.estimate(format(statement, value))) AS "different estimates"
FROM (VALUES
    ('a word, ranked', $$SELECT FROM memory.episodes WHERE namespace = 'default' AND user_id = 'ada' ORDER BY memory_internal.episode_text(content, response) OPERATOR(memory.<@>) memory.query(%L)$$),
    ('a word, found', $$SELECT FROM memory.facts WHERE namespace = 'default' AND user_id = 'ada' AND known_until = 'infinity' AND statement OPERATOR(memory.@@@) memory.query(%L)$$),
    ('a text', 'SELECT FROM memory.episodes WHERE content = %L'), ('texts up to one', 'SELECT FROM memory.episodes WHERE content < %L'),
    ('an object', 'SELECT FROM memory.facts WHERE object = %L'), ('an object''s key', 'SELECT FROM memory.facts WHERE object_key < %L'), ('a session', 'SELECT FROM memory.episodes WHERE session_id = %L'),
    ('metadata', $$SELECT FROM memory.episodes WHERE metadata @> jsonb_build_object('a', %L)$$)) q (what, statement),
    unnest('{secret,leprosy,"ada has a secret 7","s","zzz"}'::text[]) value GROUP BY 1 ORDER BY 1;
-- PostgreSQL's own statistics of users tell how much there is of one, to who asks with a direct SELECT.
SELECT count(DISTINCT pg_temp.estimate(format('SELECT FROM memory.episodes WHERE user_id = %L', u))) > 1 AS "of a user" FROM unnest('{ada,nobody}'::text[]) u;
SELECT count(*) AS "columns in pg_stats" FROM pg_stats WHERE schemaname = 'memory';

-- Ways around the policies are errors.
SET row_security = off;
SELECT pg_temp.refused('SELECT FROM memory.episodes');
SELECT pg_temp.refused($$SELECT * FROM memory.recall_scored('secret')$$);
SELECT pg_temp.refused($$SELECT * FROM memory.recall_facts('secret')$$);
RESET row_security;
COPY memory.episodes (content) FROM STDIN;
\.
SELECT pg_temp.refused(s) FROM unnest('{"TRUNCATE memory.episodes CASCADE","CREATE TRIGGER t AFTER INSERT ON memory.episodes EXECUTE FUNCTION memory_internal.refuse_episode()",
    "ALTER TABLE memory.episodes DISABLE ROW LEVEL SECURITY","CREATE POLICY p ON memory.episodes USING (true)","SELECT memory.unprotect()","SELECT memory.index_stats(''memory.episodes_by_text'')","SELECT memory.verify_index(''memory.episodes_by_text'')"}'::text[]) s;

-- Namespaces are no protection: the same user is the same user in all of them. What belongs to no user is seen by all.
SELECT count(*) AS "bob's, of all namespaces" FROM memory.episodes;
SELECT namespace, predicate FROM memory.predicates;
-- By the default identity, a session that can send SQL can be anybody.
SET memory.user_id = 'ada';
SELECT count(*) AS "ada's" FROM memory.episodes;
SET memory.user_id = 'bob';
-- Some things of PostgreSQL's tell of all rows.
SELECT count(DISTINCT (ctid, xmin)) > 1 AS "where its rows lie, and who wrote them" FROM memory.episodes;
CREATE FUNCTION pg_temp.removed(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || statement INTO plan;
    RETURN plan->0->'Plan'->>'Rows Removed by Filter';
END $$;
SELECT pg_temp.removed($$SELECT FROM memory.episodes WHERE content = 'x'$$) AS "rows of all users that it passes over";
SELECT n_live_tup > 300 AS "counts of all users", pg_relation_size('memory.episodes') > 0 AS "sizes" FROM pg_stat_user_tables WHERE relid = 'memory.episodes'::regclass;
RESET ROLE;

-- === the owner ===============================================================================
SET ROLE regress_security_owner;
SELECT count(DISTINCT user_id) AS "users, for the owner" FROM memory.episodes;
SELECT tenants FROM memory.index_stats('memory.episodes_by_text');
SELECT tablename FROM pg_stats WHERE schemaname = 'memory';
-- What an owner makes beside the tables is not protected by itself: a view runs as its owner, who is protected as well …
CREATE VIEW memory.all_episodes AS SELECT * FROM memory.episodes;
-- … a copy is a copy, which protection does not reach …
SET memory.user_id = 'ada';
CREATE MATERIALIZED VIEW memory.copied AS SELECT * FROM memory.episodes;
SET memory.user_id = 'bob';
-- … an expression of an index of one's own has statistics, unless it is told not to …
CREATE INDEX shouted ON memory.episodes (upper(content));
ANALYZE memory.episodes;
SELECT count(*) AS "samples" FROM pg_stats WHERE tablename = 'shouted';
DROP INDEX memory.shouted;
CREATE INDEX shouted ON memory.episodes (upper(content));
ALTER INDEX memory.shouted ALTER COLUMN 1 SET STATISTICS 0;
ANALYZE memory.episodes;
SELECT count(*) AS "samples" FROM pg_stats WHERE tablename = 'shouted';
DROP INDEX memory.shouted;
-- … and a table with a user_id is protected from the next init() on.
CREATE TABLE memory.child () INHERITS (memory.episodes);
INSERT INTO memory.child (user_id, content) VALUES ('ada', 'in the child');
SET ROLE regress_security_app;
SELECT count(DISTINCT user_id) AS "users, through a view" FROM memory.all_episodes;
SELECT min(user_id) AS "user, in a copy" FROM memory.copied;
SELECT count(*) AS "before init()" FROM memory.child;
SET ROLE regress_security_owner;
SELECT memory.init();
SET ROLE regress_security_app;
SELECT count(*) AS "after init()" FROM memory.child;
-- A view of a superuser shows all.
SET ROLE regress_security_super;
CREATE VIEW memory.of_a_superuser AS SELECT * FROM memory.episodes;
GRANT SELECT ON memory.of_a_superuser TO regress_security_app;
SET ROLE regress_security_app;
SELECT count(DISTINCT user_id) AS "users, through a superuser's view" FROM memory.of_a_superuser;
RESET ROLE;
DROP VIEW memory.of_a_superuser, memory.all_episodes;
DROP MATERIALIZED VIEW memory.copied;
DROP TABLE memory.child;

-- === an admin ================================================================================
SET ROLE regress_security_admin;
SELECT count(DISTINCT user_id) AS "users, for an admin" FROM memory.episodes;
SELECT pg_temp.refused(s) FROM unnest('{SELECT memory.unprotect(),SELECT memory.protect(),ALTER TABLE memory.episodes NO FORCE ROW LEVEL SECURITY,DROP TABLE memory.usage}'::text[]) s;
-- An admin's triggers run with the rights of those who write, and in their sessions.
CREATE FUNCTION pg_temp.seen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'a trigger of an admin runs as %', current_user; RETURN NULL; END $$;
CREATE TRIGGER seen AFTER INSERT ON memory.usage FOR EACH STATEMENT EXECUTE FUNCTION pg_temp.seen();
SET ROLE regress_security_owner;
INSERT INTO memory.usage SELECT 'default', 'bob', md5('bob1')::uuid, 1 ON CONFLICT DO NOTHING;
RESET ROLE;
DROP TRIGGER seen ON memory.usage;
-- TRUNCATE is past row security.
SET ROLE regress_security_admin;
TRUNCATE memory.usage;
-- === a superuser =============================================================================
RESET ROLE;
SELECT count(*) AS "left" FROM memory.usage;
SELECT count(DISTINCT user_id) AS "users, for a superuser" FROM memory.episodes;

DROP FUNCTION pg_temp.seen();
DROP EXTENSION memory CASCADE;
DROP OWNED BY regress_security_owner CASCADE;
DROP OWNED BY regress_security_app, regress_security_admin, regress_security_super;
DROP ROLE regress_security_owner, regress_security_app, regress_security_admin, regress_security_super;
