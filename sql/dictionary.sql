-- @@@ matches the same rows on every plan, whatever the dictionary of the index.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;
SET timezone = 'UTC';

CREATE TABLE briefe (id int PRIMARY KEY, tenant int, body text, kurz varchar(100));
INSERT INTO briefe SELECT i, 1 + i % 3, CASE i % 4 WHEN 0 THEN 'Die Häuser am Fluss' WHEN 1 THEN 'ein Haus mit Garten'
    WHEN 2 THEN 'Bäume und Gärten' ELSE 'running late' END, 'Häuser' FROM generate_series(1, 60) i;
-- Each query's rows by the index and without it; the same, or NULL.
CREATE FUNCTION on_every_plan(query text) RETURNS text LANGUAGE plpgsql SET search_path = public, memory AS $$
    DECLARE
        answers text[];
        answer text;
    BEGIN
        FOR i IN 1 .. 3 LOOP
            PERFORM set_config('enable_seqscan', (i = 1)::text, true), set_config('enable_indexscan', (i = 2)::text, true),
                set_config('enable_bitmapscan', (i = 3)::text, true);
            EXECUTE query INTO answer;
            answers := answers || answer;
        END LOOP;
        RETURN CASE WHEN answers[1] IS NOT DISTINCT FROM answers[2] AND answers[2] IS NOT DISTINCT FROM answers[3] THEN answers[1] END;
    END $$;

-- Without an index, and with one that has no dictionary: English for Latin letters.
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND body @@@ memory.query('häuser')$$);
CREATE INDEX briefe_recall ON briefe USING recall (tenant, body);
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND body @@@ memory.query('häuser')$$);
DROP INDEX briefe_recall;

-- With one that has: everywhere.
CREATE INDEX briefe_recall ON briefe USING recall (tenant, body) WITH (dictionary = 'german_stem');
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND body @@@ memory.query('häuser')$$);
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND body @@@ memory.websearch_query('+haus -garten "die häuser"')$$);
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND body @@@ memory.websearch_query('"am flusse"')$$);
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND body @@@ memory.query('run')$$);
-- As a filter of an ordered scan, and in what the score is corrected by.
SELECT id, body <@> memory.websearch_query('"am flusse"') < 0 AS scored FROM briefe
WHERE tenant = 1 AND body @@@ memory.websearch_query('haus') ORDER BY body <@> memory.websearch_query('"am flusse"') LIMIT 3;
-- Without a scope (where a plan of the index is an error, so none is forced), in the list of results, on the other side of a join, in a view, in a prepared statement.
SELECT count(*) FROM briefe WHERE body @@@ memory.query('häuser') OR id < 0;
SELECT on_every_plan($$SELECT sum((body @@@ memory.query('häuser'))::int) FROM briefe WHERE tenant = 1$$);
CREATE TABLE gesucht (tenant int, wort text);
INSERT INTO gesucht VALUES (1, 'häuser'), (2, 'garten'), (3, 'run');
SELECT on_every_plan($$SELECT string_agg(format('%s %s', wort, count), ', ' ORDER BY wort) FROM
    (SELECT wort, count(*) FROM gesucht g JOIN briefe b ON b.tenant = g.tenant AND b.body @@@ memory.query(g.wort) GROUP BY wort) f$$);
CREATE VIEW haeuser AS SELECT b.id, b.tenant, b.body AS inhalt FROM briefe b;
SELECT on_every_plan($$SELECT count(*) FROM haeuser WHERE tenant = 1 AND inhalt @@@ memory.query('häuser')$$);
SELECT on_every_plan($$SELECT count(*) FROM (SELECT * FROM haeuser ORDER BY id LIMIT 1000) h WHERE tenant = 1 AND inhalt @@@ memory.query('häuser')$$);
-- Behind an outer join.
SELECT on_every_plan($$SELECT sum((b.body @@@ memory.query('häuser'))::int) FROM gesucht g LEFT JOIN briefe b ON b.tenant = g.tenant AND g.tenant < 2$$);
SELECT on_every_plan($$SELECT sum((s.inhalt @@@ memory.query('häuser'))::int) FROM gesucht g
    LEFT JOIN (SELECT tenant, coalesce(body, '') AS leer, coalesce(body, '') || ' haus' AS inhalt FROM briefe) s ON s.tenant = g.tenant AND g.tenant < 2$$);
SET plan_cache_mode = force_generic_plan;
PREPARE suche(int, text) AS SELECT count(*) FROM briefe WHERE tenant = $1 AND body @@@ memory.query($2);
EXECUTE suche(1, 'häuser');
SET enable_indexscan = off; SET enable_bitmapscan = off;
EXECUTE suche(1, 'häuser');
-- A plan is made anew when the index goes or comes.
DROP INDEX briefe_recall;
EXECUTE suche(1, 'häuser');
CREATE INDEX briefe_recall ON briefe USING recall (tenant, body) WITH (dictionary = 'german_stem');
EXECUTE suche(1, 'häuser');
RESET enable_indexscan; RESET enable_bitmapscan; RESET plan_cache_mode;
-- In a plan's description the query is what was asked.
EXPLAIN (COSTS off) SELECT id FROM briefe WHERE body @@@ memory.query('häuser') AND id > 0;
SELECT memory_internal.query_for_dictionary(memory.websearch_query('+haus'), 'german_stem');

-- An expression, a varchar, partitions, a table that inherits.
CREATE INDEX ON briefe USING recall (tenant, lower(kurz)) WITH (dictionary = 'german_stem');
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND lower(kurz) @@@ memory.query('haus')$$);
CREATE INDEX ON briefe USING recall (tenant, kurz) WITH (dictionary = 'german_stem');
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND kurz @@@ memory.query('haus')$$);
CREATE TABLE teile (tenant int, body text) PARTITION BY LIST (tenant);
CREATE TABLE teil_1 PARTITION OF teile FOR VALUES IN (1);
CREATE TABLE teil_2 PARTITION OF teile FOR VALUES IN (2, 3);
CREATE INDEX ON teile USING recall (tenant, body) WITH (dictionary = 'german_stem');
INSERT INTO teile SELECT tenant, body FROM briefe;
SELECT on_every_plan($$SELECT count(*) FROM teile WHERE tenant = 2 AND body @@@ memory.query('häuser')$$);
SELECT on_every_plan($$SELECT count(*) FROM teile WHERE tenant >= 1 AND (body @@@ memory.query('häuser') OR tenant < 0)$$);

-- In a subquery that the planner reads once as if it were of the query around it, whose first table has another dictionary.
CREATE TABLE letters (id int, tenant int, body text);
INSERT INTO letters SELECT id, tenant, 'Häuser' FROM briefe;
CREATE INDEX ON letters USING recall (tenant, body);
ANALYZE briefe, letters;
SELECT count(*) FROM briefe b WHERE EXISTS (SELECT FROM letters l WHERE l.id = b.id AND l.body @@@ memory.query('haus')) OR b.id < 0;
SELECT count(*) FROM letters l WHERE EXISTS (SELECT FROM briefe b WHERE b.id = l.id AND b.body @@@ memory.query('haus')) OR l.id < 0;

-- Two indexes with two dictionaries: the first rules, and the other is not scanned for @@@.
CREATE INDEX briefe_english ON briefe USING recall (tenant, body);
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND body @@@ memory.query('häuser')$$);
DROP INDEX briefe_recall;
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND body @@@ memory.query('häuser')$$);
CREATE INDEX briefe_recall ON briefe USING recall (tenant, body) WITH (dictionary = 'german_stem');
SELECT on_every_plan($$SELECT count(*) FROM briefe WHERE tenant = 1 AND body @@@ memory.query('häuser')$$);

DROP TABLE briefe, gesucht, teile, letters CASCADE;
DROP FUNCTION on_every_plan;
