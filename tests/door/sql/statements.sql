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

-- A value is read only where there is one, and as what it is.
\pset format unaligned
\pset footer off
CREATE DOMAIN door.word AS text CHECK (VALUE <> '');
SELECT door.text_at(sql, 0, 0) FROM unnest(ARRAY['SELECT ''a text''::text', 'SELECT ''a varchar''::varchar(20)', 'SELECT ''of a domain''::door.word', 'SELECT NULL::text']) AS sql;
SELECT sql, place, door.refused(format('SELECT door.text_at(%L, %s, %s)', sql, place[1], place[2])) FROM (VALUES
    ('SELECT 4711', '{0,0}'::int[]),
    ('SELECT ''x''::char(3)', '{0,0}'),
    ('SELECT ''x''::name', '{0,0}'),
    ('SELECT NULL::int', '{0,0}'),
    ('SELECT ''x''::text', '{1,0}'),
    ('SELECT ''x''::text', '{-1,0}'),
    ('SELECT ''x''::text', '{0,1}'),
    ('SELECT ''x''::text', '{0,-1}'),
    ('SELECT ''x''::text WHERE false', '{0,0}'),
    ('INSERT INTO door.things (name) VALUES (''new'')', '{0,0}')) AS v (sql, place);
SELECT door.uuid_of('SELECT ''00000000-0000-7000-8000-000000000001''::uuid');
SELECT door.refused(format('SELECT door.uuid_of(%L)', sql)) FROM unnest(ARRAY['SELECT NULL::uuid AS id', 'SELECT 1311768467294899695 AS id', 'SELECT ''0''::text']) AS sql;

-- What a trigger or a rule has kept out was not written.
CREATE SCHEMA memory;
CREATE TABLE memory.told (name text);
SELECT door.write('INSERT INTO memory.told VALUES (''one'')', 1), door.write('INSERT INTO memory.told SELECT ''more'' FROM generate_series(1, 3)', 3);
CREATE FUNCTION door.swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN CASE WHEN NEW.name <> ''two'' THEN NEW END; END';
CREATE TRIGGER swallow BEFORE INSERT OR UPDATE ON memory.told FOR EACH ROW EXECUTE FUNCTION door.swallow();
SELECT door.refused($$SELECT door.write('INSERT INTO memory.told VALUES (''two'')', 1)$$);
SELECT door.refused($$SELECT door.write('INSERT INTO memory.told VALUES (''three''), (''two'')', 2)$$);
SELECT door.refused($$SELECT door.write('UPDATE memory.told SET name = ''two''', 4)$$);
DROP TRIGGER swallow ON memory.told;
CREATE RULE swallow AS ON INSERT TO memory.told DO INSTEAD NOTHING;
SELECT door.refused($$SELECT door.write('INSERT INTO memory.told VALUES (''two'')', 1)$$);
TABLE memory.told;
DROP SCHEMA memory CASCADE;
SELECT * FROM door.leftovers;
