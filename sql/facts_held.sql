-- Facts by what they say among what was held at a time: by the index of what is held now, and by what has changed since (docs/facts.md, "Reading").
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/begun.sql
\i :source/sql/shared/blocks.sql
\i :source/sql/shared/refused.sql
SELECT memory.set_scope('ann', namespace => 'regress_held');

-- === exactly as a brute-force BM25 of what was held then has it ==============================
-- 400 people who move, some of them in each of twelve rounds; some lines end, some versions are corrected.
CREATE TEMP TABLE moments (round int, at timestamptz);
CREATE PROCEDURE pg_temp.move(round int) LANGUAGE plpgsql AS $$
DECLARE newest uuid;
BEGIN
    PERFORM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'person ' || n, 'predicate', 'lives in', 'valid_from', '2026-01-01'::timestamptz + round * interval '1 day',
            'object', format('w%s x%s town %s', left(md5((n * round)::text), 1), left(md5((n + round)::text), 2), (n + round) % 50)))
        FROM generate_series(1, 400) n WHERE round = 1 OR (n + round) % 7 = 0));
    PERFORM memory.retract_fact('person ' || 3 * round, 'lives in');
    SELECT id INTO newest FROM memory.facts('person ' || 5 * round, 'lives in', valid_at => NULL);
    PERFORM memory.correct_fact(newest, 'w1 of another kind', valid_from => '2026-01-01');
    INSERT INTO moments VALUES (round, clock_timestamp());
END $$;
DO $$ BEGIN FOR round IN 1..12 LOOP CALL pg_temp.move(round); END LOOP; END $$;
CREATE FUNCTION pg_temp.compared(words text, at timestamptz) RETURNS TABLE (matches bigint, wrong bigint) LANGUAGE sql AS $$
    SELECT count(b.id), count(*) FILTER (WHERE f.bm25_score IS DISTINCT FROM b.score)
    FROM memory.recall_facts(words, k => NULL, valid_at => NULL, known_at => at) f FULL JOIN (
        SELECT b.id, b.score FROM (SELECT array_agg(id) AS ids, array_agg(statement) AS texts FROM memory.facts
                WHERE namespace = 'regress_held' AND user_id = 'ann' AND known_from <= at AND known_until > at) held,
            memory.bm25_rank(held.ids, held.texts, words) b) b USING (id) $$;
CREATE FUNCTION pg_temp.compared() RETURNS TABLE (words text, matches bigint, wrong bigint) LANGUAGE sql AS $$
    SELECT words, sum(c.matches), sum(c.wrong) FROM unnest('{w1 xa1,lives,town 7 w3,of another kind,nothing}'::text[]) words, moments m, pg_temp.compared(words, m.at) c GROUP BY words ORDER BY words $$;
SELECT words, matches > 0 AS some, wrong FROM pg_temp.compared();
-- The same when the dead are gone from the table, from a new index, and for another session.
VACUUM ANALYZE memory.facts;
SELECT sum(wrong) AS wrong FROM pg_temp.compared();
REINDEX INDEX memory.facts_by_text;
SELECT sum(wrong) AS wrong FROM pg_temp.compared();
-- Nothing was held before the first; from the last on, what is held now.
SELECT c.* FROM unnest(ARRAY['-infinity', '2000-01-01']::timestamptz[]) at, pg_temp.compared('lives', at) c;
SELECT words, k, v IS NULL AS words_alone, (SELECT array_agg((f.id, f.score, f.bm25_score) ORDER BY n) FROM memory.recall_facts(words, v, k => k, known_at => at) WITH ORDINALITY f (id, subject, predicate, object, confidence, valid_from, valid_until, known_from, known_until, sources, metadata, user_id, score, bm25_score, vector_score, n))
    IS NOT DISTINCT FROM (SELECT array_agg((f.id, f.score, f.bm25_score) ORDER BY n) FROM memory.recall_facts(words, v, k => k) WITH ORDINALITY f (id, subject, predicate, object, confidence, valid_from, valid_until, known_from, known_until, sources, metadata, user_id, score, bm25_score, vector_score, n)) AS same
FROM unnest('{lives in town,w1}'::text[]) words, unnest('{1,5,300}'::bigint[]) k, unnest('{NULL,"[1,2]"}'::vector[]) v, (SELECT clock_timestamp() AS at) t ORDER BY 1, 2, 3;
-- What is valid counts, too, however many of the best are not.
SELECT count(*) FILTER (WHERE f.valid_from <= '2026-01-03' AND (f.valid_until > '2026-01-03' OR f.valid_until IS NULL)) AS valid, count(*) AS of FROM moments m, memory.recall_facts('lives town', k => 7, valid_at => '2026-01-03', known_at => m.at) f WHERE round = 12;

-- === with row security =======================================================================
CREATE ROLE regress_held_app;
SELECT memory.grant_access('regress_held_app', 'reader');
GRANT SELECT ON moments TO regress_held_app;
SELECT memory.protect();
SET ROLE regress_held_app;
SELECT sum(wrong) AS wrong, sum(matches) > 0 AS some FROM pg_temp.compared();
SELECT count(*) FROM memory.recall_facts('lives', user_id => 'bob', known_at => now());
RESET ROLE;
-- What a policy of the owner's hides is not answered with, and takes the place of nothing.
CREATE POLICY no_first ON memory.facts AS RESTRICTIVE TO regress_held_app USING (valid_from > '2026-01-02');
SET ROLE regress_held_app;
SELECT count(*), min(f.valid_from) FROM moments m, memory.recall_facts('lives town', k => 50, valid_at => NULL, known_at => m.at) f WHERE round = 12;
RESET ROLE;
DROP POLICY no_first ON memory.facts;
SELECT memory.unprotect();
SELECT memory.revoke_access('regress_held_app');
REVOKE SELECT ON moments FROM regress_held_app;
DROP ROLE regress_held_app;

-- === what it costs ===========================================================================
-- At most three times the blocks of the same search among what is held now, and what has changed since: of 4,000 facts 20.
SELECT count(*) FROM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'person ' || n, 'predicate', 'likes ' || n % 9, 'object', format('w%s x%s', left(md5(n::text), 1), left(md5(n::text), 3)))) FROM generate_series(1, 4000) n), 'bob');
SELECT clock_timestamp() AS before \gset
SELECT count(*) FROM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'person ' || n, 'predicate', 'likes ' || n % 9, 'object', 'w1 x1')) FROM generate_series(1, 4000, 200) n), 'bob');
VACUUM ANALYZE memory.facts;
SELECT pg_temp.blocks(format('SELECT * FROM memory.recall_facts(%L, user_id => ''bob'', known_at => %L)', words, :'before')) <= 3 * pg_temp.blocks(format('SELECT * FROM memory.recall_facts(%L, user_id => ''bob'')', words)) + 100 AS cheap
FROM unnest('{w1 xa1,likes,person 77}'::text[]) words;
-- A table without the index says what to run.
BEGIN;
DROP INDEX memory.facts_by_knowledge;
SELECT pg_temp.refused($$SELECT memory.recall_facts('w1', known_at => now())$$);
ROLLBACK;

SELECT memory.forget_user('ann') -> 'facts' AS facts, memory.forget_user('bob') -> 'facts' AS facts;
SELECT memory.set_scope();
