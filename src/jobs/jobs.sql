-- Jobs: what models are asked, by whom, and what becomes of their answers.

CREATE FUNCTION memory.use_model(task text, model text, url text DEFAULT NULL, options jsonb DEFAULT '{}') RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_use_model';
COMMENT ON FUNCTION memory.use_model(text, text, text, jsonb) IS
'Says which model does a task in the namespace of the session: embed, extract, summarize or profile. Model "hash" embeds inside the database: what is written as it is written, queries as they are asked. Any other is asked by a worker (memory.next_jobs); for embed that is also about what is there already. For the owner of the tables and admins.';

CREATE FUNCTION memory.drop_model(task text) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_drop_model';
COMMENT ON FUNCTION memory.drop_model(text) IS
'Ends what memory.use_model has said for a task in the namespace of the session. Vectors that are stored stay; jobs that wait are dropped. For the owner of the tables and admins.';

CREATE FUNCTION memory.used_models()
    RETURNS TABLE (namespace text, task text, model text, url text, options jsonb, waiting bigint, failed bigint, done bigint)
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 10
    AS 'MODULE_PATHNAME', 'memory_used_models';
COMMENT ON FUNCTION memory.used_models() IS
'What memory.use_model has said, in all namespaces, and how many jobs of each task wait or are under way, have failed and are done. Waiting and failed jobs are counted where the caller may see their rows.';

CREATE TYPE memory.job AS (
    id text,
    task text,
    namespace text,
    user_id text,
    thing text,
    target uuid,
    model text,
    url text,
    options jsonb,
    dimensions bigint,
    payload jsonb,
    attempts bigint,
    leased_until timestamptz
);
COMMENT ON TYPE memory.job IS
'A job as memory.next_jobs hands it out: what a model is to be given, and by which id the answer comes back.';
COMMENT ON COLUMN memory.job.id IS 'Of this claim, for memory.finish_job and memory.fail_job. Another claim of the job has another.';
COMMENT ON COLUMN memory.job.task IS 'embed, extract, summarize or profile.';
COMMENT ON COLUMN memory.job.namespace IS 'The namespace of what it is about.';
COMMENT ON COLUMN memory.job.user_id IS 'The user; NULL for the anonymous user.';
COMMENT ON COLUMN memory.job.thing IS 'What it is about: episode, fact, item, session or user.';
COMMENT ON COLUMN memory.job.target IS 'Which: the id of the episode, fact or item, the key of the session; NULL for a user. The same in every claim.';
COMMENT ON COLUMN memory.job.model IS 'The model, as memory.use_model was told.';
COMMENT ON COLUMN memory.job.url IS 'Where it is asked, as memory.use_model was told.';
COMMENT ON COLUMN memory.job.options IS 'As memory.use_model was told.';
COMMENT ON COLUMN memory.job.dimensions IS 'How many its vectors must have; NULL where nothing is declared.';
COMMENT ON COLUMN memory.job.payload IS 'What the model is given (docs/jobs.md).';
COMMENT ON COLUMN memory.job.attempts IS 'Which claim of the job this is, from 1 to 8.';
COMMENT ON COLUMN memory.job.leased_until IS 'Until then no other worker is given the job.';

CREATE FUNCTION memory.next_jobs(k bigint DEFAULT 16, tasks text[] DEFAULT NULL, lease interval DEFAULT '5 minutes')
    RETURNS SETOF memory.job
    LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 16
    AS 'MODULE_PATHNAME', 'memory_next_jobs';
COMMENT ON FUNCTION memory.next_jobs(bigint, text[], interval) IS
'Claims jobs that are due, of all users and namespaces, for the time of the lease, and returns them with what the model is to be given. What others claim at the same time is passed over. Commit before the model is asked. For roles with ''worker'' or ''admin'' access and the owner of the tables.';

CREATE FUNCTION memory.finish_job(id text, result jsonb DEFAULT NULL, embedding vector DEFAULT NULL) RETURNS boolean
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_finish_job';
COMMENT ON FUNCTION memory.finish_job(text, jsonb, vector) IS
'Writes what a model has answered, and ends the job. False where the job is void: done already, claimed anew, or what the model was given has changed or is gone; then nothing is written. An error where the answer cannot be taken, and the job is as it was. For roles with ''worker'' or ''admin'' access and the owner of the tables.';

CREATE FUNCTION memory.fail_job(id text, error text, retry_in interval DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_fail_job';
COMMENT ON FUNCTION memory.fail_job(text, text, interval) IS
'Says that a job did not succeed. It is due again after retry_in, by default after 2^attempts seconds and at most an hour; after the eighth attempt it has failed for good (memory.used_models, memory.retry_jobs). Does nothing where the job is void. For roles with ''worker'' or ''admin'' access and the owner of the tables.';

CREATE FUNCTION memory.retry_jobs(task text DEFAULT NULL) RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_retry_jobs';
COMMENT ON FUNCTION memory.retry_jobs(text) IS
'Makes jobs of the session''s namespace that have failed for good due again, of one task or of all; returns how many. For roles with ''worker'' or ''admin'' access and the owner of the tables.';

CREATE FUNCTION memory_internal.queue_episode() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_queue_episode';
COMMENT ON FUNCTION memory_internal.queue_episode() IS
'Trigger function: queues what models are to make of an episode.';

CREATE FUNCTION memory_internal.queue_item() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_queue_item';
COMMENT ON FUNCTION memory_internal.queue_item() IS
'Trigger function: queues the vectors of an item.';

CREATE FUNCTION memory_internal.queue_summary() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_queue_summary';
COMMENT ON FUNCTION memory_internal.queue_summary() IS
'Trigger function: queues a summary of a session that has enough messages since its last one.';

CREATE FUNCTION memory_internal.queue_fact() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_queue_fact';
COMMENT ON FUNCTION memory_internal.queue_fact() IS
'Trigger function: queues the vector of what a fact says.';
