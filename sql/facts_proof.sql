-- What proves that no two current facts of a line overlap: stretches and their GiST operator class.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET timezone = 'UTC';
SELECT memory.stretch(7, '2026-01-01', 'infinity') AS shown;
SELECT memory.stretch(7, '-infinity', '2026-01-01') OPERATOR(memory.&&) memory.stretch(7, '2026-01-01', 'infinity') AS touching,
       memory.stretch(7, '-infinity', '2026-01-02') OPERATOR(memory.&&) memory.stretch(7, '2026-01-01', 'infinity') AS overlapping,
       memory.stretch(6, '-infinity', 'infinity') OPERATOR(memory.&&) memory.stretch(7, '-infinity', 'infinity') AS "on two lines";
\set VERBOSITY terse
SELECT memory.stretch(7, '2026-01-01', '2026-01-01');
SELECT '7'::memory.stretch;
\set VERBOSITY default

-- The index finds what a look at every row finds: inserted along the lines, across them, and built by sorting.
CREATE FUNCTION pg_temp.some(n int, seed float8) RETURNS SETOF memory.stretch LANGUAGE sql AS $$
    SELECT memory.stretch(line, CASE WHEN at < 3 THEN '-infinity' ELSE '2026-01-01'::timestamptz + at * interval '1 day' END,
                          CASE WHEN at > 97 THEN 'infinity' ELSE '2026-01-01'::timestamptz + (at + size) * interval '1 day' END)
    FROM (SELECT setseed(seed)) s, LATERAL (SELECT (random() * 500)::int AS line, (random() * 100)::int AS at, 1 + (random() * 9)::int AS size
                                            FROM generate_series(1, n)) r $$;
CREATE TEMP TABLE along (x memory.stretch);
CREATE TEMP TABLE across (x memory.stretch);
CREATE TEMP TABLE sorted (x memory.stretch);
CREATE INDEX ON along USING gist (x);
CREATE INDEX ON across USING gist (x);
INSERT INTO along SELECT memory.stretch(n / 20, '2026-01-01'::timestamptz + n % 20 * interval '5 days', '2026-01-03'::timestamptz + n % 20 * interval '5 days')
FROM generate_series(1, 10000) n;
INSERT INTO across SELECT pg_temp.some(10000, 0.5);
INSERT INTO sorted SELECT x FROM across;
CREATE INDEX ON sorted USING gist (x);
CREATE FUNCTION pg_temp.found(name text, by_index boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE found bigint;
BEGIN
    PERFORM set_config('enable_seqscan', (NOT by_index)::text, true), set_config('enable_indexscan', by_index::text, true),
            set_config('enable_bitmapscan', by_index::text, true), set_config('enable_indexonlyscan', 'off', true);
    EXECUTE format('SELECT count(*) FROM pg_temp.some(300, 0.25) AS asked, LATERAL (SELECT FROM %I t WHERE t.x OPERATOR(memory.&&) asked OFFSET 0) t', name)
    INTO found;
    RETURN found;
END $$;
SELECT name, pg_temp.found(name, true) = pg_temp.found(name, false) AS same, pg_temp.found(name, true) > 300 AS "and many"
FROM unnest(ARRAY['along', 'across', 'sorted']) AS name;
SELECT pg_relation_size('along_x_idx') < 0.9 * pg_relation_size('across_x_idx') AS "pages that fill up at their end stay full",
       pg_relation_size('sorted_x_idx') < 1.2 * pg_relation_size('across_x_idx') AS "sorted ones are no worse";

-- Against hands: the same instant of the same line is refused, whoever says it.
SELECT memory.assert_fact('proof', 'lives_in', 'Tokyo', 'proof', '2026-01-01', '2026-02-01') IS NOT NULL AS told;
CREATE FUNCTION pg_temp.by_hand(line_offset bigint, valid_from timestamptz, valid_until timestamptz, known_until timestamptz DEFAULT 'infinity')
RETURNS void LANGUAGE sql AS $$
    INSERT INTO memory.facts (namespace, user_id, line, valid_from, valid_until, known_from, known_until, subject_key, predicate, object_key, subject, object)
    SELECT namespace, user_id, line + line_offset, $2, $3, now() - interval '1 day', $4, subject_key, predicate, 'rome', subject, 'Rome'
    FROM memory.facts WHERE user_id = 'proof' AND object = 'Tokyo' $$;
\set VERBOSITY terse
SELECT pg_temp.by_hand(0, '2026-01-31', '2026-03-01');
SELECT pg_temp.by_hand(0, '-infinity', 'infinity');
SELECT pg_temp.by_hand(0, '2026-02-01', 'infinity') IS NULL AS "touching is well";
SELECT pg_temp.by_hand(0, '2026-01-01', '2026-03-01', now()) IS NULL AS "what was believed may overlap";
SELECT pg_temp.by_hand(1000000000, '2026-01-01', '2026-03-01') IS NULL AS "another line";
DELETE FROM memory.facts WHERE user_id = 'proof';
DELETE FROM memory.timelines WHERE user_id = 'proof';
