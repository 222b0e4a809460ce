-- What programs write as JSON and jsonb cannot hold.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
\set VERBOSITY terse

-- jsonb refuses them; they go, and everything else stays.
SELECT '{"a": "x\u0000y"}'::jsonb;
SELECT memory.clean_json('{"a": "x\u0000y"}');
SELECT '{"a": "cut \ud83d"}'::jsonb;
SELECT memory.clean_json('{"a": "cut \ud83d", "b": ["\uDE00 cut", {"c\u0000": "\ud83d\ude00"}]}');
SELECT memory.clean_json('["\\u0000", "\\\u0000", "\ud83d\u0000\ude00", "\"\n\u0001", 1.50, null]');
SELECT memory.clean_json('"\u0000"'), memory.clean_json('  7 ');
-- Of keys that become equal, the last stays, as always in jsonb.
SELECT memory.clean_json('{"a": 1, "a\u0000": 2}');
SELECT memory.clean_json(NULL) IS NULL AS null_is_null;
-- Against a reading by windows: an escape goes if it is \u0000, or half of a pair whose other half is not beside it.
SELECT setseed(0.5);
CREATE TEMP TABLE made AS SELECT n, string_agg((ARRAY['a', '\u0000', '\ud83d', '\uDBFF', '\ude00', '\uDC00', '\\', '\"', '\u00e9', 'u0000', 'é'])[1 + floor(random() * 11)::int], '') AS text
FROM generate_series(1, 3000) n, generate_series(1, 8) GROUP BY n;
WITH unit AS (
    SELECT n, place, unit, unit ~* '^\\ud[89ab]' AS high, unit ~* '^\\ud[cdef]' AS low
    FROM made, regexp_matches(text, '\\u[0-9a-fA-F]{4}|\\.|.', 'g') WITH ORDINALITY AS u (units, place), unnest(units) AS unit
), judged AS (
    SELECT *, CASE WHEN high THEN coalesce(lead(low) OVER beside, false) WHEN low THEN coalesce(lag(high) OVER beside, false) ELSE unit <> '\u0000' END AS stays
    FROM unit WINDOW beside AS (PARTITION BY n ORDER BY place)
), kept AS (
    SELECT n, coalesce(string_agg(unit, '' ORDER BY place) FILTER (WHERE stays), '') AS text, bool_and(stays) AS whole FROM judged GROUP BY n
)
SELECT count(*) FILTER (WHERE memory.clean_json('"' || m.text || '"') = ('"' || k.text || '"')::jsonb) AS alike, count(*) AS of,
       count(*) FILTER (WHERE whole) BETWEEN 1 AND 1000 AS "some had nothing to lose"
FROM made m JOIN kept k USING (n);
-- As metadata.
SELECT memory.init();
SELECT id AS "id" FROM memory.remember('done', user_id => 'clean_json', metadata => memory.clean_json('{"tool": "\u0000ok"}')) id \gset
SELECT metadata FROM memory.get(:'id', 'clean_json');

-- What is no JSON is an error.
SELECT memory.clean_json('{"a": "\u00');
SELECT memory.clean_json('');
SELECT memory.clean_json('\u0000');
