-- recall_scored by an index of codes beside comparing all vectors: the same rows with the same cosines, words and first ranks. The weights of the
-- arms follow what all cosines are like, which codes estimate: so scores may differ by a few percent, and rows whose scores are as near as
-- that may change places.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT count(*) >= 0 FROM memory.init();
SET search_path = public, memory;
SELECT set_config('memory.user_id', 'cody', false);
ALTER TABLE memory.embeddings SET (autovacuum_enabled = off);

-- 2,400 rows in sessions of 8 around 300 directions, of a model whose cosines are all above 0 and of one whose are not.
CREATE FUNCTION pg_temp.vector_of(cluster int, n int, shared float8) RETURNS vector LANGUAGE sql AS
    $$ SELECT array_agg((shared + sin(cluster * 12.9898 + i * i * 0.37 + cluster * i * 1.7) + 0.8 * sin(n * 78.233 + i * i * 1.13 + n * i * 0.31))::real ORDER BY i)::vector FROM generate_series(1, 300) i $$;
SELECT count(*) FROM generate_series(0, 2399) n, LATERAL memory.remember('note ' || n % 97 || ' of ' || md5((n / 8)::text), session_id => 's' || n / 8, user_id => 'cody', role => CASE WHEN n % 2 = 0 THEN 'user' END,
    embedding => pg_temp.vector_of(n / 8, n, 0.5), metadata => jsonb_build_object('n', n % 5), kind => CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END,
    importance => CASE WHEN n % 7 = 0 THEN 0.5 ELSE 1 END, occurred_at => '2026-01-01'::timestamptz + n * interval '1 hour');
INSERT INTO memory.embeddings (user_id, episode_id, model, embedding)
    SELECT user_id, id, 'straddling', pg_temp.vector_of((row_number() OVER (ORDER BY id))::int / 8, (row_number() OVER (ORDER BY id))::int, 0) FROM memory.episodes WHERE user_id = 'cody';
SELECT count(*) FROM memory.remember('another''s note 3', user_id => 'dora', embedding => pg_temp.vector_of(3, 150, 0.5));

CREATE TABLE asked AS SELECT q, 'note ' || q * 13 % 97 || CASE WHEN q % 3 = 0 THEN ' ' || md5((q * 7 % 300)::text) ELSE '' END AS words, model,
    pg_temp.vector_of(q * 7 % 300, 10000 + q, CASE model WHEN 'straddling' THEN 0 ELSE 0.5 END) AS v FROM generate_series(1, 6) q, unnest('{default,straddling}'::text[]) model;
CREATE TABLE calls AS SELECT row_number() OVER () AS c, x.* FROM (VALUES
    (true, 5::bigint, NULL::float8, 'blend', NULL::interval, 1::float8, 0::float8, 0::float8, 0::bigint), (true, 30, 0.35, 'blend', NULL, 1, 0, 0, 0), (true, 10, 0.35, 'blend', NULL, 0, 0, 0, 0), (true, 10, 0.8, 'blend', NULL, 1, 0, 0, 20),
    (false, 10, NULL, 'blend', NULL, 1, 0, 0, 0), (false, 10, NULL, 'blend', NULL, 0, 0.5, 0, 0), (true, 10, 0.5, 'rrf', NULL, 0, 0, 0, 0), (true, 10, 0.5, 'rrf', NULL, 1, 0, 0, 0), (false, 10, NULL, 'rrf', NULL, 0, 0, 0, 0),
    (true, 10, 0.5, 'rrf_replicated', NULL, 0, 0, 0, 0), (true, 10, 0.35, 'blend', interval '10 days', 1, 0, 0, 0), (false, 10, NULL, 'blend', interval '3 days', 0, 0, 0, 0), (true, 10, 0.35, 'blend', NULL, 0, 0.6, 0, 0), (true, 10, 0.35, 'blend', NULL, 0, 0, 0.3, 0)
    ) x (with_words, k, alpha, fusion, half_life, context_weight, min_relevance, diversity, skip);
CREATE FUNCTION pg_temp.answers(only_kind text DEFAULT NULL, questions int DEFAULT 6) RETURNS TABLE (q int, model text, c bigint, place bigint, id uuid, score float8, relevance float8, bm25_score float8, vector_score float8, bm25_rank int, vector_rank int) LANGUAGE sql AS $$
    SELECT q, model, c, r.place, r.id, r.score, r.relevance, r.bm25_score, r.vector_score, r.bm25_rank, r.vector_rank FROM asked a, calls x,
        LATERAL memory.recall_scored(CASE WHEN with_words THEN words END, v, k, alpha => alpha, fusion => fusion, half_life => half_life, context_weight => context_weight, min_relevance => min_relevance, diversity => diversity, skip => skip,
            model => a.model, kinds => CASE WHEN only_kind IS NULL THEN NULL ELSE ARRAY[only_kind] END)
            WITH ORDINALITY r (id, a1, a2, a3, a4, a5, a6, a7, a8, a9, score, relevance, bm25_score, vector_score, bm25_rank, vector_rank, match, place) WHERE q <= questions $$;
-- How two sets of answers differ: rows at a place whose scores are not as near as a tenth; numbers of a row that are the row's own, and of its
-- first ranks; all others by how much at most.
CREATE FUNCTION pg_temp.compare(one text, other text, OUT answers bigint, OUT at_other_places bigint, OUT of_other_numbers bigint, OUT most_off numeric, OUT apart bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*), count(*) FILTER (WHERE a.id IS DISTINCT FROM b.id AND (a.id IS NULL OR b.id IS NULL OR abs(a.score - b.score) > 0.1 * a.score)), max(abs(a.score - b.score) / a.score)::numeric(6,4), count(*) FILTER (WHERE a.id IS DISTINCT FROM b.id)
        FROM %I a FULL JOIN %I b USING (q, model, c, place)', one, other) INTO answers, at_other_places, most_off, apart;
    EXECUTE format('SELECT count(*) FROM %I a JOIN %I b USING (q, model, c, id) WHERE (a.relevance, a.bm25_score, a.vector_score, a.bm25_rank) IS DISTINCT FROM (b.relevance, b.bm25_score, b.vector_score, b.bm25_rank)
        OR (a.vector_rank <= 64 OR b.vector_rank <= 64 OR a.vector_rank IS NULL OR b.vector_rank IS NULL) AND a.vector_rank IS DISTINCT FROM b.vector_rank
        OR abs(a.vector_rank - b.vector_rank) > 20 + 0.2 * a.vector_rank', one, other) INTO of_other_numbers;
END $$;

-- The weight of the vectors in each call, and between which it is said to be.
CREATE FUNCTION pg_temp.weights(of text) RETURNS TABLE (q int, model text, c bigint, weight float8, lowest float8, highest float8) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT q, model, c, (e ->> %L)::float8, (e ->> %L)::float8, (e ->> %L)::float8 FROM %I b JOIN asked a USING (q, model) JOIN calls USING (c),
        LATERAL memory.explain_recall(id, CASE WHEN with_words THEN words END, v, k, alpha => alpha, fusion => fusion, half_life => half_life, context_weight => context_weight, min_relevance => min_relevance, diversity => diversity, skip => skip, model => a.model) e
        WHERE place = 1 AND fusion = %L', 'vector_weight', 'vector_weight_least', 'vector_weight_most', of, 'blend');
END $$;

DROP INDEX memory.embeddings_by_code;
CREATE TABLE all_compared AS SELECT * FROM pg_temp.answers();
CREATE TABLE exact_weights AS SELECT * FROM pg_temp.weights('all_compared');
CREATE TABLE all_of_kind AS SELECT * FROM pg_temp.answers('odd', 2);
CREATE INDEX embeddings_by_code ON memory.embeddings USING recall (namespace, user_id, model, embedding);
CREATE TABLE by_codes AS SELECT * FROM pg_temp.answers();
CREATE TABLE by_codes_of_kind AS SELECT * FROM pg_temp.answers('odd', 2);
SELECT answers, at_other_places, of_other_numbers, most_off < 0.1 AS scores_are_near, apart < answers / 50 AS few_change_places FROM pg_temp.compare('all_compared', 'by_codes');
-- The weight of the vectors is within what is said of it, and so is each score: what a row has of an arm is a share, and off by no more than .002 by what the floor is off.
CREATE TABLE coded_weights AS SELECT * FROM pg_temp.weights('by_codes');
SELECT count(*) AS calls, count(*) FILTER (WHERE x.weight NOT BETWEEN w.lowest - 1e-9 AND w.highest + 1e-9) AS outside, count(*) FILTER (WHERE w.weight NOT BETWEEN w.lowest AND w.highest) AS wrong, count(x.lowest) AS said_of_exact
FROM exact_weights x JOIN coded_weights w USING (q, model, c);
SELECT count(*) > 1000 AS many, count(*) FILTER (WHERE abs(a.score - b.score) > coalesce(w.highest - w.lowest, 0) + 0.002) AS farther_off
FROM all_compared a JOIN by_codes b USING (q, model, c, id) JOIN coded_weights w USING (q, model, c);
-- What fades differs by the time of the call.
SELECT count(*) AS differ_with_filter FROM (SELECT * FROM all_of_kind WHERE c NOT IN (11, 12) EXCEPT TABLE by_codes_of_kind) d;
-- Each call without a filter has asked the index, and explain_recall says so.
SELECT pg_stat_force_next_flush();
SELECT idx_scan AS calls FROM pg_stat_user_indexes WHERE indexrelname = 'embeddings_by_code';
SELECT memory.explain_recall(id, a.words, a.v) -> 'vector' ->> 'estimated' AS estimated, memory.explain_recall(id, a.words, a.v, kinds => '{odd,even}') -> 'vector' ->> 'estimated' AS with_filter
FROM by_codes b JOIN asked a USING (q, model) WHERE c = 1 AND place = 1 AND q = 4 AND model = 'default';
-- Rows that are gone, changed, new and not committed. Codes of some are there still.
CREATE FUNCTION pg_temp.beside_comparing(OUT answers bigint, OUT at_other_places bigint, OUT of_other_numbers bigint, OUT most_off numeric, OUT apart bigint) LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE one ON COMMIT DROP AS SELECT * FROM pg_temp.answers(NULL, 2);
    ALTER INDEX memory.embeddings_by_code RENAME TO set_aside;
    CREATE TEMP TABLE other ON COMMIT DROP AS SELECT * FROM pg_temp.answers(NULL, 2);
    ALTER INDEX memory.set_aside RENAME TO embeddings_by_code;
    SELECT c.* INTO answers, at_other_places, of_other_numbers, most_off, apart FROM pg_temp.compare('other', 'one') c;
END $$;
BEGIN;
DELETE FROM memory.episodes WHERE user_id = 'cody' AND content LIKE 'note 4% of %' AND metadata ->> 'n' = '2';
UPDATE memory.embeddings e SET embedding = pg_temp.vector_of(3, 7, 0.5) FROM memory.episodes p WHERE p.id = e.episode_id AND p.content LIKE 'note 5_ %' AND metadata ->> 'n' = '3' AND model = 'default';
UPDATE memory.episodes SET expires_at = now() - interval '1 day' WHERE user_id = 'cody' AND content LIKE 'note 6_ %' AND metadata ->> 'n' = '1';
INSERT INTO memory.episodes (user_id, content) SELECT 'cody', 'note 13 again ' || n FROM generate_series(1, 50) n;
INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT 'cody', id, pg_temp.vector_of(20, (row_number() OVER ())::int, 0.5) FROM memory.episodes WHERE content LIKE 'note 13 again%';
SELECT at_other_places, of_other_numbers FROM pg_temp.beside_comparing();
COMMIT;
VACUUM memory.embeddings;
BEGIN;
SELECT at_other_places, of_other_numbers FROM pg_temp.beside_comparing();
COMMIT;

-- Where too many codes are of rows that are gone, beside words, and for users of few rows, all are compared. Without words the lowest cosine stays an estimate, which scores alone show.
BEGIN;
UPDATE memory.embeddings SET embedding = embedding WHERE user_id = 'cody' AND hashtext(episode_id::text) % 4 = 0;
SELECT at_other_places, of_other_numbers, most_off < 0.002 AS scores_are_near, apart FROM pg_temp.beside_comparing();
ROLLBACK;
SELECT memory.explain_recall(id, 'note', pg_temp.vector_of(3, 150, 0.5), user_id => 'dora') -> 'vector' ->> 'estimated' AS estimated FROM memory.recall_scored('note', user_id => 'dora');

-- For a caller who may not read everything.
CREATE ROLE regress_memory_coded;
SELECT memory.grant_access('regress_memory_coded', 'reader');
GRANT SELECT ON asked TO regress_memory_coded;
SELECT memory.protect('current_user');
SET ROLE regress_memory_coded;
SELECT count(*) AS of_others FROM asked a, LATERAL memory.recall_scored(a.words, a.v, user_id => 'cody', model => a.model) r WHERE q = 1;
RESET ROLE;
SELECT memory.unprotect();

DROP TABLE asked, calls, all_compared, all_of_kind, by_codes, by_codes_of_kind, exact_weights, coded_weights;
ALTER TABLE memory.embeddings RESET (autovacuum_enabled);
DELETE FROM memory.episodes WHERE user_id IN ('cody', 'dora');
DROP OWNED BY regress_memory_coded;
DROP ROLE regress_memory_coded;
