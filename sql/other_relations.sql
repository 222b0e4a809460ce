-- What has one of our names need not be what memory.init() makes: of another kind, or missing.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
-- What is said, and by which calls.
CREATE FUNCTION pg_temp.said() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT string_agg(split_part(call, '(', 1), ', ' ORDER BY call) || ': ' || error FROM (
        SELECT call, pg_temp.refused('SELECT FROM memory.' || call) AS error FROM unnest(ARRAY[
            'recall(''a'')', 'recall_scored(''a'', ''[1]'', session_id => ''s'')', 'recall_recent()', 'recall_semantic(''[1]'')',
            'facts()', 'recall_facts(''a'')', 'assert_fact(''a'', ''b'', gen_random_uuid()::text)', 'create_vector_index(1)',
            'remember(''a'', embedding => ''[1]'')']) AS call OFFSET 0) c
    GROUP BY error ORDER BY error
$$;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;

-- A partitioned table in the place of episodes.
SELECT memory.init();
CREATE TABLE public.like_episodes (LIKE memory.episodes INCLUDING ALL);
DROP SCHEMA memory CASCADE;
CREATE EXTENSION memory;
CREATE TABLE memory.episodes (LIKE public.like_episodes INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (namespace, user_id, id))
    PARTITION BY HASH (user_id, namespace);
CREATE TABLE memory.part PARTITION OF memory.episodes FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE INDEX episodes_by_text ON memory.episodes USING recall (namespace, user_id, (memory_internal.episode_text(content, response)));
SELECT pg_temp.said();
SELECT pg_temp.refused('SELECT memory.init()');
SELECT pg_temp.refused(format('SELECT * FROM memory.%s(%L)', function, relation)) FROM (VALUES
    ('index_stats', 'memory.episodes_by_text'), ('verify_index', 'memory.episodes_by_text'), ('verify_index', 'memory.episodes'),
    ('verify_index', 'memory.episodes_pkey'), ('verify_index', '4294967295'), ('index_stats', '0'), ('index_stats', 'pg_class'),
    ('index_stats', 'pg_stats')) AS v (function, relation);
SELECT i.relid, p.documents FROM pg_partition_tree('memory.episodes_by_text') i, memory.index_stats(relid) p WHERE isleaf;

-- Other kinds of relations.
DROP TABLE memory.episodes;
CREATE VIEW memory.episodes AS TABLE public.like_episodes;
SELECT pg_temp.refused(call) FROM unnest('{SELECT memory.init(),SELECT memory.remember(''a''),SELECT memory.recall(''a'')}'::text[]) AS call;
DROP VIEW memory.episodes;
CREATE MATERIALIZED VIEW memory.episodes AS TABLE public.like_episodes;
SELECT pg_temp.refused('SELECT memory.recall(''a'')');
DROP MATERIALIZED VIEW memory.episodes;
CREATE SEQUENCE memory.episodes;
SELECT pg_temp.refused('SELECT memory.recall(''a'')');
DROP SEQUENCE memory.episodes;
CREATE TYPE memory.episodes AS (a int);
SELECT pg_temp.refused('SELECT memory.recall(''a'')');
DROP TYPE memory.episodes;
CREATE TABLE memory.episodes_by_time (a int);
SELECT pg_temp.refused('SELECT memory.init()');
DROP TABLE memory.episodes_by_time;
CREATE TABLE memory.other (a int);
CREATE INDEX facts_by_object ON memory.other (a);
SELECT pg_temp.refused('SELECT memory.init()');
DROP TABLE memory.other;
CREATE FOREIGN DATA WRAPPER regress_none;
CREATE SERVER regress_none FOREIGN DATA WRAPPER regress_none;
CREATE FOREIGN TABLE memory.usage (a int) SERVER regress_none;
SELECT pg_temp.refused('SELECT memory.init()');
DROP FOREIGN DATA WRAPPER regress_none CASCADE;

-- Tables, primary keys and indexes that are missing: what is missing, and what makes it again.
SELECT memory.init();
SELECT count(memory.remember('a ' || coalesce(ttl, ''), ttl => ttl::interval, embedding => '[1]', session_id => 's')) FROM unnest('{NULL,1 day,1 hour}'::text[]) AS ttl;
CREATE FUNCTION pg_temp.after(change text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    before_init text[];
    after_init text[];
BEGIN
    EXECUTE change;
    before_init := ARRAY(SELECT pg_temp.said());
    after_init := ARRAY(SELECT 'init(): ' || s FROM pg_temp.refused('SELECT memory.init()') s WHERE s <> 'was not refused'
        UNION ALL SELECT 'after init(): ' || s FROM pg_temp.said() s WHERE s NOT LIKE '%: was not refused');
    RAISE 'undo' USING ERRCODE = 'TEST0';
EXCEPTION WHEN SQLSTATE 'TEST0' THEN
    RETURN QUERY SELECT unnest(before_init || after_init);
END $$;
SELECT pg_temp.after('ALTER TABLE memory.episodes DROP CONSTRAINT episodes_pkey CASCADE');
SELECT pg_temp.after('ALTER TABLE memory.embeddings DROP CONSTRAINT embeddings_pkey');
SELECT pg_temp.after('DROP TABLE memory.embeddings');
SELECT pg_temp.after('DROP TABLE memory.timelines CASCADE');
SELECT pg_temp.after('DROP INDEX memory.episodes_by_text, memory.facts_by_text');
SELECT pg_temp.after('DROP INDEX memory.episodes_by_expiry, memory.episodes_by_session, memory.facts_by_subject, memory.facts_by_object');
ALTER TABLE memory.episodes DROP CONSTRAINT episodes_pkey CASCADE;
SELECT memory.init();
SELECT conrelid::regclass, conname FROM pg_constraint WHERE confrelid = 'memory.episodes'::regclass ORDER BY conname;

-- Indexes of our names that are not ours.
SELECT pg_temp.after('DROP INDEX memory.episodes_by_expiry; CREATE INDEX episodes_by_expiry ON memory.episodes (namespace, user_id, content)');
SELECT pg_temp.after('DROP INDEX memory.episodes_by_session; CREATE INDEX episodes_by_session ON memory.episodes (namespace, user_id, session_id COLLATE "POSIX", occurred_at, id)');
SELECT pg_temp.after('DROP INDEX memory.episodes_by_text; CREATE INDEX episodes_by_text ON memory.episodes (namespace, user_id, content)');
SELECT pg_temp.after('DROP INDEX memory.episodes_by_text; CREATE INDEX episodes_by_text ON memory.episodes USING recall (user_id, namespace, content)');
SELECT pg_temp.after('DROP INDEX memory.episodes_by_text; CREATE INDEX episodes_by_text ON memory.episodes USING recall (namespace, content)');
SELECT pg_temp.after('DROP INDEX memory.facts_by_object; CREATE INDEX facts_by_object ON memory.facts (object_key text_pattern_ops, user_id, namespace)');
SELECT pg_temp.after('DROP INDEX memory.facts_by_subject; CREATE TABLE memory.facts_by_subject (a int)');
SELECT pg_temp.after('ALTER TABLE memory.embeddings DROP CONSTRAINT embeddings_pkey, ADD PRIMARY KEY (model, namespace, user_id, episode_id)');

DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
DROP TABLE public.like_episodes;
