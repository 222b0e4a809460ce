-- An error of PostgreSQL that has come through C++ says what it would have said without.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all

-- A function of another language with an error of every field, called directly and from C++.
CREATE FUNCTION door.complain() RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = '22012', MESSAGE = 'the message', DETAIL = 'the detail', HINT = 'the hint',
        SCHEMA = 'the schema', TABLE = 'the table', COLUMN = 'the column', CONSTRAINT = 'the constraint',
        DATATYPE = 'the datatype';
END $$;
\x on
SELECT * FROM door.diagnose('SELECT door.call(''door.complain()'')');
\x off

-- The same of errors that PostgreSQL raises itself: all fields but the CONTEXT line of the call.
CREATE FUNCTION door.broken() RETURNS bool LANGUAGE plpgsql AS 'BEGIN RAISE division_by_zero; END';
CREATE DOMAIN door.positive AS int CONSTRAINT is_positive CHECK (VALUE > 0);
CREATE TABLE door.children (parent int NOT NULL REFERENCES door.things, amount door.positive);
CREATE TABLE door.erroneous (sql text);
INSERT INTO door.erroneous VALUES
    ('SELECT 1 / 0'), ('SELECT nonsense'), ('SELECT FROM WHERE'), ('SELECT ''x''::int'),
    ('SELECT * FROM door.missing'), ('SELECT door.broken()'),
    ('INSERT INTO door.things OVERRIDING SYSTEM VALUE VALUES (7, ''much too long'')'),
    ('INSERT INTO door.things (name) VALUES (''one'')'), ('INSERT INTO door.children VALUES (77, 1)'),
    ('INSERT INTO door.children VALUES (NULL, 1)'), ('INSERT INTO door.children VALUES (1, 0)'),
    ('DROP TABLE door.things'), ('SELECT ''{"a": ]''::jsonb'), ('DO $do$ BEGIN ASSERT false, ''no''; END $do$'),
    ('SET door.checked = ''error'''), ('SELECT * FROM generate_series(1, 10, 0)');
SELECT sql, direct.sqlstate, direct IS NOT DISTINCT FROM through AS same, direct.message
FROM door.erroneous,
     LATERAL (SELECT (d).sqlstate, (d).message, (d).detail, (d).hint, (d).in_schema, (d).in_table, (d).in_column,
              (d)."constraint", (d).datatype FROM door.diagnose(sql) AS d) AS direct,
     LATERAL (SELECT (d).sqlstate, (d).message, (d).detail, (d).hint, (d).in_schema, (d).in_table, (d).in_column,
              (d)."constraint", (d).datatype
              FROM door.diagnose(format('SELECT door.execute(%L)', sql)) AS d) AS through;

-- The CONTEXT begins with the same lines, and goes on with those of the frames that C++ added.
SELECT sql, starts_with(through.context, inner_lines) AS same_lines, length(inner_lines) > 0 AS some
FROM door.erroneous, door.diagnose(sql) AS direct, split_part(direct.context, 'PL/pgSQL function door.diagnose', 1) AS inner_lines,
     door.diagnose(format('SELECT door.execute(%L)', sql)) AS through;

-- A statement's own text and the place of the mistake in it reach the client.
SELECT door.execute('SELECT 1 + nonsense');
SELECT door.execute('SELECT door.broken()');

-- A callback that PostgreSQL calls, and that fails in PostgreSQL: the same.
SET door.checked = 'postgres';
SHOW door.checked;

-- Fifty frames of each in turns: one error, all objects gone.
SELECT * FROM door.diagnose('SELECT door.descend(50, ''postgres'')');
SELECT * FROM door.diagnose('SELECT door.fail_in_comparator(''postgres'')');
SELECT * FROM door.leftovers;

-- No error: the way there and back, in turns and in a comparator; a warning is none either.
SELECT door.descend(50, 'nothing'), door.fail_in_comparator('nothing');
SELECT door.warn();
