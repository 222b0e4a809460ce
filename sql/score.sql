-- memory.score and memory.found: <@> and @@@ as functions, with no search_path set. The planner inlines them.
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
RESET client_min_messages;
\set VERBOSITY default
\set SHOW_CONTEXT never
SHOW search_path;
CREATE TABLE letters (id int, customer int, body text, note varchar(40), old text COLLATE "C");
INSERT INTO letters SELECT id, 42, body, body, body FROM (VALUES (1, 'The invoice came late.'), (2, 'Invoices are late, late again.'),
    (3, 'A new printer.'), (4, NULL), (5, 'Net 30, as always; invoice paid.')) v(id, body);
INSERT INTO letters VALUES (6, 7, 'late', 'late', 'late');
CREATE INDEX ON letters USING recall (customer, body);
CREATE INDEX ON letters USING recall (customer, note);
CREATE INDEX ON letters USING recall (customer, old);

-- An ordered scan, whose score is the select list's.
EXPLAIN (COSTS OFF) SELECT *, memory.score(body, 'late invoices') FROM letters WHERE customer = 42 ORDER BY memory.score(body, 'late invoices') LIMIT 10;
SELECT id, round(memory.score(body, 'late invoices')::numeric, 4) AS score FROM letters WHERE customer = 42 ORDER BY memory.score(body, 'late invoices'), id;
SELECT id, round(s::numeric, 4) AS score FROM (SELECT id, memory.score(body, 'late invoices') AS s FROM letters WHERE customer = 42 ORDER BY s LIMIT 2) n;
-- Matches only: the condition is the index's as well.
EXPLAIN (COSTS OFF) SELECT id FROM letters WHERE customer = 42 AND memory.found(body, '+invoice -paid "came late"') ORDER BY memory.score(body, 'late') LIMIT 10;
SELECT id FROM letters WHERE customer = 42 AND memory.found(body, '+invoice -paid') ORDER BY memory.score(body, 'late') LIMIT 10;
SELECT id FROM letters WHERE customer = 42 AND memory.found(body, '"net 30" pri*') ORDER BY id;
-- varchar, and a collation of its own.
EXPLAIN (COSTS OFF) SELECT id FROM letters WHERE customer = 42 AND memory.found(note, 'late') ORDER BY memory.score(note, 'late') LIMIT 10;
SELECT id, round(memory.score(note, 'late')::numeric, 4) AS score FROM letters WHERE customer = 42 AND memory.found(note, 'late') ORDER BY memory.score(note, 'late') LIMIT 10;
EXPLAIN (COSTS OFF) SELECT id FROM letters WHERE customer = 42 AND memory.found(old, 'late') ORDER BY memory.score(old, 'late') LIMIT 10;
SELECT id, round(memory.score(old, 'late')::numeric, 4) AS score FROM letters WHERE customer = 42 AND memory.found(old, 'late') ORDER BY memory.score(old, 'late') LIMIT 10;
-- The parameters of generic plans, as drivers send them.
SET plan_cache_mode = force_generic_plan;
PREPARE best(int, text) AS SELECT id, memory.score(body, $2) AS s FROM letters WHERE customer = $1 AND memory.found(body, $2) ORDER BY memory.score(body, $2) LIMIT 2;
EXPLAIN (COSTS OFF) EXECUTE best(42, 'late invoices');
EXECUTE best(7, 'late invoices');
-- A query that is NULL: the score is NULL, no row is lost; nothing is found by it. On every plan.
PREPARE rows(int, text) AS SELECT id, memory.score(body, $2) FROM letters WHERE customer = $1 ORDER BY memory.score(body, $2), id;
EXECUTE rows(42, NULL);
EXECUTE best(42, NULL);
SET plan_cache_mode = force_custom_plan;
EXECUTE rows(42, NULL);
EXECUTE best(42, NULL);
RESET plan_cache_mode;
-- Inside views and functions.
CREATE VIEW hits AS SELECT customer, id, memory.score(body, 'late') AS s FROM letters;
EXPLAIN (COSTS OFF) SELECT id FROM hits WHERE customer = 42 ORDER BY s LIMIT 2;

-- What is wrong is said: DESC, no ORDER BY, one around the scan, another text.
SELECT id FROM letters WHERE customer = 42 ORDER BY memory.score(body, 'late') DESC LIMIT 3;
SELECT id FROM letters WHERE customer = 42 ORDER BY -memory.score(body, 'late') LIMIT 3;
SELECT id, -memory.score(body, 'late') AS score FROM letters WHERE customer = 42 ORDER BY score DESC LIMIT 3;
PREPARE worst(text) AS SELECT id FROM letters WHERE customer = 42 ORDER BY memory.score(body, $1) DESC;
SET plan_cache_mode = force_generic_plan;
EXECUTE worst('late');
RESET plan_cache_mode;
SELECT id, memory.score(body, 'late') FROM letters WHERE customer = 42;
SELECT id FROM letters WHERE customer = 42 ORDER BY customer, id, memory.score(body, 'late') LIMIT 3;
SELECT memory.score(body, 'late') FROM (SELECT body FROM letters WHERE customer = 42 ORDER BY id LIMIT 3) n;
SELECT memory.score('a late letter', 'late');
SELECT id FROM letters ORDER BY memory.score(body, 'late') LIMIT 3;
-- Without an index a text is found by the words of English.
SELECT memory.found('two late invoices', '+invoice');
SELECT memory.found('a late letter', NULL) IS NULL AS unknown, memory.found(NULL, 'late') IS NULL AS unknown;

DROP VIEW hits;
DROP TABLE letters;
DROP EXTENSION memory CASCADE;
