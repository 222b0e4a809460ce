-- What the recalls refuse, and how they say it.
\pset format unaligned
\pset footer off
\pset null NULL
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
SELECT pg_temp.refused($$SELECT * FROM memory.recall_scored('x', user_id => 'u')$$) AS "before init";
SELECT memory.init();
SELECT memory.remember('x', user_id => 'u', embedding => '[1,2,3]') IS NOT NULL AS remembered;
SELECT given, pg_temp.refused(format('SELECT * FROM memory.recall_scored(%s)', given)) AS refused FROM unnest(ARRAY[
    $$'x', user_id => ''$$,
    $$'x', k => 0, user_id => 'u'$$, $$'x', k => -1, user_id => 'u'$$, $$'x', k => 1000001, user_id => 'u'$$,
    $$'x', skip => -1, user_id => 'u'$$, $$'x', skip => 9223372036854775807, user_id => 'u'$$, $$'x', k => NULL, skip => NULL, user_id => 'u'$$,
    $$'x', model => '', user_id => 'u'$$, format('''x'', model => %L, user_id => ''u''', repeat('m', 513)), $$'x', rrf_k => -1, user_id => 'u'$$, $$'x', rrf_k => 1000001, user_id => 'u'$$,
    $$'x', alpha => -0.1, user_id => 'u'$$, $$'x', alpha => 1.1, user_id => 'u'$$, $$'x', alpha => 'NaN', user_id => 'u'$$,
    $$'x', diversity => 1.5, user_id => 'u'$$, $$'x', diversity => 'NaN', user_id => 'u'$$,
    $$'x', min_relevance => 2, user_id => 'u'$$, $$'x', min_relevance => 'NaN', user_id => 'u'$$,
    $$'x', context_weight => -1, user_id => 'u'$$, $$'x', context_weight => 'NaN', user_id => 'u'$$,
    $$'x', half_life => '0', user_id => 'u'$$, $$'x', half_life => '-1 day', user_id => 'u'$$,
    $$'x', embedding => '[0,0,0]', user_id => 'u'$$, $$'x', embedding => '[NaN,0,0]', user_id => 'u'$$,
    $$'x', embedding => '[1,2]', user_id => 'u'$$,
    $$'x', fusion => 'RRF', user_id => 'u'$$, $$'x', fallback => 'newest', user_id => 'u'$$,
    $$'x', since => '2026-02-01', until => '2026-01-01', user_id => 'u'$$,
    $$'x', kinds => '{a,NULL}', user_id => 'u'$$,
    $$'x', filter => '[1]', user_id => 'u'$$, $$'x', filter => '7', user_id => 'u'$$,
    $$'x', filter => '{"$path": 7}', user_id => 'u'$$, $$'x', filter => '{"$path": "$.a >"}', user_id => 'u'$$]) given;
SELECT given, pg_temp.refused(format('SELECT * FROM memory.recall_semantic(%s)', given)) AS refused FROM unnest(ARRAY[
    $$NULL$$, $$'[0,0]', user_id => 'u'$$, $$'[1,2]', user_id => 'u'$$, $$'[1,2,3]', k => 0, user_id => 'u'$$,
    $$'[1,2,3]', model => '', user_id => 'u'$$,
    $$'[1,2,3]', threshold => 1.5, user_id => 'u'$$, $$'[1,2,3]', threshold => 'NaN', user_id => 'u'$$]) given;
SELECT given, pg_temp.refused(format('SELECT * FROM memory.recall(%s)', given)) AS refused FROM unnest(ARRAY[
    $$'x', 0, 'u'$$, $$'x', 5, 'u', '2026-02-01', '2026-01-01'$$]) given;
SELECT pg_temp.refused($$SELECT memory.remember('x', user_id => 'u', embedding => '[1]', model => '')$$) AS refused;
SELECT pg_temp.refused($$SELECT memory.remember_many('[{"content": "x", "model": ""}]', user_id => 'u')$$) AS refused;
SELECT pg_temp.refused($$SELECT memory.explain_recall(NULL, 'x', user_id => 'u')$$) AS refused;
SELECT given, pg_temp.refused(format('SELECT memory.create_vector_index(%s)', given)) AS refused FROM unnest(ARRAY[
    $$0$$, $$16001$$, $$4$$]) given;
-- Declared dimensions are those of the model, whatever is stored.
SET memory.embedding_model = 'declared';
SELECT memory.init(5);
SELECT pg_temp.refused($$SELECT * FROM memory.recall_scored(embedding => '[1,2]', user_id => 'u')$$) AS refused;
RESET memory.embedding_model;
-- Without its index there is no recall, and it says what to run.
DROP INDEX memory.episodes_by_text;
SELECT pg_temp.refused($$SELECT * FROM memory.recall_scored('x', user_id => 'u')$$) AS refused;
SELECT memory.init();
-- Any string is a legal query.
SELECT count(*) AS queries, sum(found) AS found FROM unnest(ARRAY['', ' ', '%', '''', '"', '(', '+x', '-x', 'x*', '\', E'\u0301', repeat('x ', 30000), '\x00', '😀']) query,
    LATERAL (SELECT count(*) FROM memory.recall_scored(query, user_id => 'u', fallback => 'none') WHERE query ~ '\S') f (found);
-- A caller who may read nothing.
CREATE ROLE regress_recall_nobody;
SET ROLE regress_recall_nobody;
SELECT pg_temp.refused($$SELECT * FROM memory.recall_scored('x', user_id => 'u')$$) AS refused;
RESET ROLE;
GRANT USAGE ON SCHEMA memory TO regress_recall_nobody;
SET ROLE regress_recall_nobody;
SELECT pg_temp.refused($$SELECT * FROM memory.recall_scored('x', user_id => 'u')$$) AS refused;
SELECT pg_temp.refused($$SELECT * FROM memory.recall_scored('no such word', user_id => 'u')$$) AS refused;
SELECT pg_temp.refused($$SELECT * FROM memory.recall_semantic('[1,2,3]', user_id => 'u')$$) AS refused;
SELECT pg_temp.refused($$SELECT memory.explain_recall('00000000-0000-0000-0000-000000000001', 'x', user_id => 'u')$$) AS refused;
RESET ROLE;
REVOKE USAGE ON SCHEMA memory FROM regress_recall_nobody;
DROP ROLE regress_recall_nobody;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
