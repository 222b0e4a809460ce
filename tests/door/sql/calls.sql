-- Functions written with MEMORY_CALL: arguments by name, one wording and one SQLSTATE for each kind of mistake, typed rows.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE FUNCTION door.told(word text DEFAULT NULL, colour text DEFAULT NULL, part float8 DEFAULT NULL,
    moment timestamptz DEFAULT NULL, length interval DEFAULT NULL, document jsonb DEFAULT NULL,
    ids uuid[] DEFAULT NULL, id uuid DEFAULT NULL, direction vector DEFAULT NULL) RETURNS text
    LANGUAGE c AS 'door_test', 'door_told';
CREATE FUNCTION door.told_each(elements jsonb) RETURNS SETOF text LANGUAGE c AS 'door_test', 'door_told_each';
CREATE FUNCTION door.fitted(small bigint DEFAULT NULL, k bigint DEFAULT 1, words text[] DEFAULT NULL,
    truth boolean DEFAULT NULL, role regrole DEFAULT NULL,
    OUT fitted int, OUT k_given bigint, OUT all_words text, OUT told boolean, OUT who oid)
    LANGUAGE c AS 'door_test', 'door_fitted';
CREATE FUNCTION door.sent_types(id uuid, moment timestamptz, length interval, document jsonb) RETURNS text
    LANGUAGE c AS 'door_test', 'door_sent_types';
CREATE FUNCTION door.typed_row(sql text) RETURNS text LANGUAGE c AS 'door_test', 'door_typed_row';
CREATE FUNCTION door.typed_rows(sql text) RETURNS bigint LANGUAGE c AS 'door_test', 'door_typed_rows';
CREATE FUNCTION door.typed_result(n bigint) RETURNS TABLE (n_out int, name text)
    LANGUAGE c AS 'door_test', 'door_typed_result';
CREATE FUNCTION door.other_result(n bigint) RETURNS TABLE (n_out bigint, name text)
    LANGUAGE c AS 'door_test', 'door_typed_result';
CREATE FUNCTION door.wider_result(n bigint) RETURNS TABLE (n_out int, name text, more text)
    LANGUAGE c AS 'door_test', 'door_typed_result';
\set ECHO all
\pset format unaligned

-- What is given is told; NULL is not given.
SELECT door.told();
SELECT door.told('word', 'green', 0.5, 'epoch', '1 day', '{}', ARRAY['00000000-0000-0000-0000-000000000001'::uuid],
    '00000000-0000-0000-0000-000000000001', '[1,2,3]');
-- An element of a JSON array is read by the same code.
SELECT door.told_each('[{}, {"word": null}, {"word": "word", "colour": "green", "part": 0.5, "moment": "epoch", "length": "1 day",
    "document": {}, "ids": ["00000000-0000-0000-0000-000000000001"], "id": "00000000-0000-0000-0000-000000000001",
    "direction": [1, 2, 3]}, {"direction": "[1,2]", "part": 1e0}]');

-- Every mistake, as an argument and as a field.
CREATE FUNCTION refused(field text, argument text, element text) RETURNS TABLE (argument_is text, field_is text)
    LANGUAGE sql AS $$
    SELECT door.refused(format('SELECT door.told(%I => %L)', field, argument)),
           door.refused(format('SELECT door.told_each(%L)', format('[{}, {"%s": %s}]', field, element)))
$$;
SELECT r.* FROM (VALUES (1, 'word', '', '""'), (2, 'word', 'too long a word', '"too long a word"'),
    (3, 'colour', 'blue', '"blue"'), (4, 'colour', '', '""'), (5, 'colour', repeat('blue', 30), '"' || repeat('blue', 30) || '"'),
    (6, 'part', '-0.1', '-0.1'), (7, 'part', '1.0000000001', '1.0000000001'), (8, 'part', 'NaN', '1e300'), (9, 'part', 'Infinity', '2'),
    (10, 'moment', 'infinity', '"infinity"'), (11, 'length', '0', '"0"'), (12, 'length', '1 month -30 days', '"1 month -30 days"'),
    (13, 'document', '[1]', '[1]'), (14, 'document', '"x"', '"x"'), (15, 'ids', '{null}', '[null]'),
    (16, 'ids', '{x}', '["x"]'), (17, 'id', 'x', '"x"'), (18, 'direction', '[]', '[]')) AS mistakes (n, field, argument, element),
    LATERAL refused(field, argument, element) AS r ORDER BY n;
-- Mistakes that only JSON can make.
SELECT door.refused(format('SELECT door.told_each(%L)', element)) FROM unnest(ARRAY[
    '[7]', '[[]]', '[null]', '["x"]', '[{"other": 1}]', '[{}, {"word": 1}]', '[{"part": "1"}]', '[{"part": 1e400}]', '[{"moment": 1}]',
    '[{"moment": "x"}]', '[{"ids": "x"}]', '[{"ids": [1]}]', '[{"direction": 1}]', '[{"direction": [1, "x"]}]', '[{"length": []}]'])
    WITH ORDINALITY AS j (element, n) ORDER BY n;
SELECT door.refused('SELECT door.told_each(NULL)');

-- Whole numbers that must fit into narrower ones.
SELECT * FROM door.fitted();
SELECT * FROM door.fitted(300, 1000000, '{a,b}', false, 'pg_monitor');
SELECT door.refused(format('SELECT door.fitted(%s)', arguments)) FROM unnest(ARRAY['301', '-6', '65536', '9223372036854775807',
    'k => 0', 'k => 1000001', 'k => NULL', 'words => ''{a,null}''']) WITH ORDINALITY AS a (arguments, n) ORDER BY n;

-- What values are sent as.
SELECT door.sent_types('00000000-0000-0000-0000-000000000001', 'epoch', '1 day', '{}');
SELECT door.sent_types('00000000-0000-0000-0000-000000000001', NULL, NULL, NULL);

-- A row is read as what it is, or not at all.
SELECT door.typed_row('SELECT 1, ''one''::text'), door.typed_row('SELECT 1, NULL::text'), door.typed_row('SELECT 1, ''two''::varchar');
SELECT door.refused(format('SELECT door.typed_row(%L)', sql)) FROM unnest(ARRAY['SELECT 1', 'SELECT 1, ''x''::text, 2',
    'SELECT 1::bigint, ''x''::text', 'SELECT ''x''::text, 1', 'SELECT 1, 2', 'SELECT NULL::int, ''x''::text', 'SELECT 1, ''x''::text WHERE false'])
    WITH ORDINALITY AS s (sql, n) ORDER BY n;
SELECT door.typed_rows('SELECT generate_series(1, 1000)');
SELECT door.refused('SELECT door.typed_rows(''SELECT 1::bigint'')'), door.refused('SELECT door.typed_rows(''SELECT NULL::int'')');
SELECT * FROM door.typed_result(2);
SELECT door.refused('SELECT * FROM door.other_result(2)'), door.refused('SELECT * FROM door.wider_result(2)');
SELECT * FROM door.leftovers;
