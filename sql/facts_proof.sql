-- What proves that no two current facts of a line overlap: stretches and their GiST operator class.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET timezone = 'UTC';
SELECT memory_internal.stretch('default', 'alice', 7, '2026-01-01', 'infinity') AS shown;
SELECT a.stretch OPERATOR(memory_internal.&&) b.stretch AS overlaps, a.what FROM (VALUES
    (memory_internal.stretch('default', 'alice', 7, '-infinity', '2026-01-01'), 'what it touches'),
    (memory_internal.stretch('default', 'alice', 7, '-infinity', '2026-01-02'), 'what has time in common'),
    (memory_internal.stretch('default', 'alice', 6, '-infinity', 'infinity'), 'another line'),
    (memory_internal.stretch('default', 'bob', 7, '-infinity', 'infinity'), 'the same number of another user'),
    (memory_internal.stretch('other', 'alice', 7, '-infinity', 'infinity'), 'and in another namespace')) a (stretch, what),
    memory_internal.stretch('default', 'alice', 7, '2026-01-01', 'infinity') b (stretch);
SELECT memory_internal.stretch(NULL, 'alice', 7, '2026-01-01', 'infinity') IS NULL AS "of NULL";
\set VERBOSITY terse
SELECT memory_internal.stretch('default', 'alice', 7, '2026-01-01', '2026-01-01');
SELECT '7'::memory_internal.stretch;
\set VERBOSITY default

-- A tenant is the beginning of a SHA-256 of its two names, the same on every machine; one name does not run into the other.
CREATE FUNCTION pg_temp.tenant(namespace text, user_id text) RETURNS text LANGUAGE sql AS $$
    SELECT split_part(memory_internal.stretch(namespace, user_id, 7, '2026-01-01', 'infinity')::text, ' ', 2) $$;
SELECT left(namespace, 10) AS namespace, left(user_id, 10) AS user_id, pg_temp.tenant(namespace, user_id) FROM (VALUES
    ('default', ''), ('default', 'alice'), ('defaul', 'talice'), ('default', 'Алиса'), ('', 'default'), (repeat('n', 512), repeat('u', 512))) v (namespace, user_id);
SELECT count(*) AS "as the server hashes them" FROM generate_series(0, 130) n, LATERAL (SELECT repeat('é', n / 3) AS namespace, repeat('u', n) AS user_id) v
WHERE pg_temp.tenant(namespace, user_id) = encode(substring(sha256(convert_to(namespace, 'UTF8') || '\x00' || convert_to(user_id, 'UTF8')) FOR 8), 'hex');

-- The index finds what a look at every row finds: inserted along the lines, across them, and built by sorting.
CREATE FUNCTION pg_temp.some(n int, seed float8) RETURNS SETOF memory_internal.stretch LANGUAGE sql AS $$
    SELECT memory_internal.stretch('default', 'user ' || line / 100, line, CASE WHEN at < 3 THEN '-infinity' ELSE '2026-01-01'::timestamptz + at * interval '1 day' END,
                          CASE WHEN at > 97 THEN 'infinity' ELSE '2026-01-01'::timestamptz + (at + size) * interval '1 day' END)
    FROM (SELECT setseed(seed)) s, LATERAL (SELECT (random() * 500)::int AS line, (random() * 100)::int AS at, 1 + (random() * 9)::int AS size
                                            FROM generate_series(1, n)) r $$;
CREATE TEMP TABLE along (x memory_internal.stretch);
CREATE TEMP TABLE across (x memory_internal.stretch);
CREATE TEMP TABLE sorted (x memory_internal.stretch);
CREATE INDEX ON along USING gist (x);
CREATE INDEX ON across USING gist (x);
INSERT INTO along SELECT memory_internal.stretch('default', u, n / 20, '2026-01-01'::timestamptz + n % 20 * interval '5 days', '2026-01-03'::timestamptz + n % 20 * interval '5 days')
FROM generate_series(1, 10000) n, LATERAL (SELECT 'user ' || n / 2000 AS u) u ORDER BY pg_temp.tenant('default', u), n;
INSERT INTO across SELECT pg_temp.some(10000, 0.5);
INSERT INTO sorted SELECT x FROM across;
CREATE INDEX ON sorted USING gist (x);
CREATE FUNCTION pg_temp.found(name text, by_index boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE found bigint;
BEGIN
    PERFORM set_config('enable_seqscan', (NOT by_index)::text, true), set_config('enable_indexscan', by_index::text, true),
            set_config('enable_bitmapscan', by_index::text, true), set_config('enable_indexonlyscan', 'off', true);
    EXECUTE format('SELECT count(*) FROM pg_temp.some(300, 0.25) AS asked, LATERAL (SELECT FROM %I t WHERE t.x OPERATOR(memory_internal.&&) asked OFFSET 0) t', name)
    INTO found;
    RETURN found;
END $$;
SELECT name, pg_temp.found(name, true) = pg_temp.found(name, false) AS same, pg_temp.found(name, true) > 300 AS "and many"
FROM unnest(ARRAY['along', 'across', 'sorted']) AS name;
SELECT pg_relation_size('along_x_idx') < 0.9 * pg_relation_size('across_x_idx') AS "pages that fill up at their end stay full",
       pg_relation_size('sorted_x_idx') < 1.2 * pg_relation_size('across_x_idx') AS "sorted ones are no worse";

-- Against hands: the same instant of the same line is refused, whoever says it.
SELECT memory.assert_fact('proof', 'lives_in', 'Tokyo', 'proof', '2026-01-01', '2026-02-01') IS NOT NULL AS told;
CREATE FUNCTION pg_temp.by_hand(valid_from timestamptz, valid_until timestamptz, known_until timestamptz DEFAULT 'infinity', user_id text DEFAULT 'proof', line bigint DEFAULT NULL)
RETURNS void LANGUAGE sql AS $$
    INSERT INTO memory.facts (namespace, user_id, line, valid_from, valid_until, known_from, known_until, subject_key, predicate, object_key, subject, object)
    SELECT namespace, $4, coalesce($5, line), $1, $2, now() - interval '1 day', $3, subject_key, predicate, 'rome', subject, 'Rome'
    FROM memory.facts WHERE user_id = 'proof' AND object = 'Tokyo' $$;
\set VERBOSITY terse
SELECT pg_temp.by_hand('2026-01-31', '2026-03-01');
SELECT pg_temp.by_hand('-infinity', 'infinity');
SELECT pg_temp.by_hand('2026-02-01', 'infinity') IS NULL AS "touching is well";
SELECT pg_temp.by_hand('2026-01-01', '2026-03-01', now()) IS NULL AS "what was believed may overlap";

-- The line is one of the user's own, and stays while anything is on it.
SELECT pg_temp.by_hand('2026-01-01', '2026-03-01', user_id => 'squatter');
DELETE FROM memory.timelines WHERE user_id = 'proof';
UPDATE memory.timelines SET line = 1 WHERE user_id = 'proof';
INSERT INTO memory.timelines (namespace, user_id, subject_key, predicate, slot, line, last_known, changes)
    SELECT namespace, user_id, 'another', predicate, slot, line, last_known, changes FROM memory.timelines WHERE user_id = 'proof';
INSERT INTO memory.timelines (namespace, user_id, subject_key, predicate, slot, line, last_known, changes)
    SELECT namespace, 'squatter', subject_key, predicate, slot, line, last_known, changes FROM memory.timelines WHERE user_id = 'proof';
SELECT pg_temp.by_hand('2026-01-01', '2026-03-01', user_id => 'squatter') IS NULL AS "a line of another user may have the same number";
\set VERBOSITY default
\set SHOW_CONTEXT never
INSERT INTO memory.timelines (namespace, user_id, subject_key, predicate, slot, line, last_known, changes)
    SELECT namespace, 'squatter', 'proof 7', predicate, slot, 7, last_known, changes FROM memory.timelines WHERE user_id = 'proof';
SELECT pg_temp.by_hand('2026-01-01', '2026-03-01', user_id => 'squatter', line => 7) IS NULL AS "a number of one's own choice";
-- What a refusal says is of the user's own.
SELECT pg_temp.by_hand('2026-02-01', '2026-04-01', user_id => 'squatter', line => 7);
SELECT pg_temp.by_hand('2026-02-01', '2026-04-01', user_id => 'squatter', line => 8);
DELETE FROM memory.timelines WHERE user_id = 'squatter' AND line = 7;

-- Lines are numbered at random.
SELECT count(memory.assert_fact('subject ' || n, 'is', 'here', 'proof')) FROM generate_series(1, 1000) n;
SELECT count(DISTINCT line) AS lines, min(line) > 0 AS positive, max(line) > 9e18 AS "of 63 bits", abs(corr(line, place)) < 0.2 AS "in no order"
FROM (SELECT line, row_number() OVER (ORDER BY last_known) AS place FROM memory.timelines WHERE user_id = 'proof') t;

-- A transaction may write both tables in any order.
BEGIN;
SET CONSTRAINTS memory.line_of_the_user DEFERRED;
CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM memory.timelines WHERE user_id = 'proof';
DELETE FROM memory.timelines WHERE user_id = 'proof';
INSERT INTO memory.timelines SELECT * FROM kept;
COMMIT;
DELETE FROM memory.facts WHERE user_id IN ('proof', 'squatter');
DELETE FROM memory.timelines WHERE user_id IN ('proof', 'squatter');
