-- <@> is the number of its own row, by the search that found the row, or an error.
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET client_min_messages = warning;
SET search_path = public, memory;
\set VERBOSITY terse

-- Tenant 2 has one note of tenant 1's, which scores differently there; tenant 3 has others.
CREATE TABLE notes (id int PRIMARY KEY, tenant int, title text, body text, readable boolean DEFAULT true);
INSERT INTO notes (id, tenant, title, body) SELECT i, 1, 'note ' || i, 'zebra ' || i FROM generate_series(1, 3) i;
INSERT INTO notes (id, tenant, title, body) SELECT 10 + i, 2, 'note ' || i, 'lion ' || i FROM generate_series(1, 8) i;
INSERT INTO notes (id, tenant, title, body) VALUES (4, 1, 'same', 'the zebra is striped'), (19, 2, 'same', 'the zebra is striped'), (21, 3, 'zebra', 'a lion');
CREATE INDEX notes_recall ON notes USING recall (tenant, body);
ANALYZE notes;
-- What one search for one tenant says.
CREATE TABLE alone AS SELECT id, tenant, body, body <@> memory.query('zebra') AS d FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra');
INSERT INTO alone SELECT id, tenant, body, body <@> memory.query('zebra') FROM notes WHERE tenant = 2 ORDER BY body <@> memory.query('zebra');
SELECT id, tenant, body, round(d::numeric, 4) AS d FROM alone WHERE d < 0 ORDER BY tenant, id;
-- Rows of a query (id, d) that differ from that.
CREATE FUNCTION wrong(query text) RETURNS bigint LANGUAGE plpgsql SET search_path = public, memory AS $$
    DECLARE
        wrong bigint;
        rows bigint;
    BEGIN
        EXECUTE format('SELECT count(*) FILTER (WHERE a.d IS DISTINCT FROM q.d), count(*) FROM (%s) q (id, d) LEFT JOIN alone a USING (id)', query) INTO wrong, rows;
        RETURN CASE WHEN rows > 0 THEN wrong END;
    END $$;

-- Two tenants in one statement, each row at its own number, however they are joined.
CREATE FUNCTION two_tenants(shape text) RETURNS text LANGUAGE plpgsql SET search_path = public, memory AS $$
    DECLARE
        wrong text := '';
        found record;
    BEGIN
        FOR i IN 0 .. 2 LOOP
            PERFORM set_config('enable_nestloop', (i = 0)::text, true), set_config('enable_hashjoin', (i = 1)::text, true),
                set_config('enable_mergejoin', (i = 2)::text, true);
            EXECUTE shape INTO found;
            wrong := wrong || format(' %s', found);
        END LOOP;
        RETURN wrong;
    END $$;
SELECT two_tenants($$SELECT count(*) AS pairs, count(*) FILTER (WHERE a.d = x.d AND b.d = y.d) AS right
    FROM (SELECT id, body, body <@> memory.query('zebra') AS d FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra')) a
    JOIN (SELECT id, body, body <@> memory.query('zebra') AS d FROM notes WHERE tenant = 2 ORDER BY body <@> memory.query('zebra')) b USING (body)
    JOIN alone x ON x.id = a.id JOIN alone y ON y.id = b.id$$);
SELECT wrong($$SELECT n.id, n.d FROM (VALUES (1), (2), (1), (3), (2)) t(tenant), LATERAL (SELECT id, body <@> memory.query('zebra') AS d
    FROM notes WHERE notes.tenant = t.tenant ORDER BY body <@> memory.query('zebra') LIMIT 4) n WHERE n.id <> 21$$) AS lateral;

-- A relation without an ordered scan has no numbers of another one's.
SELECT b.id, b.body <@> memory.query('zebra') AS d FROM notes a JOIN notes b USING (body) WHERE a.tenant = 1 AND b.tenant = 2 ORDER BY a.body <@> memory.query('zebra');
SELECT a.id, a.title <@> memory.query('zebra') AS d FROM notes a WHERE a.tenant = 1 ORDER BY a.body <@> memory.query('zebra');
SELECT t.id, (t.body <@> memory.query('zebra')) AS d FROM alone t JOIN notes n USING (id) WHERE n.tenant = 1 ORDER BY n.body <@> memory.query('zebra');
-- Nor has a text that is no column.
SELECT 'zebra 1' <@> memory.query('zebra') AS d FROM (SELECT FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra') LIMIT 10) n;
SELECT v <@> memory.query('zebra') FROM (VALUES ('zebra 1')) g(v), LATERAL (SELECT count(*) FROM
    (SELECT id FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra') LIMIT 10) s) n;
SELECT body || '' <@> memory.query('zebra') FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra');
SELECT CASE WHEN body <> '' THEN 'zebra 1' END <@> memory.query('zebra') FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra');
-- Nor an aggregate's, nor a row that has been changed.
SELECT max(body) <@> memory.query('zebra') FROM notes WHERE tenant = 1;
UPDATE notes SET body = 'zebra 1' WHERE id = 2 RETURNING body <@> memory.query('zebra');

-- What the planner puts into a query cannot be put there by hand.
CREATE FUNCTION by_hand(text, memory.query) RETURNS float8 LANGUAGE plpgsql AS 'BEGIN RETURN $1 OPERATOR(memory.<@>) $2; END';
SELECT 'zebra 1' <@> memory_internal.query_for_source(memory.query('zebra'), l, r, 'notes_recall'::regclass) FROM generate_series(-2000, 2000, 8) l, generate_series(1, 3) r,
    LATERAL (SELECT id FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra') LIMIT 10) n;
SELECT by_hand('zebra 1', memory_internal.query_for_source(memory.query('zebra'), 0, 1, 'notes_recall'::regclass));
CREATE TABLE checked (t text CHECK (t <@> memory_internal.query_for_source(memory.query('zebra'), 0, 1, 0) < 0));
INSERT INTO checked SELECT 'zebra 1' FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra');
DROP TABLE checked;
SELECT memory_internal.query_for_source(memory.websearch_query('+zebra'), 1, 2, 3) AS written_out_it_is_the_query_alone;

-- A policy of one's own hides rows. Nobody can tell a text that a hidden row has from one that none has.
UPDATE notes SET readable = false WHERE tenant = 1 AND id <> 4;
CREATE ROLE distance_reader;
GRANT SELECT, INSERT ON notes TO distance_reader;
GRANT USAGE ON SCHEMA memory TO distance_reader;
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON notes FOR SELECT USING (readable);
CREATE POLICY mine ON notes FOR INSERT WITH CHECK (true);
SET ROLE distance_reader;
INSERT INTO notes VALUES (31, 3, 'guess', 'zebra 1'), (32, 3, 'guess', 'zebra 99');
CREATE FUNCTION pg_temp.answer(query text) RETURNS text LANGUAGE plpgsql SET search_path = public, memory AS $$
    DECLARE
        answer text;
    BEGIN
        EXECUTE 'SELECT string_agg(d::numeric(8, 4)::text, '','') FROM (' || query || ') q (d)' INTO answer;
        RETURN answer;
    EXCEPTION WHEN OTHERS THEN
        RETURN sqlstate;
    END $$;
-- {guess} is the text of a hidden row, and then one of none; {his} one's own row with that text.
SELECT attack, count(DISTINCT answer) = 1 AS same, min(answer) AS answer FROM (SELECT attack, pg_temp.answer(replace(replace(attack, '{guess}', guess), '{his}', his)) AS answer
FROM unnest(ARRAY[
    $$SELECT v <@> memory.query('zebra') FROM (VALUES ('{guess}')) g(v), LATERAL (SELECT id FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra') LIMIT 10) n$$,
    $$SELECT g.body <@> memory.query('zebra') FROM notes g, LATERAL (SELECT id FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra') LIMIT 10) n WHERE g.id = {his}$$,
    $$SELECT g.body <@> memory.query('zebra') FROM notes g, notes n WHERE n.tenant = 1 AND g.id = {his} ORDER BY n.body <@> memory.query('zebra')$$,
    $$SELECT n.body <@> memory.query('zebra') FROM (VALUES (1), (3)) t(x) JOIN notes n ON n.tenant = t.x WHERE n.id NOT IN (31, 32) OR n.id = {his} ORDER BY n.body <@> memory.query('zebra')$$,
    $$SELECT n.body <@> memory.query('zebra') FROM (VALUES (1), (1)) t(x) JOIN notes n ON n.tenant = t.x ORDER BY n.body <@> memory.query('zebra')$$
    ]) attack, (VALUES ('zebra 1', '31'), ('zebra 99', '32')) g(guess, his)) a GROUP BY attack ORDER BY min(answer), attack;
RESET ROLE;
-- But the statistics are those of all rows of the scope: N and df cover the hidden ones.
SELECT count(DISTINCT d) AS one FROM (SELECT d FROM alone WHERE id = 4 UNION ALL
    (SELECT body <@> memory.query('zebra') FROM notes WHERE tenant = 1 AND id = 4 ORDER BY body <@> memory.query('zebra'))) b;
DELETE FROM notes WHERE id > 30;
UPDATE notes SET readable = true;
ALTER TABLE notes DISABLE ROW LEVEL SECURITY;

-- Above the scan, in every kind of join; the same search begun anew is still the same search.
SELECT two_tenants($$SELECT count(*) AS rows, count(*) FILTER (WHERE s.d = a.d) AS right FROM
    (SELECT n.id, n.body <@> memory.query('zebra') AS d FROM notes n JOIN alone t USING (id) WHERE n.tenant = 1 ORDER BY n.body <@> memory.query('zebra')) s JOIN alone a USING (id)$$);
SET enable_material = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
SELECT wrong($$SELECT n.id, n.d FROM generate_series(1, 3) g, LATERAL (SELECT n.id, n.body <@> memory.query('zebra') AS d FROM notes n
    WHERE n.tenant = 1 AND n.id > g - 3 ORDER BY n.body <@> memory.query('zebra')) n$$) AS nested;
-- Another search's rows may wait above the first: no number is made up there.
\set VERBOSITY default
SELECT n.id, n.body <@> memory.query('zebra') FROM (VALUES (1), (2)) t(tenant) JOIN notes n USING (tenant) ORDER BY n.body <@> memory.query('zebra');
SELECT body <@> memory.query('zebra') FROM (SELECT body FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra') LIMIT 3) n;
\set VERBOSITY terse
RESET enable_material; RESET enable_hashjoin; RESET enable_mergejoin;

-- Views, subqueries and common table expressions that are flattened, functions that are inlined; and those that are not, if <@> is inside.
CREATE VIEW seen AS SELECT id, tenant, body AS contents FROM notes;
SELECT wrong($$SELECT id, contents <@> memory.query('zebra') FROM seen WHERE tenant = 1 ORDER BY contents <@> memory.query('zebra')$$) AS view,
    wrong($$SELECT id, d FROM notes, LATERAL (SELECT body <@> memory.query('zebra') AS d) s WHERE tenant = 1 ORDER BY d$$) AS named,
    wrong($$WITH n AS (SELECT * FROM notes WHERE tenant = 1) SELECT id, body <@> memory.query('zebra') FROM n ORDER BY 2$$) AS cte,
    wrong($$WITH n AS MATERIALIZED (SELECT id, body <@> memory.query('zebra') AS d FROM notes WHERE tenant = 1 ORDER BY 2) SELECT a.id, a.d FROM n a, n b$$) AS materialized,
    wrong($$SELECT id, d FROM (SELECT id, body <@> memory.query('zebra') AS d, rank() OVER (ORDER BY body <@> memory.query('zebra')) FROM notes WHERE tenant = 1) n WHERE rank < 3$$) AS ranked,
    wrong($$SELECT id, body <@> memory.query('zebra') AS d FROM notes WHERE tenant = 1 AND body <@> memory.query('zebra') < 0 ORDER BY d$$) AS filtered;
CREATE FUNCTION search(who int, words text) RETURNS TABLE (id int, d float8) LANGUAGE sql STABLE
    BEGIN ATOMIC SELECT id, body <@> memory.query(words) FROM notes WHERE tenant = who ORDER BY body <@> memory.query(words); END;
CREATE FUNCTION score(t text) RETURNS float8 LANGUAGE sql STABLE RETURN t <@> memory.query('zebra');
SELECT wrong($$SELECT * FROM search(1, 'zebra')$$) AS inlined, wrong($$SELECT id, score(body) FROM notes WHERE tenant = 1 ORDER BY score(body)$$) AS scalar;
SELECT (SELECT n.body <@> memory.query('zebra')) FROM notes n WHERE tenant = 1 ORDER BY n.body <@> memory.query('zebra');
-- Parameters, and queries out of a table.
SET plan_cache_mode = force_generic_plan;
PREPARE found(int, text) AS SELECT id, body <@> memory.query($2) AS d FROM notes WHERE tenant = $1 ORDER BY body <@> memory.query($2);
EXPLAIN (COSTS OFF) EXECUTE found(1, 'zebra');
CREATE TABLE got (id int, d float8);
INSERT INTO got SELECT * FROM search(2, 'zebra');
DO $$ BEGIN EXECUTE 'INSERT INTO got SELECT n.id, n.d FROM (VALUES (''zebra''), (''lion'')) w(words), LATERAL (SELECT id, body <@> memory.query(words) AS d
    FROM notes WHERE tenant = $1 ORDER BY body <@> memory.query(words) LIMIT 9) n WHERE words = ''zebra''' USING 1; END $$;
SELECT wrong('SELECT * FROM got') AS parameters;
RESET plan_cache_mode;
DROP TABLE got;

-- A function that searches while the statement around it does, by the very same plan.
CREATE FUNCTION around(depth int, who int) RETURNS TABLE (id int, d float8) LANGUAGE plpgsql SET search_path = public, memory AS $$
    BEGIN
        FOR id, d IN SELECT n.id, n.body <@> memory.query('zebra') FROM notes n LEFT JOIN alone a ON a.id = -1 WHERE n.tenant = who ORDER BY n.body <@> memory.query('zebra') LOOP
            IF depth > 0 THEN RETURN QUERY SELECT * FROM around(depth - 1, 3 - who); END IF;
            RETURN NEXT;
        END LOOP;
    END $$;
SELECT wrong('SELECT * FROM around(2, 1)') AS nested, count(*) FROM around(2, 1);
CREATE FUNCTION guess(t text) RETURNS float8 LANGUAGE plpgsql AS $$ BEGIN RETURN t OPERATOR(memory.<@>) memory.query('zebra'); END $$;
SELECT guess(body) FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('zebra');
-- Two cursors at once.
BEGIN;
DECLARE one CURSOR FOR SELECT tenant, n.body <@> memory.query('zebra') = a.d AS right FROM notes n JOIN alone a USING (id, tenant) WHERE tenant = 1 ORDER BY n.body <@> memory.query('zebra');
DECLARE two CURSOR FOR SELECT tenant, n.body <@> memory.query('zebra') = a.d AS right FROM notes n JOIN alone a USING (id, tenant) WHERE tenant = 2 ORDER BY n.body <@> memory.query('zebra');
FETCH 2 FROM one; FETCH 2 FROM two; FETCH 2 FROM one; FETCH 2 FROM two;
COMMIT;

-- Partitions and children search each for itself.
CREATE TABLE days (day int, tenant int, body text) PARTITION BY LIST (day);
CREATE TABLE days_1 PARTITION OF days FOR VALUES IN (1);
CREATE TABLE days_2 PARTITION OF days FOR VALUES IN (2);
CREATE INDEX ON days USING recall (tenant, body);
INSERT INTO days SELECT tenant, 7, body FROM notes WHERE tenant < 3;
SELECT count(*), count(*) FILTER (WHERE d.d = a.d) AS right FROM (SELECT day, body, body <@> memory.query('zebra') AS d FROM days WHERE tenant = 7 ORDER BY 3) d
    JOIN alone a ON a.tenant = d.day AND a.body = d.body;
SELECT DISTINCT body <@> memory.query('zebra') FROM days JOIN alone USING (body) WHERE days.tenant = 7 ORDER BY body <@> memory.query('zebra');
DROP TABLE days;

-- Two texts of one fingerprint are two texts.
INSERT INTO notes (id, tenant, body) VALUES (41, 4, 'zebra 33834'), (42, 4, 'a zebra and a lion, 36143'), (43, 4, 'lion');
INSERT INTO alone SELECT id, tenant, body, body <@> memory.query('zebra') FROM notes WHERE tenant = 4 ORDER BY body <@> memory.query('zebra');
SELECT count(DISTINCT d) FROM alone WHERE tenant = 4;
SELECT wrong($$SELECT n.id, n.body <@> memory.query('zebra') FROM notes n JOIN alone a USING (id) WHERE n.tenant = 4 ORDER BY n.body <@> memory.query('zebra')$$) AS above,
    (SELECT count(*) FROM (SELECT id, body <@> memory.query('zebra zebra') AS d FROM notes WHERE tenant = 4 ORDER BY body <@> memory.query('zebra zebra')) p
        JOIN (SELECT id, body <@> memory.websearch_query('"a zebra" zebra') AS d FROM notes WHERE tenant = 4 ORDER BY body <@> memory.websearch_query('"a zebra" zebra')) w USING (id)
        WHERE w.d <> p.d) AS kept_back;

-- A worker's scan is not known to the leader, who computes <@>: joins with an ordered scan are not parallel.
CREATE TABLE large AS SELECT 1 AS tenant, i FROM generate_series(1, 5000) i;
ALTER TABLE large SET (parallel_workers = 2);
ANALYZE large;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET parallel_leader_participation = off;
SELECT wrong($$SELECT n.id, n.body <@> memory.query('zebra') FROM large l JOIN notes n ON n.tenant = 1 AND n.id = l.i % 4 ORDER BY n.body <@> memory.query('zebra')$$) AS joined;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET parallel_leader_participation;

DROP TABLE notes, alone, large CASCADE;
DROP FUNCTION wrong, two_tenants, by_hand, score(text), around, guess;
DROP OWNED BY distance_reader;
DROP ROLE distance_reader;
