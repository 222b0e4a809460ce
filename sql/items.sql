-- Items: JSON under a path and a key. They are put, read, listed, deleted, touched; and what is refused.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT user_id FROM memory.set_scope('ann', namespace => 'items');
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
CREATE FUNCTION pg_temp.shown(i memory.item) RETURNS text LANGUAGE sql AS $$
    SELECT array_to_string(i.path, '/') || ' ' || i.key || ' = ' || i.value || ' (' || i.version || ')' $$;
-- Time passes for items: what would expire within an hour has expired.
CREATE PROCEDURE pg_temp.an_hour_passes() LANGUAGE sql AS $$
    UPDATE memory.items SET expires_at = expires_at - interval '1 hour', updated_at = updated_at - interval '1 hour',
        created_at = created_at - interval '1 hour' WHERE namespace = 'items' $$;

-- === put and read ============================================================================
-- The first put is version 1, each further one is one more; the value is any JSON and comes back equal.
SELECT memory.put_item('{users,ann}', 'likes', '{"drink": "coffee", "n": [1, 2.50, null], "deep": {"a": [{}]}}');
SELECT memory.put_item('{users,ann}', 'likes', '{"drink": "tea"}');
SELECT value, version, created_at <= updated_at AS "in order", expires_at, user_id FROM memory.item('{users,ann}', 'likes');
CREATE TEMP TABLE any_json AS SELECT v FROM unnest('{"null","true","1.0","\"text\"","[]","{}","[1,[2,{\"a\":[]}]]"}'::jsonb[]) v;
SELECT sum(memory.put_item('{any}', v::text, v)) FROM any_json;
SELECT v, (SELECT value FROM memory.item('{any}', v::text)) AS value FROM any_json;
-- Neither path nor key is what another one joined would be.
SELECT memory.put_item('{a,b}', 'c', '1'), memory.put_item('{a}', 'b/c', '2'), memory.put_item('{"a/b"}', 'c', '3'), memory.put_item('{}', 'a', '4'), memory.put_item('{a}', 'b', '5');
SELECT (memory.item('{a,b}', 'c')).value, (memory.item('{a}', 'b/c')).value, (memory.item('{"a/b"}', 'c')).value, (memory.item('{}', 'a')).value, (memory.item('{a}', 'b')).value;
-- An array's bounds mean nothing.
SELECT memory.put_item('[7:8]={a,b}', 'c', '6');
SELECT pg_temp.shown(i) FROM memory.item('[0:1]={a,b}', 'c') i;
SELECT count(*) FROM memory.item('{a}', 'c');
SELECT count(*) FROM memory.item('{a,b}', 'C');
-- Users and namespaces have items of their own; the anonymous user as well.
SELECT memory.put_item('{users,ann}', 'likes', '"mine"', user_id => 'bob');
SELECT value FROM memory.item('{users,ann}', 'likes');
SELECT value, user_id FROM memory.item('{users,ann}', 'likes', user_id => 'bob');
SELECT user_id FROM memory.set_scope(namespace => 'items, anonymous');
SELECT memory.put_item('{a}', 'k', '1');
SELECT value, user_id IS NULL AS anonymous FROM memory.item('{a}', 'k');
SELECT user_id FROM memory.set_scope('ann', namespace => 'items');
SELECT count(*) FROM memory.item('{a}', 'k');

-- === compare and set =========================================================================
SELECT memory.delete_items('{}');
SELECT memory.put_item('{c}', 'n', '1', expected_version => 0);
SELECT memory.put_item('{c}', 'n', '2', expected_version => 1);
SELECT statement, pg_temp.refused(statement) FROM unnest(ARRAY[
    $$SELECT memory.put_item('{c}', 'n', '9', expected_version => 0)$$,
    $$SELECT memory.put_item('{c}', 'n', '9', expected_version => 1)$$,
    $$SELECT memory.put_item('{c}', 'n', '9', expected_version => 3)$$,
    $$SELECT memory.put_item('{c}', 'other', '9', expected_version => 1)$$,
    $$SELECT memory.put_item('{c}', 'n', '9', expected_version => -1)$$]) statement;
SELECT key, value, version FROM memory.items();

-- === many at once ============================================================================
-- Versions come in the order of the array; of an item that is there twice the last wins. null is a value.
SELECT memory.put_items('[{"path": ["m"], "key": "z", "value": 1}, {"path": ["m"], "key": "a", "value": null}, {"path": [], "key": "z", "value": {"x": [1]}},
    {"path": ["m"], "key": "z", "value": 2, "expected_version": 1}, {"path": ["m"], "key": "z", "value": 3, "user_id": "bob", "ttl": "1 day", "texts": ["three"], "embeddings": [[1, 0], "[0,1]"]}]');
SELECT pg_temp.shown(memory.item(p::text[], k)) FROM (VALUES ('{m}', 'z'), ('{m}', 'a'), ('{}', 'z')) i (p, k);
SELECT i.value, i.expires_at - i.updated_at AS ttl, t.texts, (SELECT array_agg(v.embedding::text ORDER BY v.n) FROM memory.item_embeddings v WHERE v.item = t.id) AS embeddings
FROM memory.item('{m}', 'z', user_id => 'bob') i JOIN memory.items t ON t.namespace = 'items' AND t.user_id = 'bob' AND t.path = i.path AND t.key = i.key;
SELECT count(*) FROM memory.put_items('[]');
-- All or nothing.
SELECT statement, pg_temp.refused(format('SELECT memory.put_items(%L)', statement)) FROM unnest(ARRAY[
    '{}', 'null', '[1]', '[{"path": ["n"], "key": "k"}]', '[{"path": ["n"], "key": "k", "value": 1}, {"path": ["n"], "value": 1}]',
    '[{"path": ["n"], "key": "k", "value": 1}, {"path": ["n"], "key": "k", "value": 1, "expected_version": 7}]',
    '[{"path": "n", "key": "k", "value": 1}]', '[{"path": ["n", null], "key": "k", "value": 1}]', '[{"path": ["n", ""], "key": "k", "value": 1}]',
    '[{"path": ["n"], "key": "", "value": 1}]', '[{"path": ["n"], "key": "k", "value": 1, "user_id": ""}]', '[{"path": ["n"], "key": "k", "value": 1, "metadata": {}}]',
    '[{"path": ["n"], "key": "k", "value": 1, "ttl": "soon"}]', '[{"path": ["n"], "key": "k", "value": 1, "texts": "words"}]', '[{"path": ["n"], "key": "k", "value": 1, "embeddings": [[0, 0]]}]',
    '[{"path": ["n"], "key": "k", "value": 1, "embeddings": [1, 0]}]', '[{"path": ["n"], "key": "k", "value": 1, "expected_version": 1.5}]', '[{"path": ["n"], "key": "k", "value": 1, "expected_version": "1"}]']) statement;
SELECT count(*) FROM memory.items('{n}');

-- === time to live ============================================================================
-- It begins with each put. What has expired is invisible to every call at once.
SELECT memory.put_item('{t}', 'short', '"s"', ttl => '30 minutes'), memory.put_item('{t}', 'long', '"l"', ttl => '1 day'), memory.put_item('{t}', 'ever', '"e"');
SELECT key, expires_at - updated_at AS ttl FROM memory.items('{t}') ORDER BY key;
CALL pg_temp.an_hour_passes();
SELECT count(*) FROM memory.item('{t}', 'short');
SELECT array_agg(key ORDER BY key) FROM memory.items('{t}');
SELECT array_agg(key) FROM memory.items('{t}', 's');
SELECT * FROM (SELECT path, items FROM memory.item_paths('{t}')) p;
SELECT pg_temp.refused($$SELECT memory.put_item('{t}', 'short', '1', expected_version => 1)$$);
-- A put over it is new: version 1.
SELECT memory.put_item('{t}', 'short', '1', expected_version => 0, ttl => '30 minutes');
SELECT memory.put_item('{t}', 'short', '2', ttl => '30 minutes');
CALL pg_temp.an_hour_passes();
SELECT memory.put_item('{t}', 'short', '3', ttl => '30 minutes');
SELECT created_at = updated_at AS "made now" FROM memory.item('{t}', 'short');
-- Touching starts the ttl again and changes nothing else; it counts what has a ttl and is there.
SELECT memory.put_item('{t}', 'gone', '0', ttl => '1 minute');
CREATE TEMP TABLE before AS SELECT key, version, updated_at, expires_at FROM memory.items('{t}');
CALL pg_temp.an_hour_passes();
SELECT memory.touch_items('{t}'), memory.touch_items('{t}', keys => '{long,ever,gone}'), memory.touch_items('{t,long}'), memory.touch_items('{}', user_id => 'carl');
SELECT i.key, i.version = b.version AS "same version", i.updated_at = b.updated_at - interval '1 hour' AS "same time", i.expires_at > now() + interval '23 hours 59 minutes' AS "lives on" FROM memory.items('{t}') i JOIN before b USING (key) ORDER BY 1;
-- A put without ttl ends it.
SELECT memory.put_item('{t}', 'long', '"l"');
SELECT expires_at FROM memory.item('{t}', 'long');

-- === lists ===================================================================================
SELECT memory.delete_items('{}');
-- A prefix is of whole names: neither a neighbour's nor a pattern.
SELECT count(memory.put_item(p::text[], k, jsonb_build_object('n', n))) FROM (VALUES (1, '{tenant,acme}', 'a'), (2, '{tenant,acme}', 'b'), (3, '{tenant,acme,x}', 'a'), (4, '{tenant,acme-corp}', 'a'),
    (5, '{tenant,acm%}', 'a'), (6, '{tenant}', 'acme'), (7, '{tenantacme}', 'a'), (8, '{tenant,acme,x,y}', 'a'), (9, '{}', 'tenant')) i (n, p, k);
SELECT prefix, (SELECT array_agg((value ->> 'n')::int ORDER BY value ->> 'n') FROM memory.items(prefix::text[])) FROM unnest('{"{}","{tenant}","{tenant,acme}","{tenant,acme,x}","{tenant,acm}","{tenant,acm%}","{tenant,%}","{tenant,*}","{acme}"}'::text[]) prefix;
SELECT (SELECT array_agg((value ->> 'n')::int) FROM memory.items(NULL)) AS "NULL is all";
-- The newest update comes first; what was put at once is in the order of paths and keys.
SELECT memory.put_item('{tenant,acme}', 'b', '{"n": 2}');
SELECT array_agg(value -> 'n') FROM memory.items();
SELECT array_agg(value -> 'n') FROM memory.items(k => 3);
SELECT array_agg(value -> 'n') FROM memory.items(k => 3, skip => 3);
SELECT array_agg(value -> 'n') FROM memory.items(k => NULL, skip => 7);
SELECT array_agg(value -> 'n') FROM memory.items(skip => 100);
-- Filters are of the value, and keys are asked for by name; all apply before k.
SELECT array_agg(value -> 'n') FROM memory.items('{tenant}', filter => '{"n": {"$gt": 2}}', k => 2);
SELECT array_agg(value -> 'n') FROM memory.items('{tenant}', keys => '{b,acme,zzz}');
SELECT array_agg(value -> 'n') FROM memory.items('{tenant}', keys => '{a}', filter => '{"$or": [{"n": 1}, {"n": 8}]}');
SELECT count(*) FROM memory.items(keys => '{}');
SELECT DISTINCT score, relevance FROM memory.items();

-- === paths ===================================================================================
SELECT path, items FROM memory.item_paths();
SELECT path, items FROM memory.item_paths('{tenant,acme}');
SELECT path, items FROM memory.item_paths(suffix => '{acme}');
SELECT path, items FROM memory.item_paths('{tenant,*,x}');
SELECT path, items FROM memory.item_paths('{*}', suffix => '{x,*}');
SELECT path, items FROM memory.item_paths(suffix => '{*,acme,x}');
SELECT path, items FROM memory.item_paths(depth => 2);
SELECT path, items FROM memory.item_paths('{tenant}', depth => 1);
SELECT path, items FROM memory.item_paths(k => 2, skip => 1);
SELECT count(*) FROM memory.item_paths('{nowhere}');
SELECT p.path, p.updated_at = max(i.updated_at) AS "when it was put into last" FROM memory.item_paths('{tenant,acme}', depth => 2) p, memory.items('{tenant,acme}') i GROUP BY 1, p.updated_at;

-- === deleting ================================================================================
SELECT memory.delete_items('{tenant,acme}', exact => true);
SELECT array_agg(value -> 'n' ORDER BY value -> 'n') FROM memory.items();
SELECT memory.delete_items('{tenant,acme}');
SELECT memory.delete_items(keys => '{tenant,acme}');
SELECT memory.delete_items('{tenant}', filter => '{"n": 5}');
SELECT memory.delete_items(before => (SELECT max(updated_at) FROM memory.items()));
SELECT memory.delete_items(before => (SELECT max(updated_at) + interval '1 microsecond' FROM memory.items()));
SELECT memory.delete_items('{}');
-- What has expired goes as well, and does not count; another user's stays.
SELECT memory.put_item('{d}', 'a', '1', ttl => '1 minute', embeddings => '{"[1,0]","[0,1]"}'), memory.put_item('{d}', 'b', '2');
CALL pg_temp.an_hour_passes();
SELECT memory.delete_items('{d}');
SELECT (SELECT count(*) FROM memory.items WHERE namespace = 'items' AND user_id = 'ann') AS items,
    (SELECT count(*) FROM memory.item_embeddings WHERE namespace = 'items' AND user_id = 'ann') AS embeddings, (SELECT count(*) FROM memory.items(user_id => 'bob')) AS bobs;

-- Many at once: touched and deleted as a few are.
SELECT count(v) AS put FROM memory.put_items((SELECT jsonb_agg(jsonb_build_object('path', '["many"]'::jsonb, 'key', 'k' || n, 'value', n, 'ttl', '1 day')) FROM generate_series(1, 200) n)) v;
SELECT memory.touch_items('{many}'), memory.delete_items('{many}', filter => '{"$path": "$ <= 100"}'), memory.delete_items('{many}', keys => '{k101,k102}'), memory.delete_items('{}');

-- === vectors =================================================================================
-- A put replaces texts, vectors and ttl together; without vectors there are none.
CREATE VIEW pg_temp.vectors AS SELECT i.key, v.model, v.n, v.embedding FROM memory.items i JOIN memory.item_embeddings v ON (v.namespace, v.user_id, v.item) = (i.namespace, i.user_id, i.id) WHERE i.namespace = 'items' AND i.user_id = 'ann';
SELECT memory.put_item('{v}', 'k', '1', embeddings => '{"[1,0]","[0,1]","[1,1]"}');
SELECT * FROM pg_temp.vectors ORDER BY 1, 2, 3;
SELECT memory.put_item('{v}', 'k', '1', embeddings => '{"[2,1]"}', expected_version => 1);
SELECT * FROM pg_temp.vectors ORDER BY 1, 2, 3;
SELECT memory.put_item('{v}', 'k', '1');
SELECT count(*) FROM pg_temp.vectors;
SELECT memory.put_item('{v}', 'k', '1', embeddings => '{}');
-- Dimensions are those of the user's other vectors of the model, an episode's included.
SELECT memory.remember('three', embedding => '[1,2,3]') IS NOT NULL AS remembered;
SELECT pg_temp.refused($$SELECT memory.put_item('{v}', 'k', '1', embeddings => '{"[1,0]"}')$$);
SELECT memory.put_item('{v}', 'k', '1', embeddings => '{"[1,2,3]"}');
SELECT pg_temp.refused($$SELECT memory.items(embedding => '[1,2]')$$);

-- === bad input: each its error, and nothing is written =======================================
SELECT count(*) AS "there are" FROM memory.items(k => NULL);
SELECT left(statement, 100) AS statement, pg_temp.refused(statement) FROM unnest(ARRAY[
    $$SELECT memory.put_item('{a,"",b}', 'k', '1')$$,
    $$SELECT memory.put_item('{a,NULL}', 'k', '1')$$,
    $$SELECT memory.put_item('{{a},{b}}', 'k', '1')$$,
    $$SELECT memory.put_item(NULL, 'k', '1')$$,
    $$SELECT memory.put_item('{a}', NULL, '1')$$,
    $$SELECT memory.put_item('{a}', '', '1')$$,
    $$SELECT memory.put_item('{a}', 'k', NULL)$$,
    $$SELECT memory.put_item('{a}', 'k', '1', user_id => '')$$,
    $$SELECT memory.put_item(ARRAY[repeat('x', 1000), repeat('y', 25)], 'k', '1')$$,
    $$SELECT memory.put_item('{a}', repeat('x', 1025), '1')$$,
    $$SELECT memory.put_item('{a}', 'k', '1', ttl => '-1 hour')$$,
    $$SELECT memory.put_item('{a}', 'k', '1', ttl => '300000 years')$$,
    $$SELECT memory.put_item('{a}', 'k', '1', texts => '{{a},{b}}')$$,
    $$SELECT memory.put_item('{a}', 'k', '1', texts => '{a,NULL}')$$,
    $$SELECT memory.put_item('{a}', 'k', '1', embeddings => '{"[1,2,3]","[0,0,0]"}')$$,
    $$SELECT memory.put_item('{a}', 'k', '1', embeddings => '{NULL}')$$,
    $$SELECT memory.put_item('{a}', 'k', '1', embeddings => '{{"[1,2,3]"},{"[1,2,3]"}}')$$,
    $$SELECT memory.put_item('{a}', 'k', '1', embeddings => '{"[1,2,3,4]"}')$$,
    $$SELECT memory.item('{""}', 'k')$$,
    $$SELECT memory.item(NULL, 'k')$$,
    $$SELECT memory.items('{a,""}')$$,
    $$SELECT memory.items(filter => '{"a": {"$like": "x"}}')$$,
    $$SELECT memory.items(filter => '[]')$$,
    $$SELECT memory.items(embedding => '[0,0,0]')$$,
    $$SELECT memory.items(k => 0)$$,
    $$SELECT memory.items(skip => -1)$$,
    $$SELECT memory.items(alpha => 1.5)$$,
    $$SELECT memory.items(min_relevance => 'NaN')$$,
    $$SELECT memory.items(keys => '{a,""}')$$,
    $$SELECT memory.items(repeat('x', 100000))$$,
    $$SELECT memory.items(query => repeat('x', 100000))$$,
    $$SELECT memory.item_paths('{a,""}')$$,
    $$SELECT memory.item_paths(suffix => '{NULL}')$$,
    $$SELECT memory.item_paths(depth => 0)$$,
    $$SELECT memory.delete_items()$$,
    $$SELECT memory.delete_items(exact => true)$$,
    $$SELECT memory.delete_items(keys => '{v}', exact => true)$$,
    $$SELECT memory.delete_items(filter => '{"$x": 1}')$$,
    $$SELECT memory.touch_items(NULL)$$]) statement;
SELECT count(*) AS "there still are", count(*) FILTER (WHERE value <> '1' OR version <> 5) AS "changed" FROM memory.items(k => NULL);
-- What is true of every row COPY and INSERT obey, too.
SELECT statement, pg_temp.refused(format('INSERT INTO memory.items (path, key, value, ttl) VALUES %s', statement)) FROM unnest(ARRAY[
    $$('{a,""}', 'k', '1', NULL)$$, $$('{a,NULL}', 'k', '1', NULL)$$, $$('{{a}}', 'k', '1', NULL)$$, $$('[2:2]={a}', 'k', '1', NULL)$$, $$('{a}', '', '1', NULL)$$,
    $$('{a}', 'k', '1', '0')$$, $$('{v}', 'k', '1', NULL)$$]) statement;

-- === names at their limits ===================================================================
-- The longest of all: namespace and user of 512 bytes, path and key of 1 kB, in names of one byte and in one.
SELECT length(user_id) FROM memory.set_scope(repeat('u', 512), namespace => repeat('n', 512));
CREATE TEMP TABLE long AS SELECT n, string_to_array(p, NULL) AS path, k AS key FROM (VALUES (1, repeat('p', 1024), repeat('k', 1024)), (2, repeat('p', 1024), repeat('k', 1023) || 'l'), (3, repeat('p', 1023) || 'q', 'a')) t (n, p, k)
    UNION ALL VALUES (4, ARRAY[repeat('p', 1024)], repeat('k', 1024)), (5, ARRAY[repeat('p', 1023), 'p'], repeat('k', 1024));
SELECT cardinality(path), memory.put_item(path, key, to_jsonb(n)) FROM long;
SELECT n, pg_column_size(memory_internal.place_key(path, key)) AS place, (memory.item(path, key)).value, (SELECT array_agg(value ORDER BY value) FROM memory.items(l.path)) AS "on the path",
    (SELECT array_agg(value ORDER BY value) FROM memory.items(l.path[1:cardinality(l.path) - 1])) AS "under all but its last name" FROM long l ORDER BY n;
SELECT memory.delete_items((SELECT path FROM long WHERE n = 1), exact => true);
SELECT array_agg(value ORDER BY value) FROM memory.items();
