-- docs/reference.md out of the catalog's comments, what the rooms explain in ROOM.reference.sql, and examples that are run.
--
-- A room says for each of its functions, in the order of the page, which example it has; and for each argument and each
-- column of a result what it is, once for all functions (function '*') or for one. What lacks an explanation or an
-- example, and an explanation of nothing, is an error. `script` is a file to write: the page as commands for psql.
BEGIN; -- roles that examples make are gone afterwards
SET LOCAL search_path = memory, public;
SET LOCAL timezone = 'UTC';

CREATE TEMP TABLE chapter (place int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text, introduction text);
-- A function of several signatures is named with its types: rrf(bigint). Of the example's statements the last is shown with its output.
CREATE TEMP TABLE example (place int GENERATED ALWAYS AS IDENTITY, chapter int DEFAULT currval('chapter_place_seq'),
                           function text PRIMARY KEY, statements text);
-- An argument without a name is $1, $2, …
CREATE TEMP TABLE explained (function text, name text, explanation text, PRIMARY KEY (function, name));

\ir ../src/setup/setup.reference.sql
\ir ../src/access/access.reference.sql
\ir ../src/episodes/episodes.reference.sql
\ir ../src/recall/recall.reference.sql
\ir ../src/jobs/jobs.reference.sql
\ir ../src/facts/facts.reference.sql
\ir ../src/items/items.reference.sql
\ir ../src/sessions/sessions.reference.sql
\ir ../src/conversations/conversations.reference.sql
\ir ../src/conversations/runs.reference.sql
\ir ../src/blocks/blocks.reference.sql
\ir ../src/context/context.reference.sql
\ir ../src/checkpoints/checkpoints.reference.sql
\ir ../src/lifecycle/lifecycle.reference.sql
\ir ../src/moving/moving.reference.sql
\ir ../src/scale/scale.reference.sql
\ir ../src/text/text.reference.sql
\ir ../src/rank/rank.reference.sql
\ir ../src/index/index.reference.sql

-- What users call.
CREATE TEMP VIEW callable AS
SELECT p.*, CASE WHEN count(*) OVER (PARTITION BY proname) = 1 THEN proname::text
                 ELSE format('%s(%s)', proname, oidvectortypes(proargtypes)) END AS function
FROM pg_proc p
WHERE pronamespace = 'memory'::regnamespace AND prorettype <> 'trigger'::regtype
  AND NOT proargtypes::oid[] || prorettype && '{internal,cstring}'::regtype[]::oid[];

-- Arguments and columns of results, each with its explanation. (Those of types and tables have comments in the catalog.)
CREATE TEMP VIEW parameter AS
SELECT p.oid, p.function, a.n::int, coalesce(p.proargmodes[a.n] IN ('o', 't'), false) AS is_column,
       format_type(a.type, NULL) AS type,
       CASE WHEN p.prokind = 'a' THEN NULL
            ELSE regexp_replace(pg_get_function_arg_default(p.oid, a.n::int), '^(NULL|''.*'')::[\w\s]+(\[\])?$', '\1') END AS preset,
       coalesce(nullif(p.proargnames[a.n], ''), '$' || a.n) AS name
FROM callable p CROSS JOIN unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY a (type, n);

CREATE TEMP VIEW explanation AS
SELECT p.*, e.function AS said_for, e.explanation
FROM parameter p LEFT JOIN LATERAL (
    SELECT e.* FROM explained e WHERE e.function IN (p.function, '*') AND e.name = p.name
    ORDER BY e.function = '*' LIMIT 1) e ON true;

CREATE FUNCTION pg_temp.rows_of(object oid, columns boolean) RETURNS text LANGUAGE sql BEGIN ATOMIC
    SELECT E'\n' || CASE WHEN columns THEN E'| column | type | |\n|---|---|---|' ELSE E'| argument | type | default | |\n|---|---|---|---|' END
           || string_agg(format(E'\n| `%s` | %s |%s %s |', name, type,
                                CASE WHEN columns THEN '' ELSE ' ' || coalesce('`' || preset || '`', '') || ' |' END,
                                replace(explanation, '|', '\|')), '' ORDER BY n)
    FROM explanation WHERE oid = object AND is_column = columns;
END;

-- Each table and view, with its columns.
CREATE TEMP VIEW relations AS
SELECT c.relkind, c.relname, format(E'\n### memory.%s\n\n%s\n\n| column | type |%s |\n|---|---|%s---|\n%s', c.relname,
              obj_description(c.oid, 'pg_class'),
              CASE c.relkind WHEN 'r' THEN ' default |' ELSE '' END, CASE c.relkind WHEN 'r' THEN '---|' ELSE '' END,
              (SELECT string_agg(format('| `%s` | %s%s |%s %s |', a.attname,
                                        format_type(a.atttypid, a.atttypmod),
                                        CASE WHEN a.attnotnull THEN ' not null' ELSE '' END,
                                        CASE c.relkind WHEN 'r' THEN ' ' || coalesce('`' || pg_get_expr(d.adbin, d.adrelid) || '`', '') || ' |' ELSE '' END,
                                        col_description(c.oid, a.attnum)), E'\n' ORDER BY a.attnum)
               FROM pg_attribute a
               LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)) AS text
FROM pg_class c
WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind IN ('r', 'v');

DO $$
DECLARE
    faults text := (SELECT string_agg(fault, E'\n' ORDER BY fault) FROM (
        SELECT format('%s has no explanation of %s', function, name) FROM explanation WHERE explanation IS NULL
        UNION SELECT format('%s has no example', function) FROM callable WHERE function NOT IN (SELECT function FROM example)
        UNION SELECT format('there is no function %s, which has an example', function) FROM example WHERE function NOT IN (SELECT function FROM callable)
        UNION SELECT format('nothing has the %s that is explained for %s', name, function) FROM explained
              WHERE (function, name) NOT IN (SELECT said_for, name FROM explanation WHERE said_for IS NOT NULL)) f (fault));
BEGIN
    IF faults IS NOT NULL THEN
        RAISE EXCEPTION E'the reference is not whole\n%', faults USING HINT = 'See src/*/*.reference.sql.';
    END IF;
END $$;

-- One line of the page a row, as the commands that write it.
\o :script
WITH page (chapter, place, part, text) AS (
    SELECT place, 0, 0, format(E'\n## %s\n\n%s', title, introduction) FROM chapter
    UNION ALL
    SELECT e.chapter, e.place, 1, concat(
               format(E'\n### %s\n\n%s\n', p.function, obj_description(p.oid, 'pg_proc')),
               pg_temp.rows_of(p.oid, false) || E'\n',
               format(E'\nReturns %s. *%s.*\n', CASE WHEN pg_temp.rows_of(p.oid, true) IS NULL THEN format('`%s`', pg_get_function_result(p.oid))
                                                   WHEN p.proretset THEN 'rows' ELSE 'one row' END,
                      CASE p.provolatile WHEN 'i' THEN 'Immutable' WHEN 's' THEN 'Stable' ELSE 'Volatile' END),
               pg_temp.rows_of(p.oid, true) || E'\n',
               format(E'\n```sql\n%s\n```\n\n```text', btrim(e.statements, E'\n')))
    FROM callable p JOIN example e USING (function)
), line (chapter, place, part, n, command) AS (
    SELECT chapter, place, part, n, format('\echo ''%s''', replace(replace(line, '\', '\\'), '''', ''''''))
    FROM page CROSS JOIN string_to_table(text, E'\n') WITH ORDINALITY l (line, n)
    UNION ALL
    SELECT chapter, place, 2, 0, concat_ws(E'\n', '\o /dev/null', substring(statements, last_begins), '\o', regexp_replace(statements, last_begins, ''),
                                           '\echo ''```''')
    FROM example, (VALUES ('^.*;[^\n]*\n(?=[^ \n])')) pattern (last_begins)
)
SELECT command FROM line ORDER BY chapter, place, part, n;
\o

\echo '# Reference'
\echo
\echo 'Made by `make reference` from the comments in the catalog, the explanations in `src/*/*.reference.sql`, and examples that it runs, one after'
\echo 'another in one database. An example''s last statement is shown with its output. In psql, `\\df+ memory.*` shows functions with their comments. Names of arguments are written `name => value`, NULL is shown as `-`.'
\echo
\echo 'What all functions share (whose memory a call is about, times, errors and their SQLSTATEs) is in [the guide](guide.md).'
\pset format aligned
\pset tuples_only off
\pset footer off
\pset null -
\i :script
\pset null ''
\pset format unaligned
\pset tuples_only on

\echo
\echo '## Types'

SELECT format(E'\n### %s\n\n%s\n\n| column | type | |\n|---|---|---|\n%s', t.typname,
              obj_description(t.oid, 'pg_type'),
              (SELECT string_agg(format('| `%s` | %s | %s |', a.attname, format_type(a.atttypid, a.atttypmod),
                                        col_description(c.oid, a.attnum)), E'\n' ORDER BY a.attnum)
               FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))
FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid
WHERE t.typnamespace = 'memory'::regnamespace AND c.relkind = 'c'
ORDER BY t.typname COLLATE "C";

SELECT format(E'\n### %s\n\n%s', t.typname, obj_description(t.oid, 'pg_type'))
FROM pg_type t WHERE t.typnamespace = 'memory'::regnamespace AND t.typtype = 'b' AND t.typelem = 0
ORDER BY t.typname COLLATE "C";

\echo
\echo '## Operators'
\echo
\echo '| operator | result | |'
\echo '|---|---|---|'

SELECT format('| `%s %s %s` | %s | %s |', format_type(o.oprleft, NULL), o.oprname,
              format_type(o.oprright, NULL), format_type(o.oprresult, NULL),
              obj_description(o.oid, 'pg_operator'))
FROM pg_operator o WHERE o.oprnamespace = 'memory'::regnamespace ORDER BY o.oprname COLLATE "C";

\echo
\echo 'Index access method `recall`:'
\echo
\echo '| operator class | for columns of type | |'
\echo '|---|---|---|'

SELECT format('| `%s` | %s | %s |', opcname, format_type(opcintype, NULL), obj_description(oid, 'pg_opclass'))
FROM pg_opclass WHERE opcnamespace = 'memory'::regnamespace AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'recall')
ORDER BY opcname COLLATE "C";

\echo
\echo '## Tables'
\echo
\echo 'Ordinary tables, owned by the role that ran `memory.init()`: query, join, index and dump them as you like.'

SELECT text FROM relations WHERE relkind = 'r' ORDER BY relname COLLATE "C";

\echo
\echo '## Views'

SELECT text FROM relations WHERE relkind = 'v' ORDER BY relname COLLATE "C";

\echo
\echo '## Settings'
\echo
\echo 'Set them with `SET`, `SET LOCAL`, `ALTER ROLE … SET`, `ALTER DATABASE … SET` or in postgresql.conf.'
\echo
\echo '| setting | default | |'
\echo '|---|---|---|'

SELECT format('| `%s` | %s | %s |', name,
              coalesce('`' || nullif(boot_val, '') || coalesce(' ' || unit, '') || '`', 'unset'),
              concat_ws(' ', short_desc, extra_desc))
FROM pg_settings WHERE name LIKE 'memory.%' ORDER BY name COLLATE "C";

\echo
\echo '## Machinery'
\echo
\echo 'Schema `memory_internal` holds what tables, types, operators, indexes and aggregates call. Applications do not call it by name.'
\echo
\echo '| function | returns | |'
\echo '|---|---|---|'

SELECT format('| `%s(%s)` | %s | %s |', p.proname, pg_get_function_identity_arguments(p.oid),
              pg_get_function_result(p.oid), obj_description(p.oid, 'pg_proc'))
FROM pg_proc p
WHERE p.pronamespace = 'memory_internal'::regnamespace
ORDER BY p.proname COLLATE "C", pg_get_function_identity_arguments(p.oid) COLLATE "C";

ROLLBACK;
