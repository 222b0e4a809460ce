-- memory.init(partitions): tables of users in parts (docs/scale.md).
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;

-- A number of partitions is 1 to 64.
SELECT n, pg_temp.refused(format('SELECT memory.init(partitions => %s)', n)) FROM unnest('{0,-1,65,9223372036854775807}'::bigint[]) n;
SELECT to_regclass('memory.episodes') IS NULL AS nothing_made;

-- What is made: every table of users in parts, every other one whole. Indexes, foreign keys and triggers are those of the whole table, and
-- exclusion constraints of each part.
CREATE FUNCTION pg_temp.shape() RETURNS TABLE (partitioned bigint, ordinary bigint, partitions bigint) LANGUAGE sql AS $$
    SELECT count(*) FILTER (WHERE relkind = 'p'), count(*) FILTER (WHERE relkind = 'r' AND NOT relispartition), count(*) FILTER (WHERE relispartition)
    FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind IN ('r', 'p') $$;
BEGIN;
SELECT memory.init(3, partitions => 4);
SELECT count(DISTINCT (locktype, relation, classid, objid)) <= 10 * (4 + 1) * (SELECT partitioned FROM pg_temp.shape()) AS no_more_locks_than_asked_for FROM pg_locks WHERE pid = pg_backend_pid();
COMMIT;
SELECT partitions = 4 * partitioned AS four_each, ordinary FROM pg_temp.shape();
SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND NOT relispartition;
SELECT pg_get_partkeydef('memory.facts'::regclass) AS key, string_agg(format('%s %s', relname, pg_get_expr(relpartbound, oid)), ', ' ORDER BY relname) AS parts
FROM pg_class WHERE relname LIKE 'facts\_p__' AND relnamespace = 'memory'::regnamespace;
SELECT conrelid::regclass, conname, contype FROM pg_constraint WHERE contype = 'x' AND connamespace = 'memory'::regnamespace ORDER BY 1::text, 2;
SELECT count(*) AS indexes_that_are_not_whole FROM pg_index i JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = 'memory'::regnamespace AND NOT indisvalid;
SELECT thing, name, problem FROM memory.status WHERE problem IS NOT NULL;
CREATE FUNCTION pg_temp.number(n bigint) RETURNS uuid LANGUAGE sql AS $$ SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid $$;

-- Again is nothing; another number before the first row makes the tables anew, with the dictionary and the index of vectors that were there.
SELECT oid AS before FROM pg_class WHERE oid = 'memory.episodes'::regclass \gset
SELECT memory.init(), memory.init(partitions => 4);
SELECT oid = :before AS same FROM pg_class WHERE oid = 'memory.episodes'::regclass;
SELECT memory.set_dictionary('german_stem');
SELECT memory.init(partitions => 8);
SELECT partitions = 8 * partitioned AS eight_each FROM pg_temp.shape();
SELECT count(reloptions) AS german, bool_and(reloptions::text LIKE '%german%') FROM pg_class WHERE relkind = 'i' AND relam = (SELECT oid FROM pg_am WHERE amname = 'recall');
SELECT count(*) AS vector_indexes FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = relam WHERE amname = 'hnsw' AND relkind = 'i' AND indisvalid;
SELECT memory.set_dictionary(NULL);

-- Policies and grants by hand would get lost with the tables.
CREATE ROLE regress_memory_partitions;
SELECT memory.protect();
SELECT pg_temp.refused('SELECT memory.init(partitions => 4)');
SELECT memory.unprotect();
GRANT SELECT ON memory.facts TO regress_memory_partitions;
SELECT pg_temp.refused('SELECT memory.init(partitions => 4)');
REVOKE SELECT ON memory.facts FROM regress_memory_partitions;
SELECT memory.grant_access('regress_memory_partitions', 'reader');
SELECT memory.init(partitions => 4);
SELECT partitions = 4 * partitioned AS four_each FROM pg_temp.shape();
SELECT has_table_privilege('regress_memory_partitions', 'memory.facts', 'SELECT') AS reads, has_table_privilege('regress_memory_partitions', 'memory.facts', 'INSERT') AS writes;

-- With a row it is too late.
SELECT count(memory.remember('the fox ' || n || ' jumps over ' || n % 7, user_id => 'user ' || n % 20, session_id => 'a', embedding => ('[' || n || ',1,2]')::vector, id => pg_temp.number(n),
    occurred_at => '2026-01-01')) FROM generate_series(1, 200) n;
SELECT pg_temp.refused('SELECT memory.init(partitions => 8)');
SELECT memory.init(partitions => 4);

-- A row is where its user is, whichever way it came, and is found there by every index.
SELECT count(DISTINCT tableoid) AS parts_used, count(*) FROM memory.episodes;
SELECT count(DISTINCT e.tableoid) FROM memory.episodes e WHERE user_id = 'user 3';
SELECT count(*), min(content), max(content) FROM memory.recall_scored('fox jumps', user_id => 'user 3', k => NULL);
SELECT id, round(similarity::numeric, 4) AS similarity FROM memory.recall_semantic('[3,1,2]', user_id => 'user 3', threshold => 0.9, k => 2);
SELECT content FROM memory.recall_recent(user_id => 'user 3', k => 2);
SELECT count(*) FROM memory.recall('fox', user_id => 'user 3', filter => '{}', k => NULL);
COPY memory.episodes (namespace, user_id, id, content) FROM stdin;
default	user 3	00000000-0000-7000-8000-000000001000	a badger that was copied
\.
SELECT content FROM memory.recall('badger', user_id => 'user 3');
SELECT content FROM memory.episodes WHERE user_id = 'user 3' AND namespace = 'default' AND memory_internal.episode_text(content, response) OPERATOR(memory.@@@) memory.query('badger');

-- Beliefs do not overlap, in any part.
SELECT memory.assert_fact('Ada', 'lives in', city, user_id => 'user 3', valid_from => '2026-01-01') IS NOT NULL FROM unnest('{Oslo,Rome}'::text[]) city;
SELECT subject, predicate, object FROM memory.recall_facts('where does Ada live', user_id => 'user 3');
SELECT subject, predicate, object FROM memory.recall_facts('where does Ada live', user_id => 'user 4');
SELECT pg_temp.refused('INSERT INTO memory.facts (namespace, user_id, id, line, valid_from, known_from, subject_key, subject, predicate, object_key, object)
    SELECT namespace, user_id, pg_temp.number(1), line, valid_from, known_from, subject_key, subject, predicate, object_key, object FROM memory.facts
    WHERE user_id = ''user 3'' AND known_until = ''infinity'' LIMIT 1');

-- Items by text and their places, with a filter.
SELECT count(memory.put_item(ARRAY['a', (n % 3)::text], 'k' || n, jsonb_build_object('text', 'tea and ' || n), user_id => 'user ' || n % 5)) FROM generate_series(1, 50) n;
SELECT count(*) FROM memory.items('{a}', query => 'tea', user_id => 'user 3');
SELECT key, value FROM memory.items('{a}', query => '13', user_id => 'user 3');

-- What belongs to an episode goes with it: cascades and triggers of statements work on parts.
SELECT count(*) FROM memory.messages('a', user_id => 'user 3');
DELETE FROM memory.episodes WHERE user_id = 'user 3' AND id = pg_temp.number(3);
SELECT (SELECT count(*) FROM memory.embeddings WHERE user_id = 'user 3' AND episode_id = pg_temp.number(3)) AS vectors, count(*) AS messages FROM memory.messages('a', user_id => 'user 3');

-- Under protect() a session has its own rows, and parts do not help to see others.
SELECT memory.grant_access('regress_memory_partitions', 'writer');
SELECT memory.protect();
SET ROLE regress_memory_partitions;
SET memory.user_id = 'user 3';
SELECT count(*) AS own, count(DISTINCT user_id) AS users FROM memory.episodes;
SELECT sum(rows) AS own_of_parts FROM (SELECT (xpath('//c/text()', query_to_xml(format('SELECT count(*) AS c FROM memory.episodes_p0%s', n), false, true, '')))[1]::text::int AS rows FROM generate_series(0, 3) n) p;
SELECT count(*) FROM memory.recall('fox', user_id => 'user 4', k => NULL);
SELECT count(*) FROM memory.recall('fox', user_id => 'user 3', k => NULL);
SELECT count(*) FROM memory.recall_scored('fox', user_id => 'user 3', k => NULL, context_weight => 0.5);
SELECT count(*) FROM memory.recall_semantic('[3,1,2]', user_id => 'user 3', threshold => 0, k => NULL);
SELECT pg_temp.refused($$SELECT memory.remember('x', user_id => 'user 4')$$);
RESET ROLE;
SELECT memory.unprotect();

-- Rights are those on the table, not on its parts.
REVOKE ALL ON ALL TABLES IN SCHEMA memory FROM regress_memory_partitions;
DO $$ DECLARE t text; BEGIN FOR t IN SELECT relname FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition LOOP
    EXECUTE format('GRANT SELECT ON memory.%I TO regress_memory_partitions', t); END LOOP; END $$;
SET ROLE regress_memory_partitions;
SELECT count(*) FROM memory.recall('fox', user_id => 'user 3', k => NULL);
SELECT object, cardinality(sources) AS sources FROM memory.facts('Ada', user_id => 'user 3');
SELECT pg_temp.refused('SELECT count(*) FROM memory.episodes_p00');
RESET ROLE;

-- What a call reads and writes is one partition of a table, and no plan that is kept has more: nothing else is locked.
CREATE FUNCTION pg_temp.calls(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    FOR n IN 1..8 LOOP EXECUTE statement; END LOOP;
    RETURN (SELECT string_agg(DISTINCT relname, ' ' ORDER BY relname) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
        WHERE pid = pg_backend_pid() AND relkind = 'r' AND relispartition);
END $$;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.recall('fox', user_id => 'user 3')$$) AS recall;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.recall_semantic('[3,1,2]', user_id => 'user 3', threshold => 0.9)$$) AS recall_semantic;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.facts('Ada', user_id => 'user 3')$$) AS facts;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.fact_history('Ada', 'lives in', user_id => 'user 3')$$) AS fact_history;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.assert_fact('Ada', 'likes', 'tea ' || random(), user_id => 'user 3')$$) AS assert_fact;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.assert_facts(jsonb_agg(jsonb_build_object('subject', 'Ada', 'predicate', 'likes', 'object', 'cake ' || random())), user_id => 'user 3') FROM generate_series(1, 3)$$) AS assert_facts;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.remember('tea', user_id => 'user 3')$$) AS remember;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.put_item('{a}', 'of one', '{"text": "tea"}', user_id => 'user 3')$$) AS put_item;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.put_item('{a}', 'of another', '1', user_id => 'user 3', expected_version => (SELECT coalesce(max(version), 0) FROM memory.item('{a}', 'of another', user_id => 'user 3')))$$) AS put_expected;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.item('{a}', 'of one', user_id => 'user 3')$$) AS item;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.items('{a}', user_id => 'user 3')$$) AS items;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.items('{a}', query => 'tea', user_id => 'user 3')$$) AS items_by_text;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.item_paths('{a}', user_id => 'user 3')$$) AS item_paths;
COMMIT;
BEGIN;
SELECT pg_temp.calls($$SELECT memory.touch_items('{a}', user_id => 'user 3')$$) AS touch_items;
COMMIT;
-- What was done to a table by hand holds for calls: rights, policies, triggers of statements, rules.
ALTER TABLE memory.facts ENABLE ROW LEVEL SECURITY;
CREATE POLICY not_rome ON memory.facts USING (object <> 'Rome');
SET ROLE regress_memory_partitions;
SELECT object FROM memory.facts('Ada', 'lives in', user_id => 'user 3');
SELECT object FROM memory.fact_history('Ada', 'lives in', user_id => 'user 3');
RESET ROLE;
GRANT SELECT ON ALL TABLES IN SCHEMA memory TO regress_memory_partitions;
SET ROLE regress_memory_partitions;
SELECT object FROM memory.facts('Ada', 'lives in', user_id => 'user 3');
SELECT object FROM memory.fact_history('Ada', 'lives in', user_id => 'user 3');
RESET ROLE;
DROP POLICY not_rome ON memory.facts;
ALTER TABLE memory.facts DISABLE ROW LEVEL SECURITY;
REVOKE SELECT ON memory.facts FROM regress_memory_partitions;
SET ROLE regress_memory_partitions;
SELECT pg_temp.refused($$SELECT object FROM memory.facts('Ada', 'lives in', user_id => 'user 3')$$);
RESET ROLE;
CREATE FUNCTION pg_temp.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no % of %', lower(TG_OP), TG_TABLE_NAME; END $$;
CREATE TRIGGER none AFTER INSERT ON memory.facts EXECUTE FUNCTION pg_temp.refuse();
SELECT pg_temp.refused($$SELECT memory.assert_fact('Ada', 'likes', 'coffee', user_id => 'user 3')$$);
DROP TRIGGER none ON memory.facts;
CREATE RULE none AS ON INSERT TO memory.facts DO INSTEAD NOTHING;
SELECT pg_temp.refused($$SELECT memory.assert_fact('Ada', 'likes', 'coffee', user_id => 'user 3')$$);
DROP RULE none ON memory.facts;
SELECT memory.assert_fact('Ada', 'likes', 'coffee', user_id => 'user 3') IS NOT NULL AS asserted;

-- A partition under another name, or in another schema, is the partition that it is.
SELECT tableoid::regclass AS part, replace(tableoid::regclass::text, 'memory.', '') AS name FROM memory.facts WHERE user_id = 'user 3' LIMIT 1 \gset
ALTER TABLE :part RENAME TO "Facts of some";
SELECT object FROM memory.facts('Ada', 'likes', 'coffee', user_id => 'user 3');
CREATE SCHEMA regress_memory_elsewhere;
ALTER TABLE memory."Facts of some" SET SCHEMA regress_memory_elsewhere;
SELECT object FROM memory.facts('Ada', 'likes', 'coffee', user_id => 'user 3');
ALTER TABLE regress_memory_elsewhere."Facts of some" SET SCHEMA memory;
ALTER TABLE memory."Facts of some" RENAME TO :name;
SELECT object FROM memory.facts('Ada', 'likes', 'coffee', user_id => 'user 3');
DROP SCHEMA regress_memory_elsewhere;

-- An index that was dropped is not looked for where it was.
DROP INDEX memory.episodes_by_text;
SELECT pg_temp.refused($$SELECT count(*) FROM memory.recall('fox', user_id => 'user 3', k => NULL)$$);
SELECT memory.init();
SELECT count(*) FROM memory.recall('fox', user_id => 'user 3', k => NULL);

-- A line has its facts: each partition has a key to the one with the same users.
SELECT pg_temp.refused($$DELETE FROM memory.timelines WHERE user_id = 'user 3'$$);
SELECT pg_temp.refused($$UPDATE memory.timelines SET user_id = 'somebody else' WHERE user_id = 'user 3'$$);
SELECT conrelid::regclass, conname, confrelid::regclass FROM pg_constraint WHERE conname LIKE 'line\_of\_the\_user%' ORDER BY 1::text;

-- Forgetting, scrubbing, verifying and exporting go over the parts.
SELECT count(*) AS lines FROM memory.export_user('user 4');
SELECT memory.forget_user('user 4') -> 'episodes' AS forgotten;
SELECT count(*) FROM memory.export_user('user 4');
SET client_min_messages = error;
SELECT memory.scrub() >= 0 AS scrubbed;
SET client_min_messages = warning;
SELECT count(*) AS parts, sum((SELECT count(*) FROM memory.verify_index(i.relid))) AS problems FROM pg_partition_tree('memory.episodes_by_text') i WHERE isleaf;
SELECT name, rows, exact FROM memory.status WHERE thing = 'table' AND name IN ('episodes', 'items', 'facts', 'models') ORDER BY 1;
SELECT thing, name, problem FROM memory.status WHERE problem IS NOT NULL;
SET memory.embedding_model = 'mini';
SELECT pg_temp.refused('SELECT memory.create_vector_index(4, concurrently => true)');
RESET memory.embedding_model;

-- Words have no statistics, whatever is analyzed.
ANALYZE memory.episodes, memory.facts, memory.items;
SELECT s.tablename, s.attname FROM pg_stats s WHERE schemaname = 'memory' AND attname IN ('content', 'response', 'subject', 'object', 'session_id', 'value', 'episode_text');

-- A part that is missing is named.
ALTER TABLE memory.embeddings DETACH PARTITION memory.embeddings_p00;
SELECT pg_temp.refused(format('SELECT * FROM memory.recall_semantic(''[3,1,2]'', user_id => %L)', 'user ' || n)) AS refused, count(*) > 1 AS several FROM generate_series(1, 20) n GROUP BY 1 ORDER BY 1;
ALTER TABLE memory.embeddings ATTACH PARTITION memory.embeddings_p00 FOR VALUES WITH (MODULUS 4, REMAINDER 0);
SELECT count(*) FROM memory.episodes;

-- DROP EXTENSION keeps the rows; init() makes what it took, of all parts.
DROP EXTENSION memory CASCADE;
SELECT count(*) FROM memory.episodes;
CREATE EXTENSION memory;
SELECT memory.init();
SELECT thing, name, problem FROM memory.status WHERE problem IS NOT NULL;
SELECT count(*) FROM memory.recall('fox', user_id => 'user 3', k => NULL);
DROP OWNED BY regress_memory_partitions;
DROP ROLE regress_memory_partitions;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
