-- The argument `filter`, the same in every function that has one: against its definition in plain SQL, and on every plan.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SET memory.context_weight = 0;
SELECT setseed(0.1515);

-- The definition. `there` is the value under a key, and NULL where there is none.
CREATE FUNCTION pg_temp.passes_tests(there jsonb, tests jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE test text; operand jsonb; same boolean; compared int; holds boolean;
BEGIN
    FOR test, operand IN SELECT * FROM jsonb_each(tests) LOOP
        same := there IS NOT NULL AND jsonb_typeof(there) = jsonb_typeof(operand) AND jsonb_typeof(operand) IN ('number', 'string');
        compared := CASE WHEN NOT same THEN NULL
            WHEN jsonb_typeof(there) = 'number' THEN sign((there #>> '{}')::numeric - (operand #>> '{}')::numeric)
            ELSE (convert_to(there #>> '{}', 'UTF8') > convert_to(operand #>> '{}', 'UTF8'))::int - (convert_to(there #>> '{}', 'UTF8') < convert_to(operand #>> '{}', 'UTF8'))::int END;
        holds := CASE test
            WHEN '$eq' THEN there IS NOT NULL AND there = operand
            WHEN '$ne' THEN there IS NULL OR there <> operand
            WHEN '$gt' THEN same AND compared > 0
            WHEN '$gte' THEN same AND compared >= 0
            WHEN '$lt' THEN same AND compared < 0
            WHEN '$lte' THEN same AND compared <= 0
            WHEN '$in' THEN EXISTS (SELECT FROM jsonb_array_elements(operand) e WHERE e = there)
            WHEN '$nin' THEN NOT EXISTS (SELECT FROM jsonb_array_elements(operand) e WHERE e = there)
            WHEN '$exists' THEN (there IS NOT NULL) = operand::boolean
            WHEN '$not' THEN NOT pg_temp.passes_tests(there, operand) END;
        IF NOT holds THEN RETURN false; END IF;
    END LOOP;
    RETURN true;
END $$;
CREATE FUNCTION pg_temp.passes_value(there jsonb, wanted jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF jsonb_typeof(wanted) <> 'object' OR wanted::text !~ '"\$' THEN -- nothing but a plain value: it is contained
        RETURN there IS NOT NULL AND jsonb_build_object('x', there) @> jsonb_build_object('x', wanted);
    ELSIF EXISTS (SELECT FROM jsonb_object_keys(wanted) k WHERE k LIKE '$%') THEN
        RETURN pg_temp.passes_tests(there, wanted);
    END IF;
    RETURN bool_and(pg_temp.passes_value(CASE WHEN jsonb_typeof(there) = 'object' THEN there -> key END, value)) FROM jsonb_each(wanted);
END $$;
CREATE FUNCTION pg_temp.passes(given jsonb, filter jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE key text; wanted jsonb; holds boolean;
BEGIN
    FOR key, wanted IN SELECT * FROM jsonb_each(filter) LOOP
        holds := CASE key
            WHEN '$and' THEN NOT EXISTS (SELECT FROM jsonb_array_elements(wanted) f WHERE NOT pg_temp.passes(given, f))
            WHEN '$or' THEN EXISTS (SELECT FROM jsonb_array_elements(wanted) f WHERE pg_temp.passes(given, f))
            WHEN '$not' THEN NOT pg_temp.passes(given, wanted)
            WHEN '$path' THEN coalesce(given @@ (wanted #>> '{}')::jsonpath, false)
            ELSE pg_temp.passes_value(given -> key, wanted) END;
        IF NOT holds THEN RETURN false; END IF;
    END LOOP;
    RETURN true;
END $$;

-- Values and filters at random: few keys and few scalars, so that they often meet.
CREATE FUNCTION pg_temp.one_of(VARIADIC words text[]) RETURNS text LANGUAGE sql VOLATILE RETURN words[1 + floor(random() * array_length(words, 1))::int];
CREATE FUNCTION pg_temp.key() RETURNS text LANGUAGE sql VOLATILE RETURN pg_temp.one_of('a', 'a', 'b', 'a.b', 'ü"\', '');
CREATE FUNCTION pg_temp.value(depth int) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF depth > 0 AND random() < 0.3 THEN RETURN (SELECT jsonb_object_agg(pg_temp.key(), pg_temp.value(depth - 1)) FROM generate_series(1, 2));
    ELSIF depth > 0 AND random() < 0.3 THEN RETURN (SELECT coalesce(jsonb_agg(pg_temp.value(depth - 1)), '[]') FROM generate_series(1, floor(random() * 3)::int)); END IF;
    RETURN pg_temp.one_of('null', 'true', 'false', '1', '1.0', '-1.5', '2', '1e30', '"1"', '"a"', '"A"', '"é"', '""', E'"\\"q\\\\ \\u0001"', '"a b"', '{}', '[]');
END $$;
CREATE FUNCTION pg_temp.tests(depth int) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE test text := pg_temp.one_of('$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists', '$not');
BEGIN
    RETURN jsonb_build_object(test, CASE
        WHEN test IN ('$eq', '$ne') THEN pg_temp.value(2)
        WHEN test IN ('$in', '$nin') THEN (SELECT coalesce(jsonb_agg(pg_temp.value(CASE WHEN random() < 0.5 THEN 0 ELSE 2 END)), '[]') FROM generate_series(1, floor(random() * 4)::int))
        WHEN test = '$exists' THEN to_jsonb(random() < 0.5)
        WHEN test = '$not' THEN pg_temp.tests(depth)
        ELSE pg_temp.one_of('1', '1.5', '-1.5', '"a"', '"é"', '"B"', '""')::jsonb END)
        || CASE WHEN random() < 0.2 THEN pg_temp.tests(depth) ELSE '{}' END;
END $$;
CREATE FUNCTION pg_temp.filter(depth int) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE made jsonb := '{}';
BEGIN
    FOR n IN 1 .. 1 + floor(random() * 2)::int LOOP
        made := made || CASE
            WHEN random() < 0.15 THEN jsonb_build_object('$path', pg_temp.one_of('$.a == 1', 'strict $.a > 1', '$.a.b == "a" || exists($.b)', '$.a[*] == 1', '!($.a == 1)', '($.a > 1) is unknown'))
            WHEN depth > 0 AND random() < 0.2 THEN jsonb_build_object('$not', pg_temp.filter(depth - 1))
            WHEN depth > 0 AND random() < 0.4 THEN jsonb_build_object(pg_temp.one_of('$and', '$or'), (SELECT coalesce(jsonb_agg(pg_temp.filter(depth - 1)), '[]') FROM generate_series(1, floor(random() * 3)::int)))
            WHEN random() < 0.3 THEN jsonb_build_object(pg_temp.key(), pg_temp.value(2))
            WHEN random() < 0.3 THEN jsonb_build_object(pg_temp.key(), jsonb_build_object(pg_temp.key(), pg_temp.tests(1), 'z', pg_temp.value(1)) - pg_temp.one_of('z', 'x'))
            ELSE jsonb_build_object(pg_temp.key(), pg_temp.tests(1)) END;
    END LOOP;
    RETURN made;
END $$;
INSERT INTO memory.episodes (user_id, content, metadata, occurred_at)
SELECT 'random', 'word ' || n, (SELECT jsonb_object_agg(pg_temp.key(), pg_temp.value(2)) FROM generate_series(1, 1 + n % 3)), timestamptz '2026-01-01' + n * interval '1 hour' FROM generate_series(1, 60) n;
INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT user_id, id, ARRAY[1, n::int]::vector FROM (SELECT *, row_number() OVER () AS n FROM memory.episodes) e;
CREATE TEMP TABLE filters AS SELECT n, pg_temp.filter(2) AS filter FROM generate_series(1, 160) n;
CREATE TEMP TABLE expected AS SELECT n, filter, array_agg(id ORDER BY occurred_at DESC) FILTER (WHERE pg_temp.passes(metadata, filter)) AS ids FROM filters, memory.episodes GROUP BY n, filter;
SELECT count(*) AS filters, count(*) FILTER (WHERE ids IS NULL) >= 20 AS some_find_nothing, count(*) FILTER (WHERE cardinality(ids) < 60) >= 40 AS some_find_some, count(*) FILTER (WHERE cardinality(ids) = 60) >= 10 AS some_find_all FROM expected;
-- All of them on one row after another.
SELECT count(*) AS wrong FROM expected, memory.episodes e WHERE memory_internal.passes_filter(metadata, filter) <> coalesce(id = ANY (ids), false);
CREATE FUNCTION pg_temp.wrong_of_statements() RETURNS SETOF jsonb LANGUAGE sql AS $$
    SELECT filter FROM expected x, LATERAL (SELECT array_agg(id) AS ids FROM memory.recall_recent(k => NULL, user_id => 'random', filter => x.filter)) r WHERE r.ids IS DISTINCT FROM x.ids
    UNION ALL SELECT filter FROM expected x, LATERAL (SELECT array_agg(id) AS ids FROM memory.recall_recent(k => NULL, user_id => 'random', filter => jsonb_build_object('$not', jsonb_build_object('$not', x.filter)))) r WHERE r.ids IS DISTINCT FROM x.ids
$$;
SELECT * FROM pg_temp.wrong_of_statements() AS wrong;
-- An index on the metadata, of either kind, changes no answer.
CREATE INDEX by_metadata ON memory.episodes USING gin (metadata);
SET enable_seqscan = off;
SET enable_indexscan = off;
SELECT * FROM pg_temp.wrong_of_statements() AS wrong;
DROP INDEX memory.by_metadata;
CREATE INDEX by_metadata ON memory.episodes USING gin (metadata jsonb_path_ops);
SELECT * FROM pg_temp.wrong_of_statements() AS wrong;
-- It serves what it can find, and nothing else.
INSERT INTO memory.episodes (user_id, content, metadata) SELECT 'large', 'word', jsonb_build_object('a', n % 1000, 'b', jsonb_build_object('c', 'x')) FROM generate_series(1, 4000) n;
ANALYZE memory.episodes;
RESET enable_seqscan;
RESET enable_indexscan;
CREATE FUNCTION pg_temp.scans(filter jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE before bigint := pg_stat_get_xact_numscans('memory.by_metadata'::regclass);
BEGIN
    PERFORM memory.recall_recent(user_id => 'large', filter => filter);
    RETURN pg_stat_get_xact_numscans('memory.by_metadata'::regclass) > before;
END $$;
SELECT filter, pg_temp.scans(filter) AS by_index FROM unnest(ARRAY['{"a": 1}', '{"b": {"c": {"$eq": "y"}}, "a": {"$ne": 1}}', '{"a": {"$in": [1, 2]}}', '{"$or": [{"a": 1}, {"b": {"c": "y"}}]}', '{"$path": "$.a == 1 && $.b.c like_regex \"x\""}',
    '{"$path": "exists($.b ? (@.c == \"y\"))"}', '{"a": {"$ne": 1}}', '{"a": {"$gt": 1}}', '{"$path": "$.a > 1 || $.a == 1"}', '{"a": {"$exists": true}}']::jsonb[]) filter;
DROP INDEX memory.by_metadata;

-- Every function gives the same rows.
SELECT count(*) AS wrong FROM expected x, LATERAL (SELECT array_agg(id ORDER BY occurred_at DESC) AS ids FROM memory.recall_scored('word', k => 100, user_id => 'random', filter => x.filter)) r WHERE r.ids IS DISTINCT FROM x.ids;
SELECT count(*) AS wrong FROM expected x, LATERAL (SELECT array_agg(id ORDER BY occurred_at DESC) AS ids FROM memory.recall_scored(embedding => '[1,1]', k => 100, user_id => 'random', filter => x.filter)) r WHERE r.ids IS DISTINCT FROM x.ids;
SELECT count(*) AS wrong FROM expected x, LATERAL (SELECT array_agg(id ORDER BY occurred_at DESC) AS ids FROM memory.recall('word', 100, user_id => 'random', filter => x.filter)) r WHERE r.ids IS DISTINCT FROM x.ids;
SELECT count(*) AS wrong FROM expected x, LATERAL (SELECT array_agg(s.id ORDER BY occurred_at DESC) AS ids FROM memory.recall_semantic('[1,1]', NULL, -1, user_id => 'random', filter => x.filter) s
    JOIN memory.episodes e USING (id)) r WHERE r.ids IS DISTINCT FROM x.ids;
SELECT count(*) AS wrong FROM (SELECT * FROM expected WHERE n <= 20) x, memory.episodes e
WHERE (memory.explain_recall(e.id, 'word', user_id => 'random', filter => x.filter) -> 'failed' @> '["filter"]') = (e.id = ANY (coalesce(x.ids, '{}')));
-- Before k, and before the newest that stand in for nothing.
SELECT memory.remember(content, user_id => 'ada', metadata => metadata::jsonb, embedding => embedding::vector, occurred_at => at::timestamptz) IS NOT NULL AS remembered FROM (VALUES
    ('the red train', '{"stars": 5, "tags": ["x", "y"]}', '[1,1]', '2026-01-01'), ('a train train', '{"stars": 2, "tags": "x"}', '[1,0]', '2026-01-02'),
    ('one more train train train', '{"stars": "5", "done": null}', '[1,0.1]', '2026-01-03')) given (content, metadata, embedding, at);
SELECT content FROM memory.recall_scored('train', k => 1, user_id => 'ada', filter => '{"stars": {"$gt": 3}}');
SELECT content FROM memory.recall_scored(embedding => '[1,0]', k => 1, user_id => 'ada', filter => '{"stars": {"$gt": 3}}');
SELECT content, match FROM memory.recall_scored(k => 1, user_id => 'ada', filter => '{"stars": {"$gt": 3}}');
SELECT content, match FROM memory.recall_scored('zebra', k => 1, user_id => 'ada', fallback => 'recent', filter => '{"stars": {"$gt": 3}}');
SELECT content FROM memory.recall('train', 1, user_id => 'ada', filter => '{"stars": {"$gt": 3}}');
SELECT content FROM memory.recall_recent(k => 1, user_id => 'ada', filter => '{"stars": {"$gt": 3}}');
SELECT content FROM memory.recall_semantic('[1,0]', 1, user_id => 'ada', filter => '{"stars": {"$gt": 3}}');
-- What the contract says in so many words.
SELECT filter, array_agg(content ORDER BY occurred_at) AS found FROM unnest(ARRAY['{}', '{"tags": ["x"]}', '{"tags": "x"}', '{"stars": {"$eq": 5.0}}', '{"stars": "5"}', '{"stars": {"$ne": 5}}', '{"stars": {"$gt": "4"}}',
    '{"done": {"$exists": true}}', '{"done": null}', '{"done": {"$eq": null}}', '{"none": {"$eq": null}}', '{"stars": {"$not": {"$gt": 3}}}', '{"stars": {"$nin": [2, "5"]}}', '{"$path": "$.stars > 3"}', '{"$not": {"$path": "$.stars > 3"}}',
    '{"tags": {"$eq": ["x"]}}', '{"tags": {"$in": ["x", ["x", "y"]]}}', '{"$or": [{"stars": 2}, {"done": {"$exists": true}}], "stars": {"$exists": true}}']) WITH ORDINALITY f (filter, n)
    LEFT JOIN LATERAL memory.recall_recent(user_id => 'ada', filter => filter::jsonb) ON true GROUP BY n, filter ORDER BY n;
-- k NULL is no limit.
SELECT (SELECT count(*) FROM memory.recall_recent(user_id => 'random')) AS by_default, (SELECT count(*) FROM memory.recall_recent(k => NULL, user_id => 'random')) AS all_there_are,
    (SELECT count(*) FROM memory.recall_semantic('[1,1]', threshold => -1, user_id => 'random')) AS similar_by_default, (SELECT count(*) FROM memory.recall_semantic('[1,1]', NULL, -1, user_id => 'random')) AS all_similar;

-- Any other value than an object, for the rooms to come.
SELECT value, memory_internal.passes_filter(value, '{}') AS everything, memory_internal.passes_filter(value, '{"a": {"$ne": 1}}') AS has_none, memory_internal.passes_filter(value, '{"a": 1}') AS has_it FROM unnest(ARRAY['1', '"a"', 'null', '[{"a": 1}]']::jsonb[]) value;
-- A filter of each row's own, and none.
SELECT filter, memory_internal.passes_filter('{"a": 1}', filter) FROM unnest(ARRAY['{"a": 1}', '{"a": {"$ne": 1}}', NULL]::jsonb[]) filter;
-- Lists that are long, strings that are strange, times in paths.
SELECT count(*) FROM memory.recall_recent(user_id => 'random', filter => jsonb_build_object('a', jsonb_build_object('$in', (SELECT jsonb_agg(n) || '["é", 1, []]' FROM generate_series(100, 50000) n))));
SELECT count(*) = (SELECT count(*) FROM memory.episodes WHERE user_id = 'random' AND (metadata -> 'a' IN ('"é"', '1', '[]'))) AS same
FROM memory.recall_recent(k => NULL, user_id => 'random', filter => jsonb_build_object('a', jsonb_build_object('$in', (SELECT jsonb_agg(n) || '["é", 1, []]' FROM generate_series(100, 50000) n))));
INSERT INTO memory.episodes (user_id, content, metadata) SELECT 'odd', 'odd', jsonb_build_object(odd, odd, 'in', jsonb_build_object(odd, ARRAY[odd])) FROM unnest(ARRAY['', '"', '\', '$.a', '@', 'a.b', E'\x01\n\t\x7f', '*/', '😀', '''', '%', ' ', 'like_regex', '\u0041']) odd;
SELECT count(*) AS odd, sum(plain) AS plain, sum(equal) AS equal, sum(listed) AS listed, sum(inside) AS inside, sum(turned) AS turned FROM (SELECT content, metadata FROM memory.episodes WHERE user_id = 'odd') e,
    LATERAL (SELECT key FROM jsonb_object_keys(metadata - 'in') key) k,
    LATERAL (SELECT count(*) AS plain FROM memory.recall_recent(user_id => 'odd', filter => jsonb_build_object(key, key)) WHERE key !~ '^\$') a,
    LATERAL (SELECT count(*) AS equal FROM memory.recall_recent(user_id => 'odd', filter => jsonb_build_object('in', jsonb_build_object(key, jsonb_build_object('$eq', ARRAY[key])))) WHERE key !~ '^\$') b,
    LATERAL (SELECT count(*) AS listed FROM memory.recall_recent(user_id => 'odd', filter => jsonb_build_object(key, jsonb_build_object('$in', ARRAY[key, 'x']))) WHERE key !~ '^\$') c,
    LATERAL (SELECT count(*) AS inside FROM memory.recall_recent(user_id => 'odd', filter => jsonb_build_object('in', jsonb_build_object(key, ARRAY[key]))) WHERE key !~ '^\$') d,
    LATERAL (SELECT count(*) AS turned FROM memory.recall_recent(user_id => 'odd', filter => jsonb_build_object(key, jsonb_build_object('$ne', key))) WHERE key !~ '^\$') f;
SELECT memory.remember('at night', user_id => 'times', metadata => metadata::jsonb) IS NOT NULL AS remembered FROM unnest(ARRAY['{"at": "2026-01-01T00:00:00+00:00"}', '{"at": "2026-03-01"}', '{"at": "tomorrow"}']) metadata;
SELECT count(*) FROM memory.recall_recent(user_id => 'times', filter => '{"$path": "$.at.datetime() < \"2026-02-01\".datetime()"}');

-- What is wrong is said, whatever the rows are: this user has none.
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
SELECT filter, pg_temp.refused(format('SELECT memory.recall_recent(user_id => %L, filter => %L)', 'nobody', filter)) AS refused FROM unnest(ARRAY[
    '[1]', '7', 'null', '{"$gt": 3}', '{"$x": 3}', '{"stars": {"$greater": 3}}', '{"stars": {"$or": [{"$gt": 3}]}}', '{"stars": {"$gt": 3, "or": 4}}', '{"stars": [{"$gt": 3}]}', '{"stars": {"$gt": null}}', '{"stars": {"$in": 3}}',
    '{"stars": {"$exists": 1}}', '{"stars": {"$not": 3}}', '{"stars": {"$not": {"more": 3}}}', '{"$and": {"a": 1}}', '{"$or": [1]}', '{"$not": [{"a": 1}]}',
    '{"$path": 7}', '{"$path": "$.a >"}', '{"$path": ""}', '{"$path": "$.a"}', '{"$path": "true"}', '{"$path": "($.a > 1).type()"}', '{"$path": "$.a ? (@ > 1)"}', '{"$path": "$.a > $x"}', '{"$path": "$.a[$x to last] == 1 && $.b starts with \"a\""}',
    '{"$or": [{"a": 1}, {"$path": "$.a"}]}']) filter;
SELECT left(pg_temp.refused(format('SELECT memory.recall_recent(user_id => %L, filter => %L)', 'nobody', repeat('{"$not": ', n) || '{}' || repeat('}', n))), 60) AS refused FROM unnest(ARRAY[255, 256, 3000]) n;
SELECT name, left(pg_temp.refused(format('SELECT memory.%s, user_id => %L, filter => %L)', call, 'nobody', '{"a": {"$x": 1}}')), 40) AS refused FROM (VALUES ('recall_scored', 'recall_scored(''x'''), ('recall', 'recall(''x'''),
    ('recall_semantic', 'recall_semantic(''[1,2]'''), ('explain_recall', 'explain_recall(''00000000-0000-0000-0000-000000000000'', ''x''')) calls (name, call);
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
