-- For parts/checkpoints.sh: every step is read back, in an order without pattern, and compared byte for byte.
DO $do$ DECLARE
    n int; s text; d bytea; got bytea; got_text text; began timestamptz;
BEGIN
    FOR n IN SELECT step FROM states ORDER BY md5(step::text) LOOP
        SELECT state, convert_to(state, 'UTF8') INTO s, d FROM states WHERE step = n;
        began := clock_timestamp();
        SELECT part_data[1] INTO got FROM memory.checkpoint('parts', id_of(n));
        CALL note('get', n, clock_timestamp() - began, same => got = d);

        -- PostgresSaver's own statement for one checkpoint.
        began := clock_timestamp();
        SELECT (SELECT bl.blob FROM jsonb_each_text(checkpoint -> 'channel_versions')
                INNER JOIN saver.checkpoint_blobs bl ON bl.thread_id = checkpoints.thread_id AND bl.checkpoint_ns = checkpoints.checkpoint_ns
                    AND bl.channel = jsonb_each_text.key AND bl.version = jsonb_each_text.value) || ''::bytea
            INTO got FROM saver.checkpoints WHERE thread_id = thread() AND checkpoint_ns = '' AND checkpoint_id = id_of(n);
        CALL note('saver get', n, clock_timestamp() - began);

        began := clock_timestamp();
        SELECT state::text INTO got_text FROM memory.checkpoint('states', id_of(n));
        CALL note('get of jsonb', n, clock_timestamp() - began, same => got_text = s::jsonb::text);

        began := clock_timestamp();
        SELECT state::text INTO got_text FROM plain WHERE step = n;
        CALL note('SELECT of jsonb', n, clock_timestamp() - began);
    END LOOP;
    FOR n IN 1..200 LOOP
        began := clock_timestamp();
        PERFORM count(*) FROM memory.checkpoints('parts', 50) c;
        CALL note('list', n, clock_timestamp() - began);
    END LOOP;
END $do$;

-- Steps that go on from any other, which this backend has not just written.
DO $do$ DECLARE
    n int; d bytea; began timestamptz;
BEGIN
    FOR n IN SELECT step FROM states WHERE step < (SELECT max(step) FROM states) ORDER BY md5('fork of ' || step) LIMIT 200 LOOP
        SELECT convert_to(state, 'UTF8') INTO d FROM states WHERE step = n + 1;
        began := clock_timestamp();
        PERFORM memory.put_checkpoint('parts', checkpoint_of(n + 1), 'fork of ' || n, id_of(n), metadata_of(n + 1),
            refs => jsonb_build_object('state', 'fork of ' || n), part_names => ARRAY['state'], part_types => ARRAY['json'], part_data => ARRAY[d]);
        COMMIT;
        CALL note('put after any step', n, clock_timestamp() - began); COMMIT;
    END LOOP;
END $do$;
