-- Texts, JSON and identifiers between C++ and Datum.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all

-- A text reads the same however it is stored: short, plain, compressed, out of line, both.
CREATE TABLE door.texts (how text, value text);
ALTER TABLE door.texts ALTER value SET STORAGE EXTERNAL;
INSERT INTO door.texts VALUES ('out of line', repeat('äb', 20000));
ALTER TABLE door.texts ALTER value SET STORAGE EXTENDED;
INSERT INTO door.texts VALUES ('empty', ''), ('short', 'x'), ('short at its longest', repeat('x', 126)), ('long', repeat('x', 127)),
    ('compressed', repeat('äb', 2000)),
    ('out of line and compressed', (SELECT string_agg(md5(i::text) || repeat('z', 100), '') FROM generate_series(1, 2000) AS i));
SELECT how, octet_length(value) AS bytes, pg_column_size(value) < octet_length(value) AS compressed,
       door.same_text(value) = value AS same, door.text_size(value) = octet_length(value) AS same_size
FROM door.texts ORDER BY octet_length(value), how;
SELECT door.same_text(value || '') = value AS in_memory_too FROM door.texts;
SELECT door.literal();
-- One that is too long is refused, and none is cut to what an int holds.
\set VERBOSITY sqlstate
SELECT door.text_of_size(4);
SELECT door.text_of_size(1::bigint << 30);
SELECT door.text_of_size((1::bigint << 32) + 4);
\set VERBOSITY default

-- The walk over a JSON value sees what is there: rewritten from its leaves it is the same value.
CREATE TABLE door.documents (document jsonb);
INSERT INTO door.documents VALUES
    ('null'), ('true'), ('1.50'), ('"text"'), ('""'), ('[]'), ('{}'), ('[[]]'), ('{"a": {}}'),
    ('[1, "two", null, true, {"three": [4, {"five": "\"6\""}]}, []]'),
    ('{"b": [1, 2, [3, [4]]], "a": {"x": null, "y": false}, "": "empty key", "ä\"b": "\u00e4\n"}');
INSERT INTO door.documents SELECT jsonb_object_agg('key ' || i, repeat('compressible ', i % 50)) FROM generate_series(1, 500) AS i;
INSERT INTO door.documents SELECT jsonb_agg(jsonb_build_object('id', i, 'sum', md5(i::text), 'list', jsonb_build_array(i, i / 7.0, NULL)))
FROM generate_series(1, 3000) AS i;
SELECT left(document::text, 40) AS document, pg_column_size(document) > 2000 AND pg_column_size(document) < octet_length(document::text) AS toasted,
       door.rewritten(document)::jsonb = document AS same, door.described(document)
FROM door.documents ORDER BY octet_length(document::text), document::text;
SELECT value, door.json_string(value) FROM unnest('{"\"text\"","\"\"",1,"null","[\"text\"]"}'::jsonb[]) AS value;
SELECT door.json_real('0.25'), door.json_real('-3');
SELECT sqlstate FROM door.diagnose('SELECT door.json_real(''1e400'')');

-- Identifiers: 100,000 in a row are UUIDs of version 7, each greater than the one before, with the
-- time of the statement. Ids tick 4,096 times a millisecond, so a burst may run ahead of the clock.
CREATE TABLE door.ids AS SELECT number, id FROM door.new_ids(100000) WITH ORDINALITY AS t (id, number);
SELECT count(*), count(DISTINCT id) FROM door.ids;
SELECT bool_and(greater) AS increasing FROM (SELECT id > lag(id) OVER (ORDER BY number) AS greater FROM door.ids) AS pairs;
SELECT bool_and(substr(id::text, 15, 1) = '7') AS version_7, bool_and(substr(id::text, 20, 1) IN ('8', '9', 'a', 'b')) AS variant FROM door.ids;
SELECT count(DISTINCT right(id::text, 15)) = 100000 AS random FROM door.ids;
BEGIN;
CREATE TABLE door.timed AS SELECT id, ('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint AS ms FROM door.new_ids(1000) AS id;
SELECT min(ms) >= floor(extract(epoch FROM now()) * 1000) AS not_before_the_statement,
       max(ms) <= extract(epoch FROM clock_timestamp()) * 1000 + 25 AS not_after_it FROM door.timed;
COMMIT;
SELECT bool_and(timed.id > last.id) AS later_ids_are_greater FROM door.timed, (SELECT id FROM door.ids ORDER BY number DESC LIMIT 1) AS last;

-- A row trigger's row; and a function of triggers that is called by somebody else.
CREATE SCHEMA memory;
CREATE TABLE memory.told (gone int, name text, body text);
ALTER TABLE memory.told DROP gone;
CREATE TRIGGER tell AFTER INSERT ON memory.told FOR EACH ROW EXECUTE FUNCTION door.tell_row();
INSERT INTO memory.told VALUES ('a name', 'x');
INSERT INTO memory.told VALUES (NULL, 'x');
DROP TRIGGER tell ON memory.told;
CREATE TRIGGER tell_before BEFORE INSERT ON memory.told FOR EACH ROW EXECUTE FUNCTION door.tell_row();
INSERT INTO memory.told VALUES ('a name', 'x');
DROP TRIGGER tell_before ON memory.told;
CREATE TRIGGER tell_statement AFTER DELETE ON memory.told EXECUTE FUNCTION door.tell_row();
DELETE FROM memory.told;
SELECT door.refused('SELECT door.tell_row()');
-- Of another table, which everybody may make: with the same columns, or with others of the same names.
CREATE TEMP TABLE told (name text, body text);
CREATE TRIGGER tell AFTER INSERT ON told FOR EACH ROW EXECUTE FUNCTION door.tell_row();
INSERT INTO told VALUES ('a name', 'x');
DROP TABLE memory.told;
CREATE TABLE memory.told (name bigint);
CREATE TRIGGER tell AFTER INSERT ON memory.told FOR EACH ROW EXECUTE FUNCTION door.tell_row();
INSERT INTO memory.told VALUES (1311768467294899695);
DROP TABLE memory.told;
-- A trigger is cloned to partitions, whatever their names and the places of their columns.
CREATE TABLE memory.told (name text, body text) PARTITION BY LIST (name);
CREATE TABLE door.middle (body text, name text) PARTITION BY LIST (body);
CREATE TABLE door.told_x (name text, other int, body text);
ALTER TABLE door.told_x DROP other;
ALTER TABLE door.middle ATTACH PARTITION door.told_x FOR VALUES IN ('x');
ALTER TABLE memory.told ATTACH PARTITION door.middle FOR VALUES IN ('a name');
CREATE TRIGGER tell AFTER INSERT ON memory.told FOR EACH ROW EXECUTE FUNCTION door.tell_row();
INSERT INTO memory.told VALUES ('a name', 'x');
DROP SCHEMA memory CASCADE;
SELECT * FROM door.leftovers;
