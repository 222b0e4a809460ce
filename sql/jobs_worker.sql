-- Who may do jobs: a worker, who has no right on any table, admins and the owner; whatever row security says.
\pset format unaligned
\pset footer off
\pset null NULL
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
CREATE ROLE regress_jobs_owner;
CREATE ROLE regress_jobs_worker;
CREATE ROLE regress_jobs_stranger;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO regress_jobs_owner', current_database()); END $$;
ALTER SCHEMA memory OWNER TO regress_jobs_owner;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
SET ROLE regress_jobs_owner;
SELECT memory.init();
SELECT memory.use_model('embed', 'mini', options => '{"dimensions": 3}');
SELECT memory.protect();
SELECT memory.grant_access('regress_jobs_worker', 'worker');
SELECT count(*) AS written FROM unnest('{ada,bob,cid}'::text[]) u, LATERAL (SELECT set_config('memory.user_id', u, false)) s,
    LATERAL memory.remember('a secret of ' || u, user_id => u, id => ('00000000-0000-0000-0000-00000000000' || ascii(u) - 96)::uuid) r;
RESET memory.user_id;

-- What a worker has: nothing that it could read or write by itself.
SET ROLE regress_jobs_worker;
SELECT has_schema_privilege('memory', 'USAGE') AS usage, has_schema_privilege('memory', 'CREATE') AS "create";
SELECT count(*) > 25 AS tables, count(*) FILTER (WHERE has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE')) AS may_use
FROM pg_class c WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r';
SELECT given, pg_temp.refused(given) AS refused FROM unnest(ARRAY['SELECT * FROM memory.jobs', 'SELECT * FROM memory.episodes', 'SELECT * FROM memory.model_tasks', 'SELECT * FROM memory.recall(''secret'', user_id => ''ada'')',
    'SELECT * FROM memory.used_models()', 'SELECT memory.remember(''x'', user_id => ''ada'')', 'SELECT memory.use_model(''embed'', ''mini'')', 'SELECT memory.drop_model(''embed'')']) given;
-- It does the jobs of all users, each for its own.
SELECT user_id, payload FROM memory.next_jobs(1);
BEGIN;
SELECT user_id, payload, memory.finish_job(id, embedding => '[1,0,0]') AS finished FROM memory.next_jobs(1);
SELECT session_user <> current_user AS acting, current_user, current_setting('is_superuser') AS superuser;
COMMIT;
SELECT user_id, memory.fail_job(id, 'no answer', '1 hour') FROM memory.next_jobs();
SELECT memory.retry_jobs();
-- An error leaves it as who it was.
SELECT pg_temp.refused($$SELECT memory.finish_job('x')$$) AS refused, pg_temp.refused($$SELECT id FROM memory.next_jobs(0)$$) AS refused, current_user;
RESET ROLE;
SELECT user_id, attempts, leased_until IS NOT NULL AS leased FROM memory.jobs ORDER BY 1;
SELECT user_id, embedding FROM memory.embeddings;
SELECT done FROM memory.used_models();

-- Others may not, though they read and write.
CREATE FUNCTION pg_temp.all_refused(id text) RETURNS TABLE (refused text) LANGUAGE sql AS $$
    SELECT pg_temp.refused(format(call, id)) FROM unnest(ARRAY['SELECT * FROM memory.next_jobs()', 'SELECT memory.finish_job(%L, embedding => ''[1,0,0]'')', 'SELECT memory.fail_job(%L, ''x'')', 'SELECT memory.retry_jobs()']) call $$;
SET ROLE regress_jobs_owner;
SELECT memory.remember('still a secret of bob', user_id => 'bob') IS NOT NULL AS remembered FROM set_config('memory.user_id', 'bob', false);
SELECT id FROM memory.next_jobs() \gset
SET ROLE regress_jobs_stranger;
SELECT * FROM pg_temp.all_refused(:'id');
SET ROLE regress_jobs_owner;
SELECT memory.grant_access('regress_jobs_stranger', 'reader');
SET ROLE regress_jobs_stranger;
SELECT * FROM pg_temp.all_refused(:'id');
SET ROLE regress_jobs_owner;
SELECT memory.grant_access('regress_jobs_stranger', 'writer');
SET ROLE regress_jobs_stranger;
SELECT * FROM pg_temp.all_refused(:'id');
-- A writer sees the jobs of its own user, and its writes queue for that one alone.
SET memory.user_id = 'cid';
SELECT memory.remember('another of cid', id => '00000000-0000-0000-0000-000000000009') IS NOT NULL AS remembered;
SELECT DISTINCT user_id, thing FROM memory.jobs;
SELECT waiting, failed FROM memory.used_models();
SELECT pg_temp.refused($$INSERT INTO memory.jobs (user_id, task, thing, target) VALUES ('ada', 'embed', 'episode', gen_random_uuid())$$) AS refused;
-- A role that may only insert episodes queues jobs with them.
RESET ROLE;
SELECT memory.unprotect();
SELECT memory.revoke_access('regress_jobs_stranger');
GRANT USAGE ON SCHEMA memory TO regress_jobs_stranger;
GRANT INSERT ON memory.episodes TO regress_jobs_stranger;
SET ROLE regress_jobs_stranger;
INSERT INTO memory.episodes (user_id, id, content) VALUES ('eve', '00000000-0000-0000-0000-000000000005', 'inserted');
RESET ROLE;
SELECT user_id, thing FROM memory.jobs WHERE user_id = 'eve';
REVOKE INSERT ON memory.episodes FROM regress_jobs_stranger;
REVOKE USAGE ON SCHEMA memory FROM regress_jobs_stranger;

-- Admins may; a member of a role that is a worker, too; and none once it is revoked or replaced.
SELECT memory.grant_access('regress_jobs_stranger', 'admin');
SET ROLE regress_jobs_stranger;
SELECT count(*) > 0 AS jobs FROM memory.next_jobs();
RESET ROLE;
SELECT memory.revoke_access('regress_jobs_stranger');
GRANT regress_jobs_worker TO regress_jobs_stranger;
SET ROLE regress_jobs_stranger;
SELECT count(*) AS jobs FROM memory.next_jobs();
RESET ROLE;
SELECT memory.grant_access('regress_jobs_worker', 'reader');
SET ROLE regress_jobs_worker;
SELECT pg_temp.refused('SELECT * FROM memory.next_jobs()') AS refused;
RESET ROLE;
SELECT memory.grant_access('regress_jobs_worker', 'worker'), memory.revoke_access('regress_jobs_worker');
SET ROLE regress_jobs_worker;
SELECT pg_temp.refused('SELECT * FROM memory.next_jobs()') AS refused;
RESET ROLE;
SELECT pg_temp.refused($$SELECT memory.grant_access('regress_jobs_worker', 'boss')$$) AS refused;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
DO $$ BEGIN EXECUTE format('REVOKE CREATE ON DATABASE %I FROM regress_jobs_owner', current_database()); END $$;
DROP ROLE regress_jobs_owner, regress_jobs_worker, regress_jobs_stranger;
