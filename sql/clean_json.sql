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
-- As metadata.
SELECT memory.init();
SELECT id AS "id" FROM memory.remember('done', user_id => 'clean_json', metadata => memory.clean_json('{"tool": "\u0000ok"}')) id \gset
SELECT metadata FROM memory.get(:'id', 'clean_json');

-- What is no JSON is an error.
SELECT memory.clean_json('{"a": "\u00');
SELECT memory.clean_json('');
SELECT memory.clean_json('\u0000');
