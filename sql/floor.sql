-- memory.query(text, min_relevance): an ordered scan ends at the floor.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
CREATE TABLE notes (id int PRIMARY KEY, customer int, body text);
INSERT INTO notes VALUES
    (1, 42, 'The invoice came late.'), (2, 42, 'Invoices are late, late again, and so is the invoice of May.'),
    (3, 42, 'A new printer.'), (4, 42, 'The printer is late.'), (5, 42, NULL), (6, 7, 'Late.');
INSERT INTO notes SELECT 100 + i, 42, 'note ' || i FROM generate_series(1, 500) i;
CREATE INDEX notes_recall ON notes USING recall (customer, body);

-- Without one every row of the scope comes, with 0 as well; with one, what answers as much of the question.
SELECT count(*) FROM (SELECT FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices')) r;
SELECT count(*) FROM (SELECT FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices', 0)) r;
SELECT count(*) FROM (SELECT FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices', NULL)) r;
SELECT id, round((body <@> memory.query('late invoices', 0.05))::numeric, 4) AS score FROM notes
WHERE customer = 42 ORDER BY body <@> memory.query('late invoices', 0.05);
SELECT id FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices', 0.5);
SELECT id FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices', 1);
-- A word that no row has belongs to the question: what has the others answers a part of it.
SELECT id FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices zebra', 0.5);
-- Nothing is asked for, or nothing is there.
SELECT id FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('', 0.1);
SELECT id FROM notes WHERE customer = 43 ORDER BY body <@> memory.query('late', 0.1);
SELECT count(*) FROM (SELECT FROM notes WHERE customer = 42 ORDER BY body <@> memory.query(NULL, 0.1)) r;
-- Beside conditions, LIMIT, another key, a join that searches for each of its rows, a cursor.
SELECT id FROM notes WHERE customer = 42 AND body @@@ memory.websearch_query('+invoice') ORDER BY body <@> memory.query('late invoices', 0.1);
SELECT id FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices', 0.1), id DESC LIMIT 2 OFFSET 1;
SELECT c.customer, n.id FROM (VALUES (42), (7), (8)) c (customer)
CROSS JOIN LATERAL (SELECT id FROM notes WHERE customer = c.customer ORDER BY body <@> memory.query('late', 0.5)) n ORDER BY 1, 2;
BEGIN;
DECLARE best CURSOR FOR SELECT id FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices', 0.5);
FETCH 5 FROM best;
FETCH 5 FROM best;
COMMIT;
PREPARE best(text, float8) AS SELECT array(SELECT id FROM notes WHERE customer = 42 ORDER BY body <@> memory.query($1, $2)) AS ids;
SET plan_cache_mode = force_generic_plan;
EXECUTE best('late invoices', 0.5);
EXECUTE best('late invoices', 0.05);
RESET plan_cache_mode;

-- The share is that of BM25 by itself: of all floors, each row comes by those up to its own.
WITH scored AS MATERIALIZED (SELECT id, -(body <@> memory.query('late invoices printer')) AS score FROM notes
        WHERE customer = 42 AND body @@@ memory.query('late invoices printer') ORDER BY body <@> memory.query('late invoices printer')),
    total AS (SELECT sum(ln(1 + (505 - df + 0.5) / (df + 0.5)) * 1.9) AS most
        FROM (VALUES ('late'), ('invoice'), ('printer')) t (word), LATERAL (SELECT count(*) AS df FROM notes
            WHERE customer = 42 AND memory.found(body, word)) d)
SELECT floor, (SELECT count(*) FROM (SELECT FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices printer', floor)) r) AS rows,
    count(*) FILTER (WHERE score / most >= floor) AS expected
FROM scored, total, unnest('{0.01,0.1,0.2,0.25,0.3,0.4,0.5,0.6,0.9}'::float8[]) floor GROUP BY floor ORDER BY floor;

-- It is recall's min_relevance.
SELECT count(memory.remember(body, user_id => 'ann')) FROM notes WHERE body IS NOT NULL AND customer = 42 AND id < 200;
WITH floors AS (SELECT unnest('{0.1,0.3,0.5,0.7}'::float8[]) AS floor)
SELECT floor, (SELECT count(*) FROM memory.recall_scored('late invoices', user_id => 'ann', k => NULL, min_relevance => floor, context_weight => 0)) AS by_recall,
    (SELECT count(*) FROM (SELECT FROM memory.episodes WHERE namespace = 'default' AND user_id = 'ann'
        ORDER BY memory_internal.episode_text(content, response) OPERATOR(memory.<@>) memory.query('late invoices', floor)) r) AS by_index
FROM floors;

-- A condition has no floor, on no plan.
SELECT pg_temp.refused($$SELECT id FROM notes WHERE customer = 42 AND body @@@ memory.query('late', 0.5)$$);
SELECT pg_temp.refused($$SELECT 'late' @@@ memory.query('late', 0.5)$$);
SELECT pg_temp.refused($$SELECT id FROM notes, (SELECT memory.query(word, 0.5) AS q FROM unnest('{late}'::text[]) word OFFSET 0) w WHERE customer = 42 AND body @@@ q$$);
SET enable_indexscan = off; SET enable_bitmapscan = off;
SELECT pg_temp.refused($$SELECT id FROM notes, (SELECT memory.query(word, 0.5) AS q FROM unnest('{late}'::text[]) word OFFSET 0) w WHERE customer = 42 AND body @@@ q$$);
RESET enable_indexscan; RESET enable_bitmapscan;
-- Bad numbers.
SELECT pg_temp.refused($$SELECT memory.query('late', -0.1)$$);
SELECT pg_temp.refused($$SELECT memory.query('late', 1.5)$$);
SELECT pg_temp.refused($$SELECT memory.query('late', 'NaN')$$);
SELECT pg_temp.refused($$SELECT memory.query(NULL, 2)$$);

-- As a value.
CREATE TABLE saved (id int, wanted memory.query);
INSERT INTO saved VALUES (1, memory.query('late', 0.25)), (2, memory.query('0.5):late'::text, 1e-300)), (3, memory.query('memory.query(0.5):late'::text)),
    (4, 'memory.query(0.5):late'), (5, 'memory.query(2):late'), (6, 'memory.query(x):late'), (7, 'memory.query(0.5'), (8, 'memory.query(0):late'),
    (9, memory.query('', 1)), (10, memory.query('late', 0)), (11, memory.query('third', 1.0 / 3));
SELECT id, wanted::text AS written FROM saved ORDER BY id;
SELECT count(*) AS changed FROM saved WHERE memory_internal.query_send(wanted::text::memory.query) <> memory_internal.query_send(wanted);
SELECT encode(memory_internal.query_send(wanted), 'escape') AS sent FROM saved WHERE id = 1;
CREATE TEMPORARY TABLE restored (LIKE saved);
\set file `mktemp`
\setenv QUERY_FILE :file
\copy saved TO PROGRAM 'cat > "$QUERY_FILE"' (FORMAT binary)
\copy restored FROM PROGRAM 'cat "$QUERY_FILE"' (FORMAT binary)
\! rm "$QUERY_FILE"
SELECT count(*) AS rows, count(*) FILTER (WHERE memory_internal.query_send(s.wanted) IS NOT DISTINCT FROM memory_internal.query_send(r.wanted)) AS equal
FROM saved s JOIN restored r USING (id);
DELETE FROM memory.episodes WHERE user_id = 'ann';
DROP TABLE notes, saved;
