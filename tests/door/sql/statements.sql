-- A statement prepared once per backend goes on through whatever happens to its tables.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all

CREATE TABLE door.changing (id int, name text);
INSERT INTO door.changing VALUES (1, 'first');
SELECT door.newest_name();
-- DDL on the table.
ALTER TABLE door.changing ADD extra int;
INSERT INTO door.changing VALUES (2, 'second', 0);
SELECT door.newest_name();
ALTER TABLE door.changing ALTER name TYPE varchar(20), ALTER id TYPE bigint;
SELECT door.newest_name();
CREATE INDEX ON door.changing (id);
SELECT door.newest_name();
-- A table that is dropped and made again.
DROP TABLE door.changing;
SELECT door.newest_name();
SELECT door.newest_name();
CREATE TABLE door.changing (name text, id numeric);
SELECT door.newest_name() IS NULL AS empty;
INSERT INTO door.changing VALUES ('another', 1);
SELECT door.newest_name();
-- The same inside a transaction that is rolled back.
BEGIN;
DROP TABLE door.changing;
CREATE VIEW door.changing AS SELECT 5 AS id, 'a view'::text AS name;
SELECT door.newest_name();
ROLLBACK;
SELECT door.newest_name();
-- A first use that fails is no obstacle to the next.
SELECT door.type_of(ROW(1, 'x'));
-- Parameters of other types.
SELECT door.type_of(1), door.type_of('x'::text), door.type_of(1.5), door.type_of(2), door.type_of(now()) LIKE 'timestamp with time zone %';
SELECT door.type_of(NULL::int) IS NULL AS null_in_null_out;
CREATE TYPE door.colour AS ENUM ('red');
SELECT door.type_of('red'::door.colour);
DROP TYPE door.colour;
CREATE TYPE door.colour AS ENUM ('green');
SELECT door.type_of('green'::door.colour);
-- Fewer or more parameters than before: PostgreSQL is asked anew.
SELECT door.other_parameter_count();
-- A statement that runs itself, with another type each time, inside itself.
SELECT door.turn(20), door.turn('15'::text);
-- 10,000 executions in one connection, with their rows, do not pile up.
BEGIN;
SELECT door.growth_by_statements(10000) < 200000 AS stays_small;
ROLLBACK;

-- Rows as a function's result: those of another shape are refused, not misread.
SELECT * FROM door.rows_of('SELECT i, ''n'' || i::text FROM generate_series(1, 3) AS i');
\set VERBOSITY terse
SELECT * FROM door.rows_of('SELECT i FROM generate_series(1, 3) AS i');
SELECT * FROM door.rows_of('SELECT ''x''::text, 1');
\set VERBOSITY default
SELECT * FROM door.row_of('SELECT 1, ''one''::text');
SELECT * FROM door.row_of('SELECT 1, ''one''::text, now()');
SELECT * FROM door.row_of('SELECT ''x''::text, 1');
SELECT * FROM door.leftovers;
