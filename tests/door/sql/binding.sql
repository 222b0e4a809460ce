-- Every statement of the library binds namespace and user_id by equality to $1 and $2: no plan can meet another
-- user's rows, and an engine that spreads users over servers knows where a statement goes.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\getenv in_source MEMORY_STATEMENTS
SET client_min_messages = warning;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
CREATE FUNCTION door.statements() RETURNS TABLE (name text, file text, sql text)
    LANGUAGE c AS '$libdir/memory', 'memory_statements';
\set ECHO all
\pset format unaligned

-- What the examination finds: each table of the statement, and how much of its tenant is bound.
CREATE VIEW examples AS SELECT number, example FROM unnest(ARRAY[
    'SELECT 1 FROM memory.episodes WHERE namespace = $1 AND user_id = $2',
    'SELECT 1 FROM memory.episodes WHERE $2 = user_id AND id = $3 AND $1 = namespace',
    'SELECT 1 FROM memory.episodes WHERE namespace = $1',
    'SELECT 1 FROM memory.episodes WHERE user_id = $2 AND content = ''x''',
    'SELECT 1 FROM memory.episodes',
    'SELECT 1 FROM memory.episodes WHERE namespace = $2 AND user_id = $1',
    'SELECT 1 FROM memory.episodes WHERE namespace = $1 AND (user_id = $2 OR $3)',
    'SELECT 1 FROM memory.episodes WHERE namespace = $1 AND NOT (user_id = $2)',
    'SELECT 1 FROM memory.episodes WHERE namespace = $1 AND user_id >= $2',
    'SELECT 1 FROM memory.episodes WHERE namespace = $1 AND user_id = ANY (ARRAY[$2])',
    'SELECT 1 FROM memory.episodes WHERE namespace = ''a'' AND user_id = $2',
    'SELECT 1 FROM memory.predicates WHERE namespace = $1',
    'SELECT 1 FROM memory.models',
    -- Joins: a column that equals a bound one is bound; what an outer join keeps is not.
    'SELECT 1 FROM memory.episodes e JOIN memory.embeddings b USING (namespace, user_id) WHERE namespace = $1 AND user_id = $2',
    'SELECT 1 FROM memory.episodes e JOIN memory.embeddings b ON b.namespace = e.namespace WHERE e.namespace = $1 AND e.user_id = $2',
    'SELECT 1 FROM memory.episodes e LEFT JOIN memory.embeddings b ON b.namespace = $1 AND b.user_id = $2 WHERE e.namespace = $1 AND e.user_id = $2',
    'SELECT 1 FROM memory.embeddings b LEFT JOIN memory.episodes e ON b.namespace = $1 AND b.user_id = $2 AND e.namespace = b.namespace AND e.user_id = b.user_id',
    'SELECT 1 FROM memory.episodes e FULL JOIN memory.embeddings b ON e.namespace = $1 AND b.namespace = $1',
    -- Queries within.
    'SELECT EXISTS (SELECT FROM memory.facts f WHERE f.namespace = $1 AND f.user_id = $2)',
    'SELECT (SELECT count(*) FROM memory.facts) FROM memory.episodes e WHERE e.namespace = $1 AND e.user_id = $2',
    'SELECT 1 FROM memory.episodes e, LATERAL (SELECT 1 FROM memory.facts f WHERE f.namespace = e.namespace AND f.user_id = e.user_id) x WHERE e.namespace = $1 AND e.user_id = $2',
    'WITH mine AS (SELECT * FROM memory.episodes e WHERE e.namespace = $1 AND e.user_id = $2) SELECT 1 FROM memory.facts f JOIN mine USING (namespace, user_id)',
    'WITH gone AS (DELETE FROM memory.facts) SELECT 1',
    'SELECT 1 FROM (SELECT namespace, user_id FROM memory.episodes WHERE namespace = $1 AND user_id = $2 UNION ALL SELECT $1, $2) x JOIN memory.facts f USING (namespace, user_id)',
    'SELECT 1 FROM (SELECT namespace, user_id FROM memory.episodes WHERE namespace = $1 AND user_id = $2 UNION ALL SELECT $1, ''x'') x JOIN memory.facts f USING (namespace, user_id)',
    -- Writes.
    'UPDATE memory.episodes SET kind = $3 WHERE namespace = $1 AND user_id = $2',
    'DELETE FROM memory.episodes WHERE user_id = $2',
    'INSERT INTO memory.usage (namespace, user_id, episode_id) VALUES ($1, $2, $3)',
    'INSERT INTO memory.usage (namespace, user_id, episode_id) VALUES ($2, $1, $3)',
    'INSERT INTO memory.usage (namespace, episode_id) VALUES ($1, $3)',
    'INSERT INTO memory.usage (namespace, user_id, episode_id) VALUES ($1, $2, $3), ($1, ''x'', $3)',
    'INSERT INTO memory.usage (namespace, user_id, episode_id) VALUES ($1, $2, $3), ($1, $2, $4) ON CONFLICT (namespace, user_id, episode_id) DO UPDATE SET accesses = 1',
    'INSERT INTO memory.usage (namespace, user_id, episode_id) SELECT namespace, user_id, id FROM memory.episodes WHERE namespace = $1 AND user_id = $2',
    'INSERT INTO memory.usage (namespace, user_id, episode_id) SELECT namespace, user_id, id FROM memory.episodes WHERE namespace = $1'
]) WITH ORDINALITY AS examples (example, number);
SELECT example, (SELECT string_agg("table" || ': ' || bound, ', ') FROM door.binding(example)) AS finding
FROM examples ORDER BY number;

-- All statements of the source are in the list, under different names in a file.
SELECT count(*) = :in_source AND count(*) = count(DISTINCT (name, file)) AS complete FROM door.statements();

-- "@vector" and "@vector"."@type" stand for pgvector's schema and a type of it.
CREATE VIEW found AS
SELECT name, file, b."table", b.bound FROM door.statements(), LATERAL door.binding(
    replace(replace(sql, '"@vector"."@type"', 'public.vector(3)'), '"@vector"', 'public')) AS b;
-- Most have a table that a tenant has rows of.
SELECT count(*) > 0.7 * :in_source AS most FROM (SELECT DISTINCT name, file FROM found WHERE bound <> 'no tenant') AS f;

-- These need not be bound, and no others: what each is for.
CREATE TABLE exceptions (name text, file text, "table" text, bound text, reason text);
INSERT INTO exceptions VALUES
('find_any_vector', 'recall/vector_index.cpp', 'embeddings', 'nothing', 'an index of a model is for all users: how many dimensions it has'),
('find_unfit', 'models/models.cpp', 'embeddings', 'nothing', 'dimensions are declared for all users'),
('find_unfit', 'models/models.cpp', 'fact_embeddings', 'nothing', 'dimensions are declared for all users'),
('find_unfit', 'models/models.cpp', 'item_embeddings', 'nothing', 'dimensions are declared for all users'),
('find_used', 'jobs/use_model.cpp', 'model_tasks', 'nothing', 'used_models() shows all namespaces'),
('find_used', 'jobs/use_model.cpp', 'jobs', 'nothing', 'and counts what waits in each'),
('find_used', 'jobs/use_model.cpp', 'jobs', 'nothing', 'and what has failed'),
('find_used', 'jobs/use_model.cpp', 'job_counts', 'nothing', 'and what is done'),
('find_tasks', 'jobs/next_jobs.cpp', 'model_tasks', 'nothing', 'a worker does the jobs of all namespaces'),
('find_due', 'jobs/next_jobs.cpp', 'jobs', 'nothing', 'and of all users'),
('find_claimed', 'jobs/job.cpp', 'jobs', 'nothing', 'whose a claim is'),
('drop_jobs', 'jobs/use_model.cpp', 'jobs', 'namespace only', 'a model is chosen for all users of a namespace'),
('queue_episodes', 'jobs/fill.cpp', 'jobs', 'namespace only', 'the same'),
('queue_episodes', 'jobs/fill.cpp', 'episodes', 'namespace only', 'the same'),
('queue_facts', 'jobs/fill.cpp', 'jobs', 'namespace only', 'the same'),
('queue_facts', 'jobs/fill.cpp', 'facts', 'namespace only', 'the same'),
('queue_items', 'jobs/fill.cpp', 'jobs', 'namespace only', 'the same'),
('queue_items', 'jobs/fill.cpp', 'items', 'namespace only', 'the same'),
('retry', 'jobs/fail_job.cpp', 'jobs', 'namespace only', 'the same'),
('find_namespaces', 'lifecycle/sweep.cpp', 'retention', 'nothing', 'sweep() is about all namespaces'),
('with_expired_episodes', 'lifecycle/sweep.cpp', 'episodes', 'nothing', 'the users that sweep() goes to, one by one'),
('with_expired_items', 'lifecycle/sweep.cpp', 'items', 'nothing', 'the same'),
('with_many_checkpoints', 'lifecycle/sweep.cpp', 'checkpoints', 'namespace only', 'the same'),
('with_many_episodes', 'lifecycle/sweep.cpp', 'episodes', 'namespace only', 'the same'),
('with_many_items', 'lifecycle/sweep.cpp', 'items', 'namespace only', 'the same'),
('with_many_versions', 'lifecycle/sweep.cpp', 'block_versions', 'namespace only', 'the same'),
('with_old_checkpoints', 'lifecycle/sweep.cpp', 'checkpoints', 'namespace only', 'the same'),
('with_old_runs', 'lifecycle/sweep.cpp', 'runs', 'namespace only', 'the same'),
('with_old_sessions', 'lifecycle/sweep.cpp', 'sessions', 'namespace only', 'the same'),
('with_old_versions', 'lifecycle/sweep.cpp', 'block_versions', 'namespace only', 'the same'),
('expired_episodes', 'status/waiting.cpp', 'episodes', 'nothing', 'memory.status counts what all users have'),
('expired_items', 'status/waiting.cpp', 'items', 'nothing', 'the same'),
('find_namespaces', 'status/waiting.cpp', 'retention', 'nothing', 'the same'),
('count_jobs', 'status/waiting.cpp', 'jobs', 'nothing', 'the same'),
('old_sessions', 'status/waiting.cpp', 'sessions', 'namespace only', 'the same'),
('old_runs', 'status/waiting.cpp', 'runs', 'namespace only', 'the same'),
('old_checkpoints', 'status/waiting.cpp', 'checkpoints', 'namespace only', 'the same'),
('old_versions', 'status/waiting.cpp', 'block_versions', 'namespace only', 'the same'),
('old_versions', 'status/waiting.cpp', 'block_versions', 'namespace only', 'the same'),
('move_ends', 'lifecycle/set_retention.cpp', 'episodes', 'namespace only', 'a rule is for all users of a namespace'),
('move_ends', 'lifecycle/set_retention.cpp', 'messages', 'namespace only', 'of the same user as the episode'),
('move_ends_of_items', 'lifecycle/set_retention.cpp', 'items', 'namespace only', 'a rule is for all users of a namespace'),
('find_named_user', 'episodes/tables.cpp', 'episodes', 'namespace only', 'whether a namespace has named users: the anonymous warning'),
('find_named_user', 'facts/tables.cpp', 'timelines', 'namespace only', 'the same of facts'),
('find_named_user', 'sessions/tables.cpp', 'sessions', 'namespace only', 'the same of sessions'),
('find_named_user', 'conversations/tables.cpp', 'profiles', 'namespace only', 'the same of profiles'),
('find_named_user', 'items/tables.cpp', 'items', 'namespace only', 'the same of items'),
('find_named_user', 'blocks/tables.cpp', 'blocks', 'namespace only', 'the same of blocks'),
-- A predicate is defined for all users of a namespace.
('count_subjects_with_several', 'facts/predicates.cpp', 'facts', 'namespace only', 'whether all may become one-valued'),
('count_subjects_with_several', 'facts/predicates.cpp', 'facts', 'namespace only', 'joined with itself'),
('make_lines', 'facts/predicates.cpp', 'timelines', 'namespace only', 'the new lines of all'),
('make_lines', 'facts/predicates.cpp', 'timelines', 'namespace only', 'the old ones'),
('make_lines', 'facts/predicates.cpp', 'facts', 'namespace only', 'what is to be on them'),
('make_lines', 'facts/predicates.cpp', 'rejections', 'namespace only', 'and what is kept out of them'),
('move_facts', 'facts/predicates.cpp', 'facts', 'namespace only', 'all facts to the new lines'),
('move_facts', 'facts/predicates.cpp', 'timelines', 'namespace only', 'the new lines'),
('drop_lines', 'facts/predicates.cpp', 'timelines', 'namespace only', 'the old lines of all');

SELECT name, file, "table", bound FROM found WHERE bound NOT IN ('tenant', 'namespace', 'no tenant')
EXCEPT ALL SELECT name, file, "table", bound FROM exceptions ORDER BY 1, 2, 3;
SELECT name, file, "table", bound FROM exceptions EXCEPT ALL SELECT name, file, "table", bound FROM found ORDER BY 1, 2, 3;
