-- A state and a part of 50 MB: kept as what changed, read back whole, and ended in time. The same path as a cancel and a shutdown.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT FROM memory.init();
SELECT user_id FROM memory.set_scope('ann', namespace => 'checkpoints_large');
CREATE TEMP TABLE large (name text, contents text);
ALTER TABLE large ALTER contents SET STORAGE EXTERNAL;
INSERT INTO large SELECT 'before', string_agg(format('%s is the number of this line, and %s is its square. ', n, n::bigint * n), '') FROM generate_series(1, 800000) n;
INSERT INTO large SELECT 'after', overlay(overlay(overlay(contents PLACING 'one' FROM 1000 FOR 30) PLACING repeat('two ', 100) FROM 25000000) PLACING 'three' FROM 49000000 FOR 5)
    FROM large;
-- Nothing of it is like the others.
INSERT INTO large SELECT 'other', string_agg(md5(n::text), '') FROM generate_series(1, 1600000) n;
SELECT name, length(contents) / 1000000 AS megabytes FROM large;
CREATE FUNCTION pg_temp.put(given text, id text, parent text) RETURNS text LANGUAGE sql AS $$
    SELECT memory.put_checkpoint('large', jsonb_build_object('log', contents), id, parent, refs => jsonb_build_object('log', id), part_names => '{log}', part_types => '{text}',
        part_data => ARRAY[convert_to(contents, 'UTF8')]) FROM large WHERE name = given $$;

-- Together they are twice as long as memory.max_state is by default.
SELECT pg_temp.put('before', 'c1', NULL);
SET memory.max_state = '120MB';
SELECT pg_temp.put('before', 'c1', NULL), pg_temp.put('after', 'c2', 'c1');
SELECT c.id, c.state ->> 'log' = l.contents AS state, c.part_data[1] = convert_to(l.contents, 'UTF8') AS part
    FROM large l JOIN memory.checkpoints('large', full_rows => true) c ON l.name = CASE c.id WHEN 'c1' THEN 'before' ELSE 'after' END ORDER BY 1;
-- The second is what changed: of 50 MB some 500 bytes.
SELECT number, chain, octet_length(data) BETWEEN 400 AND 600 AS small FROM memory.checkpoint_bytes WHERE namespace = 'checkpoints_large' ORDER BY number;

-- Each of these takes a multiple of the time in which it must have ended. Nothing is left of a put that was.
\set VERBOSITY sqlstate
SELECT clock_timestamp() AS began \gset
SET statement_timeout = '100ms';
SELECT pg_temp.put('other', 'c3', 'c2');
SELECT pg_temp.put('other', 'c3', NULL);
SET statement_timeout = '20ms';
SELECT length(part_data[1]) FROM memory.checkpoint('large', 'c2');
RESET statement_timeout;
\set VERBOSITY default
-- A time is shown only if they took too long.
SELECT clock_timestamp() - :'began' AS elapsed \gset
SELECT :'elapsed'::interval AS too_long WHERE :'elapsed' > '6 s'::interval;
SELECT id FROM memory.checkpoints('large');
SELECT count(*) FROM memory.checkpoint_bytes WHERE namespace = 'checkpoints_large';
SELECT memory.delete_session('large');
