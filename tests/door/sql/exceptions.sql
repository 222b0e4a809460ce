-- An exception of any type becomes an error of PostgreSQL, never a crash.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all
SELECT pg_backend_pid() AS backend \gset

CREATE FUNCTION door.say(sql text) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(' / ', d.sqlstate, d.message, nullif(d.detail, ''), nullif(d.hint, '')) FROM door.diagnose(sql) AS d
$$;
CREATE TABLE door.ways (way int GENERATED ALWAYS AS IDENTITY, how text);
INSERT INTO door.ways (how) VALUES ('nothing'), ('error'), ('derived error'), ('bad_alloc'), ('exhausted context'),
    ('length_error'), ('impossible vector'), ('invalid_argument'), ('runtime_error'), ('empty optional'), ('int'),
    ('text'), ('struct');
SELECT how, door.say(format('SELECT door.fail(%L)', how)) FROM door.ways ORDER BY way;

-- The same from a frame fifty calls further in, from a comparator inside PostgreSQL's sort, and from a
-- destructor.
SELECT how, said, said = door.say(format('SELECT door.descend(50, %L)', how)) AS fifty_calls_in,
       said = door.say(format('SELECT door.fail_in_comparator(%L)', how)) AS in_comparator,
       said = door.say(format('SELECT door.fail_in_destructor(%L)', how)) AS in_destructor
FROM door.ways, LATERAL (SELECT door.say(format('SELECT door.fail(%L)', how)) AS said) AS direct ORDER BY way;

-- In the callback of a setting, where the setting keeps its value.
SET door.checked = 'int';
SET door.checked = 'struct';
SET door.checked = 'no such way';
SHOW door.checked;

-- Long texts are cut at the end of a character: 170 times three bytes.
SELECT how, d.message = repeat('語', 170) AS message, d.detail = repeat('語', 170) AS detail,
       d.hint = repeat('語', 170) AS hint, d.sqlstate
FROM unnest('{long error,long runtime_error}'::text[]) AS how,
     door.diagnose(format('SELECT door.fail(%L)', how)) AS d;

-- The session is the one that began.
SELECT pg_backend_pid() = :backend AS same_backend;
SELECT * FROM door.leftovers;
