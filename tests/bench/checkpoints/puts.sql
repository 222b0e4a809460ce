-- For parts/checkpoints.sh: every step is put three ways by turns, each a transaction: as a part, by PostgresSaver's statements and as a
-- DeltaChannel; then as jsonb and into a plain table.
DO $do$ DECLARE
    n int; s text; d bytea; w bytea; began timestamptz; wal pg_lsn;
BEGIN
    FOR n IN SELECT step FROM states ORDER BY step LOOP
        SELECT state, convert_to(state, 'UTF8'), convert_to(written, 'UTF8') INTO s, d, w FROM states WHERE step = n;
        wal := pg_current_wal_insert_lsn(); began := clock_timestamp();
        PERFORM memory.put_checkpoint('parts', checkpoint_of(n), id_of(n), id_of(n - 1), metadata_of(n),
            refs => jsonb_build_object('state', version_of(n)), part_names => ARRAY['state'], part_types => ARRAY['json'], part_data => ARRAY[d]);
        COMMIT;
        CALL note('put', n, clock_timestamp() - began, wal); COMMIT;

        wal := pg_current_wal_insert_lsn(); began := clock_timestamp();
        INSERT INTO saver.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
            VALUES (thread(), '', 'state', version_of(n), 'json', d) ON CONFLICT (thread_id, checkpoint_ns, channel, version) DO NOTHING;
        INSERT INTO saver.checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
            VALUES (thread(), '', id_of(n), id_of(n - 1), checkpoint_of(n), metadata_of(n))
            ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id) DO UPDATE SET checkpoint = excluded.checkpoint, metadata = excluded.metadata;
        COMMIT;
        CALL note('saver put', n, clock_timestamp() - began, wal); COMMIT;

        -- What the step wrote, and a snapshot for a first value that is set as a whole and at every thousandth.
        wal := pg_current_wal_insert_lsn(); began := clock_timestamp();
        INSERT INTO saver.checkpoint_writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
            SELECT thread(), '', id_of(n), '0b9c6a5e-2d5f-5c7a-9d6e-' || left(md5(n::text), 12), '~__pregel_pull, agent', 0, 'state', 'json', w
            WHERE n > 1 OR length(w) < 10000 ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) DO NOTHING;
        INSERT INTO saver.snapshots (thread_id, checkpoint_ns, channel, version, type, blob)
            SELECT thread(), '', 'state', version_of(n), 'json', d WHERE n % 1000 = 0 OR (n = 1 AND length(w) >= 10000);
        COMMIT;
        CALL note('delta put', n, clock_timestamp() - began, wal); COMMIT;
    END LOOP;
END $do$;
VACUUM;
INSERT INTO kept SELECT 'part', bytes_of_ours();

DO $do$ DECLARE
    n int; s text; began timestamptz; wal pg_lsn;
BEGIN
    FOR n IN SELECT step FROM states ORDER BY step LOOP
        SELECT state || '' INTO s FROM states WHERE step = n;
        wal := pg_current_wal_insert_lsn(); began := clock_timestamp();
        PERFORM memory.put_checkpoint('states', s::jsonb, id_of(n), id_of(n - 1));
        COMMIT;
        CALL note('put of jsonb', n, clock_timestamp() - began, wal); COMMIT;

        wal := pg_current_wal_insert_lsn(); began := clock_timestamp();
        INSERT INTO plain VALUES (n, s::jsonb);
        COMMIT;
        CALL note('INSERT of jsonb', n, clock_timestamp() - began, wal); COMMIT;
    END LOOP;
END $do$;
VACUUM;
INSERT INTO kept SELECT 'jsonb', bytes_of_ours() - bytes FROM kept WHERE what = 'part';
INSERT INTO kept VALUES ('saver', pg_total_relation_size('saver.checkpoints') + pg_total_relation_size('saver.checkpoint_blobs')),
    ('delta', pg_total_relation_size('saver.checkpoints') + pg_total_relation_size('saver.checkpoint_writes') + pg_total_relation_size('saver.snapshots'));
INSERT INTO kept SELECT 'full', sum(octet_length(state)) FROM states;
INSERT INTO kept SELECT 'replayed', sum(octet_length(blob)) FROM saver.checkpoint_writes;
