-- memory.rrf: the sum of weight/(k + rank), for fusing any ranked lists.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;

-- Two lists of one table, fused by GROUP BY id.
CREATE TABLE ranked (list text, id int, rank bigint, weight float8);
INSERT INTO ranked VALUES ('words', 10, 1, 0.7), ('words', 20, 2, 0.7), ('words', 30, 3, 0.7),
                          ('vectors', 30, 1, 0.3), ('vectors', 20, 2, 0.3), ('vectors', 40, 3, 0.3);
SELECT id, round(memory.rrf(rank)::numeric, 9) AS score, count(*) AS lists
FROM ranked GROUP BY id ORDER BY score DESC, id;
SELECT id, memory.rrf(rank) = sum(1.0::float8 / (60 + rank)) AS as_by_hand FROM ranked GROUP BY id ORDER BY id;

-- Weights, and a k of one's own.
SELECT id, round(memory.rrf(rank, weight)::numeric, 9) AS weighted,
       round(memory.rrf(rank, weight, 0)::numeric, 9) AS first_ranks_count_most
FROM ranked GROUP BY id ORDER BY weighted DESC, id;
SELECT memory.rrf(1, 1, 60) = memory.rrf(1, 1) AND memory.rrf(1, 1) = memory.rrf(1) AS defaults,
       memory.rrf(1, -1) = -memory.rrf(1) AS against, memory.rrf(1, 0) AS nothing,
       memory.rrf(9223372036854775807, 1, 2147483647) > 0 AS far_behind;

-- A list that does not rank a row adds nothing to it; without any rank there is no result.
SELECT memory.rrf(v) = memory.rrf(v) FILTER (WHERE v IS NOT NULL) AS same FROM (VALUES (1), (NULL), (3)) lists(v);
SELECT memory.rrf(NULL) IS NULL AS nobody_ranks_it, memory.rrf(1, NULL) IS NULL AS no_weight,
       memory.rrf(1, 1, NULL) IS NULL AS no_k;
SELECT memory.rrf(rank) IS NULL AS no_rows FROM ranked WHERE false;
SELECT w.id AS by_words, v.id AS by_vectors, round(memory.rrf(u.rank)::numeric, 9) AS score
FROM (SELECT * FROM ranked WHERE list = 'words') w FULL JOIN (SELECT * FROM ranked WHERE list = 'vectors') v USING (id),
     LATERAL (VALUES (w.rank), (v.rank)) u(rank)
GROUP BY 1, 2 ORDER BY score DESC, 1;

-- The order of the rows does not show, not even in the last bit.
SELECT count(DISTINCT fused) AS results FROM (
    SELECT memory.rrf(rank, weight ORDER BY md5(seed || ':' || rank)) AS fused
    FROM generate_series(1, 50) seed, LATERAL (SELECT rank, 1.0 / (rank % 7 + 0.3) AS weight
         FROM generate_series(1, 1000) rank) list
    GROUP BY seed) shuffled;

-- As a window aggregate, in a frame that grows and in one that moves.
SELECT rank, round(memory.rrf(rank) OVER (ORDER BY rank)::numeric, 9) AS so_far,
       round(memory.rrf(rank) OVER (ORDER BY rank ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)::numeric, 9) AS of_two,
       round(memory.rrf(rank) OVER (ORDER BY rank ROWS BETWEEN 2 PRECEDING AND 2 PRECEDING)::numeric, 9) AS before
FROM generate_series(1, 4) rank ORDER BY rank;

-- Parallel workers give the result of one.
CREATE TABLE votes AS SELECT n % 10 AS id, CASE WHEN n % 3 > 0 THEN 1 + n % 97 END::bigint AS rank,
                             1 + n % 5 AS weight FROM generate_series(1, 20000) n;
ALTER TABLE votes SET (parallel_workers = 2);
ANALYZE votes;
CREATE TABLE alone AS SELECT id, memory.rrf(rank, weight) AS fused FROM votes GROUP BY id;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT id, memory.rrf(rank, weight) AS fused FROM votes GROUP BY id;
CREATE TABLE together AS SELECT id, memory.rrf(rank, weight) AS fused FROM votes GROUP BY id;
SELECT count(*) AS groups, count(*) FILTER (WHERE a.fused = t.fused) AS equal FROM alone a JOIN together t USING (id);
SELECT memory.rrf(rank) IS NULL AS workers_without_a_rank FROM votes WHERE rank IS NULL;
RESET ALL;
SET client_min_messages = warning;

-- What has no meaning is refused, and the argument named.
CREATE TABLE refused (call text, sqlstate text, message text, hint text);
DO $$
DECLARE
    call text;
    state text;
    said text;
    hint text;
BEGIN
    FOREACH call IN ARRAY ARRAY['0', '-5', '1, ''NaN''', '1, ''infinity''', '1, ''-infinity''', '1, 1, -1'] LOOP
        BEGIN
            EXECUTE format('SELECT memory.rrf(%s)', call);
        EXCEPTION WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, said = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
            INSERT INTO refused VALUES (call, state, said, hint);
        END;
    END LOOP;
END $$;
\pset format unaligned
SELECT * FROM refused;
\pset format aligned
DROP TABLE ranked, votes, alone, together, refused;
