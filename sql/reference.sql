-- What psql's \d and \df+ tell about memory: everything is commented, every function says how it
-- may be planned. Each query lists what is missing.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();

CREATE TEMP VIEW member AS
    SELECT classid, objid FROM pg_depend
    WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
      AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'memory');

-- Functions, types, operators, access methods: whatever the extension made, but the types that
-- PostgreSQL makes by itself.
SELECT pg_describe_object(classid, objid, 0) AS "a member without a comment"
FROM member LEFT JOIN pg_type t ON classid = 'pg_type'::regclass AND objid = t.oid LEFT JOIN pg_class c ON c.oid = t.typrelid
WHERE obj_description(objid, classid::regclass::name) IS NULL AND t.typcategory IS DISTINCT FROM 'A'
    AND coalesce(c.relkind, 'c') = 'c'
ORDER BY 1;
SELECT oid::regprocedure AS "a function without a comment"
FROM pg_proc
WHERE pronamespace IN ('memory'::regnamespace, 'memory_internal'::regnamespace) AND obj_description(oid, 'pg_proc') IS NULL
ORDER BY 1;
SELECT oid::regclass AS "a table, view, sequence or index without a comment"
FROM pg_class
WHERE relnamespace = 'memory'::regnamespace AND relkind <> 'c' AND obj_description(oid, 'pg_class') IS NULL
ORDER BY 1;
SELECT a.attrelid::regclass AS "of", a.attname AS "a column without a comment"
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind NOT IN ('i', 'I', 'S')
  AND a.attnum > 0 AND NOT a.attisdropped AND col_description(c.oid, a.attnum) IS NULL
ORDER BY 1, a.attnum;
SELECT t.tgrelid::regclass AS "of", t.tgname AS "a trigger without a comment"
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = 'memory'::regnamespace AND NOT t.tgisinternal
  AND obj_description(t.oid, 'pg_trigger') IS NULL
ORDER BY 1, 2;
SELECT name AS "a setting without a description"
FROM pg_settings WHERE name LIKE 'memory.%' AND coalesce(short_desc, '') = '';

-- The queries above look at something.
SELECT count(*) > 20 AS members FROM member;
SELECT count(*) > 5 AS settings FROM pg_settings WHERE name LIKE 'memory.%';

-- The catalog does not tell a default from a decision: the script does.
WITH script AS (
    SELECT pg_read_file(format('%s/extension/memory--%s.sql', p.setting, e.extversion)) AS text
    FROM pg_config p, pg_extension e WHERE p.name = 'SHAREDIR' AND e.extname = 'memory'
), declaration AS (
    SELECT m[1] AS name, m[2] AS text
    FROM script, regexp_matches(text, '\nCREATE (?:OR REPLACE )??FUNCTION ([\w.]+)(.*?);\n', 'g') AS m
)
SELECT name AS "a function that leaves its planning to chance"
FROM declaration
WHERE text !~ '\m(IMMUTABLE|STABLE|VOLATILE)\M' OR text !~ '\mPARALLEL (SAFE|RESTRICTED|UNSAFE)\M'
UNION ALL
SELECT 'the script declares no function' WHERE NOT EXISTS (SELECT FROM declaration);

-- Writes stay out of parallel workers.
SELECT oid::regprocedure AS "a volatile function that a worker might run"
FROM pg_proc
WHERE pronamespace IN ('memory'::regnamespace, 'memory_internal'::regnamespace) AND provolatile = 'v' AND proparallel <> 'u'
ORDER BY 1;
-- A body in SQL or PL is no C function's, but its names must not follow the caller's search_path. (Those of score and found
-- are qualified; with a setting they would not be inlined.)
SELECT p.oid::regprocedure AS "a function that follows search_path"
FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
WHERE pronamespace IN ('memory'::regnamespace, 'memory_internal'::regnamespace) AND l.lanname NOT IN ('c', 'internal')
  AND p.prosqlbody IS NULL AND NOT coalesce(array_to_string(proconfig, ',') LIKE '%search_path=%', false)
  AND p.prokind <> 'a' AND p.oid <> ALL ('{"memory.score(text,text)","memory.found(text,text)"}'::regprocedure[])
ORDER BY 1;

-- Numbers as clients send them: every fraction is a double precision, every integer a bigint.
SELECT DISTINCT p.oid::regprocedure AS "a function with", format_type(t, NULL) AS "another number"
FROM pg_proc p, unnest(p.proargtypes::oid[] || p.proallargtypes || p.prorettype) AS t
WHERE p.pronamespace = 'memory'::regnamespace
  AND t IN ('int2'::regtype, 'int4'::regtype, 'float4'::regtype, 'numeric'::regtype)
ORDER BY 1;
SELECT a.attrelid::regclass AS "a type of results with", a.attname AS "another number"
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind = 'c' AND a.attnum > 0
  AND a.atttypid IN ('int2'::regtype, 'int4'::regtype, 'float4'::regtype, 'numeric'::regtype)
ORDER BY 1, 2;
