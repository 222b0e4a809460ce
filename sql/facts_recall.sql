-- Facts by what they say: text, vectors, both; among what was believed at any time.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET timezone = 'UTC';
SELECT memory.set_scope('ann', namespace => 'facts_recall');
SELECT count(memory.assert_fact(s, p, o, valid_from => '2026-01-01'::timestamptz + d * interval '1 day', embedding => v::vector))
FROM (VALUES ('Ann', 'lives_in', 'Paris', 0, '[1,0]'), ('Ann', 'lives in', 'Rome', 5, '[0,1]'), ('Bob', 'works at', 'Acme in Paris', 2, '[1,1]'),
             ('Cyd', 'likes', 'green tea', 1, '[-1,0]'), ('Ann', 'likes', 'Paris', 3, NULL)) t (s, p, o, d, v);
CREATE FUNCTION pg_temp.shown(f memory.recalled_fact) RETURNS text LANGUAGE sql AS
    $$ SELECT concat_ws(' ', f.subject, f.predicate, f.object, round(f.score::numeric, 4), 'text', round(f.bm25_score::numeric, 4), 'vector', round(f.vector_score::numeric, 4)) $$;

-- By text, exactly as a brute-force BM25 of the user's current facts has it; what holds now only, or at any time.
SELECT pg_temp.shown(f) FROM memory.recall_facts('Who lives in Paris?') f;
SELECT pg_temp.shown(f) FROM memory.recall_facts('paris', valid_at => NULL) f;
SELECT bool_and(f.bm25_score = b.score) AS exact, count(*) FROM memory.recall_facts('lives in paris', valid_at => NULL, k => 100) f JOIN (
    SELECT b.* FROM (SELECT array_agg(id) AS ids, array_agg(statement) AS texts FROM memory.facts WHERE namespace = 'facts_recall' AND known_until = 'infinity') c,
        memory.bm25_rank(c.ids, c.texts, 'lives in paris') b) b USING (id);
SELECT pg_temp.shown(f) FROM memory.recall_facts('works', k => 1) f;
SELECT count(*) FROM memory.recall_facts('nothing of the kind');
SELECT count(*) FROM memory.recall_facts('"*+-(');

-- Of equal scores the newest come first, however many there are: here among 1,500, of which the index gives the oldest first.
SELECT count(memory.assert_fact('city ' || n, 'has', 'a mayor', 'ties', '2026-01-01'::timestamptz + n * interval '1 minute'))
FROM generate_series(1, 1500) n;
SELECT array_agg(f.valid_from - '2026-01-01' ORDER BY f.score DESC) AS newest, count(DISTINCT bm25_score) AS scores FROM memory.recall_facts('mayor', user_id => 'ties') f;
SELECT count(*) FROM memory.recall_facts('mayor', user_id => 'ties', k => 1490);
-- So a vector beside it changes nothing where it is the same for all.
SELECT count(memory.assert_fact('city ' || n, 'has', 'a mayor', 'ties', '2026-01-01'::timestamptz + n * interval '1 minute', embedding => '[1,0]'))
FROM generate_series(1, 1500) n;
SELECT array_agg(f.subject ORDER BY f.score DESC) AS newest FROM memory.recall_facts('mayor', '[1,0]', user_id => 'ties') f;
SELECT query, embedding, count(*) AS "all, if k is NULL" FROM (VALUES ('mayor', NULL), (NULL, '[1,0]'), ('mayor', '[1,0]'), (NULL, NULL)) v (query, embedding),
    LATERAL memory.recall_facts(query, embedding::vector, k => NULL, user_id => 'ties') GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(*) AS "then, too" FROM memory.recall_facts('mayor', k => NULL, user_id => 'ties', known_at => clock_timestamp());

-- By vectors, and by both; what points away gets no credit.
SELECT pg_temp.shown(f) FROM memory.recall_facts(NULL, '[1,0]', valid_at => NULL) f;
SELECT pg_temp.shown(f) FROM memory.recall_facts('tea paris', '[1,0.5]', valid_at => NULL) f;
-- A vector is of what is said: versions that say it share it.
SELECT memory.retract_fact('Bob', 'works at', valid_from => '2026-01-04', valid_until => '2026-01-05');
SELECT pg_temp.shown(f), f.valid_from::date FROM memory.recall_facts(NULL, '[1,1]', valid_at => NULL, k => 2) f;

-- Neither: the newest.
SELECT pg_temp.shown(f) FROM memory.recall_facts(' ', k => 3) f;

-- As it was believed then, among what was believed then.
SELECT clock_timestamp() AS then \gset
SELECT memory.reject_fact('Cyd', 'likes', 'green tea');
SELECT count(*) FROM memory.recall_facts('tea');
SELECT pg_temp.shown(f) FROM memory.recall_facts('tea', known_at => :'then') f;
SELECT pg_temp.shown(f) FROM memory.recall_facts('tea', '[-1,0]', known_at => :'then') f;
SELECT pg_temp.shown(f) FROM memory.recall_facts('', known_at => :'then', k => 1) f;

-- From what a query finds into the graph.
SELECT path FROM memory.recall_graph('rome', hops => 1);
SELECT path FROM memory.recall_graph('acme');
SELECT path FROM memory.recall_graph('tea', known_at => :'then');
SELECT count(*) FROM memory.recall_graph('nothing of the kind');
-- From each city to the mayor and back again: all paths from all facts, if k is NULL.
SELECT count(*), (SELECT count(*) FROM memory.recall_graph('mayor', 1, user_id => 'ties')) AS "by default" FROM memory.recall_graph('mayor', 1, k => NULL, user_id => 'ties');

-- Another user's facts are neither found nor counted.
SELECT count(memory.assert_fact('Ann', 'likes', 'tea ' || n, 'bob')) FROM generate_series(1, 30) n;
SELECT count(*) FROM memory.recall_facts('tea');
SELECT pg_temp.shown(f) FROM memory.recall_facts('rome') f;

\set VERBOSITY terse
SELECT memory.recall_facts('a', '[1,2,3]');
SELECT memory.recall_facts('a', k => 0);
SELECT memory.recall_graph(NULL);
SELECT memory.recall_graph('a', hops => 11);
SELECT * FROM memory.verify_index('memory.facts_by_text');

-- Declared dimensions are those of facts' vectors, too.
SET memory.embedding_model = 'of test facts_recall';
SELECT memory.assert_fact('Dee', 'likes', 'maps', embedding => '[1,2]') IS NOT NULL AS asserted;
SELECT memory.init(3);
SELECT memory.init(2);
SELECT memory.assert_fact('Dee', 'likes', 'globes', embedding => '[1,2,3]');
DELETE FROM memory.models WHERE model = 'of test facts_recall';

DELETE FROM memory.facts WHERE namespace = 'facts_recall';
DELETE FROM memory.timelines WHERE namespace = 'facts_recall';
DELETE FROM memory.rejections WHERE namespace = 'facts_recall';
DELETE FROM memory.fact_embeddings WHERE namespace = 'facts_recall';
