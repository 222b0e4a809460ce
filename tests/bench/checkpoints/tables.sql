-- For parts/checkpoints.sh: the states, what is measured, and the tables of LangGraph's PostgresSaver, as its migrations make them.
CREATE UNLOGGED TABLE states (step int PRIMARY KEY, state text NOT NULL, written text NOT NULL);
ALTER TABLE states ALTER state SET STORAGE EXTERNAL, ALTER written SET STORAGE EXTERNAL;
CREATE UNLOGGED TABLE took (what text NOT NULL, step int NOT NULL, ms float8 NOT NULL, wal bigint, same boolean);
CREATE UNLOGGED TABLE kept (what text NOT NULL, bytes bigint NOT NULL);
CREATE TABLE plain (step int PRIMARY KEY, state jsonb NOT NULL);

CREATE SCHEMA saver;
CREATE TABLE saver.checkpoints (
    thread_id text NOT NULL,
    checkpoint_ns text NOT NULL DEFAULT '',
    checkpoint_id text NOT NULL,
    parent_checkpoint_id text,
    type text,
    checkpoint jsonb NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
);
CREATE TABLE saver.checkpoint_blobs (
    thread_id text NOT NULL,
    checkpoint_ns text NOT NULL DEFAULT '',
    channel text NOT NULL,
    version text NOT NULL,
    type text NOT NULL,
    blob bytea,
    PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
);
CREATE TABLE saver.checkpoint_writes (
    thread_id text NOT NULL,
    checkpoint_ns text NOT NULL DEFAULT '',
    checkpoint_id text NOT NULL,
    task_id text NOT NULL,
    idx integer NOT NULL,
    channel text NOT NULL,
    type text,
    blob bytea NOT NULL,
    task_path text NOT NULL DEFAULT '',
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);
CREATE INDEX ON saver.checkpoints (thread_id);
CREATE INDEX ON saver.checkpoint_blobs (thread_id);
CREATE INDEX ON saver.checkpoint_writes (thread_id);
CREATE TABLE saver.snapshots (LIKE saver.checkpoint_blobs INCLUDING ALL);

-- A thread, the ids of steps, and what LangGraph keeps of a step beside its channels: the same for both.
CREATE FUNCTION thread() RETURNS text IMMUTABLE LANGUAGE sql RETURN '7d3a1c52-58a1-4b61-9a3e-0e9f1b0d4c11';
CREATE FUNCTION id_of(step int) RETURNS text IMMUTABLE LANGUAGE sql
    RETURN CASE WHEN step > 0 THEN format('1f0c4a2e-%s-6000-8000-%s', lpad(to_hex(step % 65536), 4, '0'), left(md5(step::text), 12)) END;
CREATE FUNCTION version_of(step int) RETURNS text IMMUTABLE LANGUAGE sql
    RETURN lpad(step::text, 32, '0') || '.0.' || lpad((step::bigint * 7919 % 10000000000000000)::text, 16, '3');
CREATE FUNCTION checkpoint_of(step int) RETURNS jsonb IMMUTABLE LANGUAGE sql
    RETURN jsonb_build_object('v', 4, 'id', id_of(step), 'ts', '2026-11-19T10:00:00+00:00', 'channel_values', '{}'::jsonb,
        'channel_versions', jsonb_build_object('state', version_of(step)),
        'versions_seen', jsonb_build_object('agent', jsonb_build_object('state', version_of(step - 1))), 'updated_channels', jsonb_build_array('state'));
CREATE FUNCTION metadata_of(step int) RETURNS jsonb IMMUTABLE LANGUAGE sql
    RETURN jsonb_build_object('step', step, 'source', 'loop', 'parents', '{}'::jsonb, 'run_id', '3d0c1e9a-7f1b-4a58-8a5b-c9d1f3f0a2b7');

-- What a step took, the WAL since `before`, and whether what was read is what was put.
CREATE PROCEDURE note(what text, step int, passed interval, before pg_lsn DEFAULT NULL, same boolean DEFAULT NULL) LANGUAGE sql
    AS 'INSERT INTO took VALUES (what, step, 1000 * extract(epoch FROM passed), pg_current_wal_insert_lsn() - before, same)';

CREATE FUNCTION bytes_of_ours() RETURNS bigint LANGUAGE sql AS $$
    SELECT sum(pg_total_relation_size(oid)) FROM pg_class
    WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND (relname LIKE 'checkpoint%' OR relname = 'sessions') $$;
