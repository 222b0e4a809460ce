-- What ranks words beyond BM25 (coverage, terms, roles, evidence, dates, names, order), against its definition in SQL over all rows of a user: with
-- each set of switches, through the index and where row security applies.
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/fresh.sql
SET memory.fuzzy = off; -- recall_fuzzy.sql
SELECT setseed(0.23);
CREATE TEMP TABLE sizes (who text, episodes int);
INSERT INTO sizes VALUES ('one', 1), ('few', 9), ('some', 120), ('more', 450), ('long', 40);
-- Each word is one term.
CREATE FUNCTION pg_temp.word(n int) RETURNS text LANGUAGE sql RETURN 'zx' || translate(n::text, '0123456789', 'abcdfghjkl');
CREATE FUNCTION pg_temp.words(n int) RETURNS text LANGUAGE sql VOLATILE
    RETURN (SELECT string_agg(pg_temp.word(floor(90 * random() ^ 2)::int), ' ') FROM generate_series(1, n));
-- A part of the sessions is about something: their rows share words. Ids are given, and what changes is chosen by them: every run has the same rows.
INSERT INTO memory.episodes (id, user_id, session_id, role, content, metadata, occurred_at, expires_at)
SELECT ('01900000-0000-7000-8000-' || lpad((1000 * array_position('{one,few,some,more,long}'::text[], who) + i)::text, 12, '0'))::uuid, who, CASE WHEN i % 10 > 0 THEN 's' || i / 15 END, (ARRAY['user', 'assistant', NULL])[1 + i % 3],
    pg_temp.words(1 + i % 9 + CASE who WHEN 'long' THEN 76 ELSE 0 END) || CASE WHEN i / 15 % 3 = 0 AND i % 2 = 0 THEN ' ' || pg_temp.word(60 + i / 15 % 7) ELSE '' END
        || CASE i % 11 WHEN 0 THEN ' zxb zxda' WHEN 1 THEN ' zxda zxc' WHEN 2 THEN ' zxda zxb zxda' ELSE '' END,
    CASE WHEN i % 5 < 3 THEN jsonb_build_object('speaker', initcap(pg_temp.word(i % 3)) || ' ' || pg_temp.word(30 + i % 5)) ELSE '{"speaker": 7}' END, timestamptz '2026-01-01' + (i / 2) * interval '45 minutes', CASE WHEN i % 17 = 0 THEN timestamptz '2026-01-01' END
FROM sizes, generate_series(1, episodes) i;
VACUUM ANALYZE memory.episodes;
DELETE FROM memory.episodes WHERE id IN (SELECT id FROM memory.episodes ORDER BY hashtext(content), id LIMIT 60);
UPDATE memory.episodes SET content = pg_temp.words(4) WHERE hashtext(id::text) % 19 = 3;

CREATE TEMP TABLE questions (asked text, weight float8);
INSERT INTO questions VALUES ('zxa', 1), ('zxb zxda zxc', 1), ('zxd zxd zxfa', 1), ('zxhb zxg zxka zxja', 1), ('zxhc zxl', 0.5), ('zxb zxda zxc', 0), ('zxj nothing', 1), ('zxd assistant', 1), ('zxf zxba January 1, 2026', 1);
-- What does not depend on the signals: the rows that count, with their places in their sessions, and what each term of a question adds to BM25.
CREATE TEMP TABLE alive AS SELECT user_id AS who, e.id, role, regexp_split_to_array(lower(concat_ws(' ', metadata ->> 'speaker', role)), ' ') AS names, session_id, occurred_at, memory_internal.episode_text(content, response) AS body,
    array_length(string_to_array(content, ' '), 1) AS length, row_number() OVER (PARTITION BY user_id, session_id ORDER BY occurred_at, e.id) AS n
    FROM memory.episodes e WHERE expires_at IS NULL OR expires_at > statement_timestamp();
CREATE TEMP TABLE parts AS
WITH terms AS (SELECT asked, term, count(*) AS times FROM (SELECT DISTINCT asked FROM questions) q, regexp_split_to_table(asked, ' ') term GROUP BY 1, 2),
    texts AS MATERIALIZED (SELECT who, count(*) AS episodes, array_agg(id ORDER BY id) AS ids, array_agg(body ORDER BY id) AS bodies FROM alive GROUP BY 1)
SELECT who, asked, term, b.id, b.score AS part, times * ln(1 + (episodes - count(*) OVER same + 0.5) / (count(*) OVER same + 0.5)) AS weight
FROM texts, terms, memory.bm25_rank(ids, bodies, repeat(term || ' ', times::int)) b WINDOW same AS (PARTITION BY who, asked, term);
-- BM25 to the last bit, which decides between rows whose sums of parts are equal on paper alone.
CREATE TEMP TABLE exact AS SELECT who, asked, b.id, b.score FROM (SELECT DISTINCT asked FROM questions) q,
    (SELECT who, array_agg(id ORDER BY id) AS ids, array_agg(body ORDER BY id) AS bodies FROM alive GROUP BY 1) t, memory.bm25_rank(ids, bodies, asked) b;

-- The rows that are ranked anew, with what they have then.
CREATE FUNCTION pg_temp.by_definition(who text, asked text, weight float8, signals text) RETURNS TABLE (id uuid, final float8, is_best boolean, coverage float8, evidence float8, lent float8, own float8)
LANGUAGE sql STABLE AS $$
    WITH alive AS MATERIALIZED (SELECT * FROM pg_temp.alive a WHERE a.who = by_definition.who),
    parts AS MATERIALIZED (SELECT p.id, term, part, p.weight FROM pg_temp.parts p WHERE p.who = by_definition.who AND p.asked = by_definition.asked),
    shortness AS MATERIALIZED (SELECT least(1, greatest(0, (100 - avg(length)) / 40))::float8 AS short FROM alive),
    scores AS MATERIALIZED (
        SELECT p.id, sum(part) AS bm25,
            CASE WHEN signals ~ 'coverage' THEN 1 - (SELECT short FROM shortness) + (SELECT short FROM shortness) * sqrt(sum(p.weight) / (SELECT sum(w.weight) FROM (SELECT DISTINCT term, parts.weight FROM parts) w)) ELSE 1 END AS coverage
        FROM parts p GROUP BY 1),
    best AS MATERIALIZED (SELECT e.id FROM exact e JOIN alive a USING (id) WHERE e.who = by_definition.who AND e.asked = by_definition.asked ORDER BY e.score DESC, occurred_at DESC, e.id LIMIT 64),
    pairs AS MATERIALIZED (
        SELECT a.id AS row, a.role AS role, b.id AS beside, b.role AS role_beside, b.n - a.n AS steps FROM alive a JOIN alive b ON b.session_id = a.session_id AND abs(a.n - b.n) BETWEEN 1 AND 2
        WHERE by_definition.weight > 0 AND (a.id IN (SELECT best.id FROM best) OR b.id IN (SELECT best.id FROM best))),
    pool AS MATERIALIZED (SELECT a.* FROM alive a WHERE a.id IN (SELECT best.id FROM best UNION SELECT row FROM pairs)),
    asked_pairs AS MATERIALIZED (SELECT DISTINCT words[n] AS one, words[n + 1] AS other FROM regexp_split_to_array(asked, ' ') words, generate_series(1, cardinality(words) - 1) n WHERE words[n] <> words[n + 1]),
    own AS MATERIALIZED (
        SELECT p.id, session_id, term, part * coverage * (1 + 0.3 * (SELECT short FROM shortness) * CASE WHEN signals ~ 'order' AND p.id IN (SELECT best.id FROM best)
            THEN (SELECT count(*) FROM asked_pairs WHERE term IN (one, other) AND ' ' || body || ' ' LIKE '% ' || one || ' ' || other || ' %') ELSE 0 END) AS own
        FROM parts p JOIN scores USING (id) JOIN pool USING (id)),
    totals AS MATERIALIZED (SELECT o.id, session_id, sum(own) AS own FROM own o GROUP BY 1, 2),
    mean AS (SELECT sum(bm25) / (SELECT count(*) FROM alive) AS mean FROM scores),
    evidence AS MATERIALIZED (
        SELECT CASE WHEN signals ~ 'evidence' THEN coalesce(least(1, greatest(0, (50 * mean + coalesce(sum(coalesce(bm25, 0)), 0) - sqrt(coalesce(var_pop(coalesce(bm25, 0)) FILTER (WHERE p.row IS NOT NULL), 0) * count(p.row))) / (20 + count(p.row)) / mean - 1)), 1) ELSE 1 END AS evidence
        FROM mean LEFT JOIN pairs p ON row IN (SELECT best.id FROM best) LEFT JOIN scores s ON s.id = p.beside GROUP BY mean),
    by_term AS (
        SELECT row AS id, max(own * CASE WHEN signals ~ 'roles' AND steps = 1 AND role = 'user' AND role_beside <> 'user' THEN 0.5 WHEN abs(steps) = 1 THEN 0.4 ELSE 0.2 END) AS lent
        FROM pairs JOIN own o ON o.id = beside GROUP BY row, term
        UNION ALL SELECT p.id, 0.2 * max(own) FROM pool p JOIN own o ON o.session_id = p.session_id AND o.id <> p.id GROUP BY p.id, term),
    whole AS (
        SELECT row AS id, 0.2 * own AS lent FROM pairs JOIN totals t ON t.id = beside WHERE abs(steps) = 1
        UNION ALL SELECT p.id, 0.3 * max(own) FROM pool p JOIN totals t ON t.session_id = p.session_id AND t.id <> p.id GROUP BY 1),
    lent AS (SELECT l.id, sum(l.lent) AS lent FROM (SELECT * FROM by_term WHERE signals ~ 'terms' UNION ALL SELECT * FROM whole WHERE signals !~ 'terms') l WHERE by_definition.weight > 0 GROUP BY 1),
    summed AS (
        SELECT p.id, p.occurred_at, coalesce(t.own, 0) AS own, e.evidence * by_definition.weight * coalesce(l.lent, 0) AS lent, e.evidence,
            CASE WHEN signals ~ 'dates' AND asked ~ 'January 1, 2026' AND p.occurred_at::date = '2026-01-01' THEN 1.5 ELSE 1 END
                * CASE WHEN signals ~ 'names' AND EXISTS (SELECT FROM unnest(p.names) name WHERE name = ANY (regexp_split_to_array(asked, ' ')) AND name <> ALL (string_to_array(p.body, ' '))) THEN 1.3 ELSE 1 END AS lift
        FROM evidence e, pool p LEFT JOIN totals t USING (id) LEFT JOIN lent l USING (id)),
    ranked AS (
        SELECT *, lift * (own + lent) AS score, max(lift * (own + lent)) OVER () AS most, row_number() OVER (ORDER BY round((lift * own)::numeric, 9) DESC, occurred_at DESC, summed.id) = 1 AS is_first,
            row_number() OVER (ORDER BY round((lift * (own + lent))::numeric, 9) DESC, occurred_at DESC, summed.id) = 1 AS leads FROM summed WHERE own + lent > 0)
    SELECT r.id, CASE WHEN is_first AND NOT leads AND most <= 1.1 * score THEN 1.15 * most ELSE score END, EXISTS (SELECT FROM best WHERE best.id = r.id), s.coverage, r.evidence, r.lent, r.own
    FROM ranked r LEFT JOIN scores s ON s.id = r.id
$$;

CREATE TEMP TABLE switches (signals text);
INSERT INTO switches VALUES ('none'), ('all'), ('coverage'), ('terms'), ('evidence'), ('coverage, terms, roles'), ('terms,roles,evidence'), ('coverage,evidence'), ('dates'), ('terms,dates'), ('names'), ('coverage,names,dates'), ('order'), ('terms,order,coverage');
-- Rows that are ranked anew, whose scores differ, and which are not where they belong. Without any signal the index's order and what was lent before remain.
CREATE FUNCTION pg_temp.differences() RETURNS TABLE (signals text, rows bigint, wrong bigint) LANGUAGE plpgsql AS $$
BEGIN
    FOR signals IN SELECT s.signals FROM switches s WHERE s.signals <> 'none' LOOP
        PERFORM set_config('memory.recall_signals', signals, false);
        SELECT count(*), count(*) FILTER (WHERE x.score IS NULL OR abs(x.score - x.final / nullif(x.most, 0)) > 1e-9) INTO rows, wrong FROM (
            SELECT d.*, max(final) OVER (PARTITION BY who, asked, weight) AS most FROM sizes CROSS JOIN questions CROSS JOIN LATERAL (
                SELECT y.*, r.score FROM pg_temp.by_definition(who, asked, weight, CASE differences.signals WHEN 'all' THEN 'coverage terms roles evidence dates names order' ELSE differences.signals END) y
                    LEFT JOIN memory.recall_scored(asked, user_id => who, k => 100000, context_weight => weight) r ON r.id = y.id) d) x;
        RETURN NEXT;
    END LOOP;
    RESET memory.recall_signals;
END $$;
SELECT signals, rows > 1000, wrong FROM pg_temp.differences();
-- BM25 is as it was, and so are relevance and min_relevance; the same rows answer.
CREATE FUNCTION pg_temp.owns() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT r::text FROM sizes, questions, LATERAL (SELECT id, round(relevance::numeric, 9), round(bm25_score::numeric, 9), bm25_rank
        FROM memory.recall_scored(asked, user_id => who, k => 100000, context_weight => 0, min_relevance => 0.2)) r $$;
SET memory.recall_signals = none;
CREATE TEMP TABLE owns AS SELECT o FROM pg_temp.owns() o;
RESET memory.recall_signals;
SELECT count(*) > 200, (SELECT count(*) FROM (SELECT o FROM pg_temp.owns() o EXCEPT ALL TABLE owns) x) FROM owns;
-- What explain_recall says adds up.
SELECT count(*) > 30, count(*) FILTER (WHERE abs(terms.own - (x #>> '{lexical,own}')::float8) > 1e-9 OR abs(terms.lent * (x #>> '{lexical,evidence}')::float8 - (x #>> '{lexical,lends}')::float8) > 1e-9
    OR abs(d.own - (x #>> '{lexical,own}')::float8) > 1e-9 OR abs(d.coverage - (x #>> '{lexical,coverage}')::float8) > 1e-9 OR abs(d.evidence - (x #>> '{lexical,evidence}')::float8) > 1e-9 OR abs(d.lent - (x #>> '{lexical,lends}')::float8) > 1e-9) AS wrong
FROM pg_temp.by_definition('more', 'zxhb zxg zxka zxja', 1, 'coverage terms roles evidence') d, memory.explain_recall(d.id, 'zxhb zxg zxka zxja', user_id => 'more') x,
    LATERAL (SELECT coalesce(sum((t ->> 'own')::float8), 0) AS own, coalesce(sum((t ->> 'lent')::float8), 0) AS lent FROM jsonb_path_query(x, '$.lexical.terms[*]') t) terms
WHERE d.coverage IS NOT NULL;
SET memory.recall_signals = 'all';
SELECT count(*) FILTER (WHERE more > 0) > 5, count(*) FILTER (WHERE abs((x #>> '{lexical,order}')::float8 - more) > 1e-9) AS wrong
FROM (SELECT d.id, d.own - e.own AS more FROM pg_temp.by_definition('some', 'zxb zxda zxc', 1, 'coverage order') d JOIN pg_temp.by_definition('some', 'zxb zxda zxc', 1, 'coverage') e USING (id)) d,
    memory.explain_recall(d.id, 'zxb zxda zxc', user_id => 'some') x WHERE x #> '{lexical,order}' IS NOT NULL;
SELECT count(*) FILTER (WHERE named) > 5, count(*) FILTER (WHERE (x #>> '{lexical,names}')::float8 <> CASE WHEN named THEN 1.3 ELSE 1 END) AS wrong
FROM (SELECT id, EXISTS (SELECT FROM unnest(names) name WHERE name IN ('zxb', 'zxda', 'zxc') AND name <> ALL (string_to_array(body, ' '))) AS named FROM alive WHERE who = 'some') a, memory.explain_recall(a.id, 'zxb zxda zxc', user_id => 'some') x WHERE x #> '{lexical,names}' IS NOT NULL;
RESET memory.recall_signals;

-- Where row security applies rows come by statements: the same answers.
SET memory.recall_signals = 'all';
CREATE TEMP TABLE answers AS SELECT who, asked, weight, r.id, r.score FROM sizes, questions, LATERAL memory.recall_scored(asked, user_id => who, k => 100, context_weight => weight) r;
CREATE ROLE regress_recall_reader;
SELECT memory.grant_access('regress_recall_reader', 'reader');
GRANT SELECT ON sizes, questions, answers TO regress_recall_reader;
ALTER TABLE memory.episodes ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON memory.episodes FOR SELECT TO regress_recall_reader USING (true);
SET ROLE regress_recall_reader;
SELECT count(*) > 500, count(*) FILTER (WHERE a.score IS DISTINCT FROM r.score) FROM answers a
    FULL JOIN (SELECT who, asked, weight, r.id, r.score FROM sizes, questions, LATERAL memory.recall_scored(asked, user_id => who, k => 100, context_weight => weight) r) r USING (who, asked, weight, id);
RESET ROLE;
RESET memory.recall_signals;
DROP POLICY everybody ON memory.episodes;
ALTER TABLE memory.episodes DISABLE ROW LEVEL SECURITY;
SELECT memory.revoke_access('regress_recall_reader');
REVOKE ALL ON sizes, questions, answers FROM regress_recall_reader;
DROP ROLE regress_recall_reader;

-- The setting.
SET memory.recall_signals = 'coverage,roles , evidence';
SET memory.recall_signals = 'coverage,role';
SET memory.recall_signals = '';
SHOW memory.recall_signals;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
