-- docs/reference.md out of the catalog: what \df+ and \d+ say in psql, as a page.
SELECT memory.init() \g /dev/null
SET search_path = memory, public;

\echo '# Reference'
\echo
\echo 'Made by `make reference` from the comments in the catalog; in psql, `\\df+ memory.*` says the same.'
\echo 'The times, scopes and rules that all functions share are in [the guide](guide.md).'
\echo
\echo '## Functions'

SELECT format(E'\n### %s\n\n```sql\nmemory.%s(%s)\n  RETURNS %s\n```\n\n%s %s',
              p.proname, p.proname, pg_get_function_arguments(p.oid),
              pg_get_function_result(p.oid),
              obj_description(p.oid, 'pg_proc'),
              CASE p.provolatile WHEN 'i' THEN '*Immutable.*' WHEN 's' THEN '*Stable.*'
                                 ELSE '*Volatile.*' END)
FROM pg_proc p
WHERE p.pronamespace = 'memory'::regnamespace AND p.prorettype <> 'trigger'::regtype
  AND NOT p.proargtypes::oid[] || p.prorettype && '{internal,cstring}'::regtype[]::oid[]
ORDER BY p.proname COLLATE "C", pg_get_function_arguments(p.oid) COLLATE "C";

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
\echo '## Index access method `recall`'
\echo
\echo '| operator class | for columns of type | |'
\echo '|---|---|---|'

SELECT format('| `%s` | %s | %s |', opcname, format_type(opcintype, NULL), obj_description(oid, 'pg_opclass'))
FROM pg_opclass WHERE opcnamespace = 'memory'::regnamespace AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'recall')
ORDER BY opcname COLLATE "C";

\echo
\echo '## Types'

SELECT format(E'\n### %s\n\n%s\n\n| column | type |\n|---|---|\n%s', t.typname,
              obj_description(t.oid, 'pg_type'),
              (SELECT string_agg(format('| `%s` | %s |', a.attname,
                                        format_type(a.atttypid, a.atttypmod)), E'\n' ORDER BY a.attnum)
               FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped))
FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid
WHERE t.typnamespace = 'memory'::regnamespace AND c.relkind = 'c'
ORDER BY t.typname COLLATE "C";

\echo
\echo '## Tables'
\echo
\echo 'Ordinary tables of whoever ran `memory.init()`: query, join, index and dump them as you like.'

SELECT format(E'\n### memory.%s\n\n%s\n\n| column | type | default | |\n|---|---|---|---|\n%s', c.relname,
              obj_description(c.oid, 'pg_class'),
              (SELECT string_agg(format('| `%s` | %s%s | %s | %s |', a.attname,
                                        format_type(a.atttypid, a.atttypmod),
                                        CASE WHEN a.attnotnull THEN ' not null' ELSE '' END,
                                        coalesce('`' || pg_get_expr(d.adbin, d.adrelid) || '`', ''),
                                        col_description(c.oid, a.attnum)), E'\n' ORDER BY a.attnum)
               FROM pg_attribute a
               LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))
FROM pg_class c
WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind = 'r'
ORDER BY c.relname COLLATE "C";

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
\echo 'Schema `memory_internal` holds what tables, types, operators, indexes and aggregates call; nobody calls it by name.'
\echo
\echo '| function | returns | |'
\echo '|---|---|---|'

SELECT format('| `%s(%s)` | %s | %s |', p.proname, pg_get_function_identity_arguments(p.oid),
              pg_get_function_result(p.oid), obj_description(p.oid, 'pg_proc'))
FROM pg_proc p
WHERE p.pronamespace = 'memory_internal'::regnamespace
ORDER BY p.proname COLLATE "C", pg_get_function_identity_arguments(p.oid) COLLATE "C";
