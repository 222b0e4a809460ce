-- The graph of facts: neighbors, paths, names of one entity, at any point of both times.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET timezone = 'UTC';
SELECT memory.set_scope('ann', namespace => 'graph');
SELECT memory.define_predicate('knows', 'many', 'known by'), memory.define_predicate('likes', 'many');
CREATE FUNCTION pg_temp.tell(subject text, predicate text, object text, day int) RETURNS void LANGUAGE sql
    AS $$ SELECT memory.assert_fact(subject, predicate, object, valid_from => '2026-01-01'::timestamptz + day * interval '1 day') $$;
SELECT pg_temp.tell('Ann', 'works_at', 'Acme', 1), pg_temp.tell('Bob', 'works_at', 'Acme', 2), pg_temp.tell('Ann', 'knows', 'Cyd', 3),
       pg_temp.tell('Cyd', 'knows', 'Bob', 4), pg_temp.tell('Acme', 'based in', 'Oslo', 5), pg_temp.tell('Bob', 'knows', 'Bob', 6),
       pg_temp.tell('Dan', 'lives in', 'Oslo', 7), pg_temp.tell('Eve', 'likes', 'Fay', 8);

-- One step, both ways; a predicate's inverse when it is followed from the object; what points to itself is no neighbor.
SELECT neighbor, predicate, outgoing, valid_from::date FROM memory.neighbors('CYD');
SELECT neighbor, predicate FROM memory.neighbors('acme', 'in');
SELECT neighbor, predicate FROM memory.neighbors('acme', 'out');
SELECT count(*) FROM memory.neighbors('nobody');
SELECT neighbor FROM memory.neighbors('bob');

-- Paths: shorter first, then the newest last fact; no entity twice; facts by their ids.
SELECT path, depth, entity, array_length(fact_ids, 1) AS facts FROM memory.traverse(ARRAY['Ann']);
SELECT path FROM memory.traverse(ARRAY['Ann'], hops => 10) WHERE depth > 2;
SELECT path FROM memory.traverse(ARRAY['Ann'], hops => 1);
SELECT path FROM memory.traverse(ARRAY['Ann'], k => 3);
SELECT path FROM memory.traverse(ARRAY['Oslo', 'EVE', 'eve', NULL, 'nobody'], hops => 1);
SELECT bool_and(f.subject = split_part(t.path, ' ', 1) OR f.object = split_part(t.path, ' ', 1)) AS "the first fact is the seed's"
FROM memory.traverse(ARRAY['Ann'], hops => 3) t JOIN memory.facts(valid_at => NULL, k => 100) f ON f.id = t.fact_ids[1];
SELECT count(*) FROM memory.traverse('{}');

-- As of any point: before Cyd was known, and as it was believed before the next change.
SELECT path FROM memory.traverse(ARRAY['Ann'], valid_at => '2026-01-03 12:00');
SELECT clock_timestamp() AS then \gset
SELECT memory.retract_fact('Ann', 'works at', valid_from => '-infinity');
SELECT path FROM memory.traverse(ARRAY['Ann'], hops => 1);
SELECT path FROM memory.traverse(ARRAY['Ann'], hops => 1, known_at => :'then');
SELECT neighbor FROM memory.neighbors('Ann', known_at => :'then');
SELECT neighbor FROM memory.neighbors('Ann', valid_at => NULL);

-- Names of one entity: paths go through all of them, and are shown by the one that is kept.
SELECT memory.merge_entities('Bob', 'Robert'), memory.merge_entities('Robert', 'Bobby');
SELECT pg_temp.tell('bobby', 'likes', 'Eve', 9), pg_temp.tell('Robert', 'knows', 'BOB', 9);
SELECT neighbor, predicate FROM memory.neighbors('robert');
SELECT path FROM memory.traverse(ARRAY['Cyd'], hops => 3) WHERE entity IN ('Eve', 'Fay');
SELECT path FROM memory.traverse(ARRAY['Bobby', 'Bob', 'Robert'], hops => 1);
SELECT memory.merge_entities('Bobby', 'Bob') AS "they are one already";
SELECT memory.merge_entities('Dan', 'Bob');
SELECT alias, kept FROM memory.entity_aliases WHERE namespace = 'graph' ORDER BY alias;
SELECT neighbor, predicate FROM memory.neighbors('Robert');
SELECT count(*) AS "facts are as they were asserted" FROM memory.facts('Dan');

-- Another user's graph is another one.
SELECT count(*) FROM memory.traverse(ARRAY['Ann'], user_id => 'bob');
SELECT memory.assert_fact('Ann', 'knows', 'Zoe', user_id => 'bob') IS NOT NULL AS told;
SELECT path FROM memory.traverse(ARRAY['Ann', 'Bob'], user_id => 'bob');

-- A dense graph has many more paths than are asked for: they are not all held at once, and the first
-- ones are the same however many are asked for.
SELECT memory.define_predicate('beside', 'many');
SELECT count(*) FROM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'left ' || l,
    'predicate', 'beside', 'object', 'right ' || r, 'valid_from', timestamptz '2024-01-01' + (l * 7 + r * 3) * interval '1 day'))
    FROM generate_series(1, 45) l, generate_series(1, 45) r), user_id => 'dense');
SELECT count(*), max(depth) FROM memory.traverse('{left 1}', 4, 90000, 'dense');
SELECT count(*) AS "all, if k is NULL", 45 + 45 * 44 + 45 * 44 * 44 AS "that there are", (SELECT count(*) FROM memory.traverse('{left 1}', 3, user_id => 'dense')) AS "by default" FROM memory.traverse('{left 1}', 3, NULL, 'dense');
SELECT regexp_replace(pg_read_file('/proc/self/status'), '.*VmHWM:\s+(\d+) kB.*', '\1')::int < 400 * 1024 AS fits;
SELECT count(*) AS others FROM (SELECT * FROM memory.traverse('{left 1}', 3, 1000, 'dense') WITH ORDINALITY
    EXCEPT SELECT * FROM memory.traverse('{left 1}', 3, 50000, 'dense') WITH ORDINALITY) x;

\set VERBOSITY terse
SELECT memory.neighbors(NULL);
SELECT memory.neighbors('Ann', 'up');
SELECT memory.traverse(NULL);
SELECT memory.traverse(ARRAY['Ann'], hops => 0);
SELECT memory.traverse(ARRAY['Ann'], hops => 11);
SELECT memory.traverse(ARRAY['Ann'], k => 0);
SELECT memory.merge_entities('', 'Ann');
SELECT memory.merge_entities('Ann', NULL);

DELETE FROM memory.facts WHERE namespace = 'graph';
DELETE FROM memory.timelines WHERE namespace = 'graph';
DELETE FROM memory.predicates WHERE namespace = 'graph';
DELETE FROM memory.entity_aliases WHERE namespace = 'graph';
