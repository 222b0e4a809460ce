-- Scores that fade: rows are read by their times where an index knows them, and the answer is what it is where all rows are known.
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/fresh.sql
\i :source/sql/shared/refused.sql
-- Two years of 3,000 episodes; one in fifty is of a kind that lasts, one in three has no vector, some are important, some are in the future.
SELECT setseed(0.25);
INSERT INTO memory.episodes (user_id, id, session_id, kind, importance, content, occurred_at)
SELECT 'ada', ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 's' || n / 20, CASE WHEN n % 50 = 0 THEN 'semantic' WHEN n % 333 = 0 THEN 'diary' ELSE 'episodic' END, CASE n % 7 WHEN 0 THEN 0.5 ELSE 1 END,
    (SELECT string_agg('word' || floor(120 * random() ^ 2), ' ') FROM generate_series(1, 8) g WHERE n > 0), now() - (3000 - n) * interval '6 hours' + interval '3 days'
FROM generate_series(1, 3000) n;
INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT user_id, id, memory.hash_embedding(content, 32) FROM memory.episodes WHERE right(id::text, 2)::int % 3 > 0;
-- Versions that are not seen any more, rows that are gone, and rows that have expired.
UPDATE memory.episodes SET occurred_at = occurred_at - interval '400 days' WHERE right(id::text, 2) = '17';
UPDATE memory.episodes SET kind = 'episodic' WHERE kind = 'diary' AND right(id::text, 1) > '4';
UPDATE memory.episodes SET importance = 0.9 WHERE right(id::text, 2) = '18';
DELETE FROM memory.episodes WHERE right(id::text, 2) = '19';
UPDATE memory.episodes SET expires_at = now() - interval '1 second' WHERE right(id::text, 2) = '20';
CREATE TEMP TABLE asked AS SELECT n, 'word' || n * 7 % 40 || ' word' || n AS words, memory.hash_embedding('word' || n * 11 % 60 || ' word' || n, 32) AS direction FROM generate_series(0, 29) n;
GRANT SELECT ON asked TO public;

-- A filter that passes every row makes all of them known: the same rows with the same scores, whatever the half-life, the fusion and k are.
WITH calls AS (SELECT * FROM asked, unnest('{1 day,30 days,20 years}'::interval[]) half_life, unnest('{rrf,blend}'::text[]) fusion, unnest('{1,10,400}'::int[]) k WHERE n % 3 = k % 3 OR k = 10),
answers AS (SELECT (SELECT array_agg((r.id, r.score, r.bm25_rank, r.vector_rank)::text) FROM memory.recall_scored(words, direction, user_id => 'ada', k => k, half_life => half_life, fusion => fusion) r) AS by_time,
                   (SELECT array_agg((r.id, r.score, r.bm25_rank, r.vector_rank)::text) FROM memory.recall_scored(words, direction, user_id => 'ada', k => k, half_life => half_life, fusion => fusion, since => '-infinity') r) AS all_known FROM calls)
SELECT count(*) AS calls, count(*) FILTER (WHERE by_time = all_known) AS same FROM answers;
-- By words or by vectors alone, without context, and with a relevance.
WITH answers AS (SELECT (SELECT array_agg(r.id) FROM memory.recall_scored(w, d, user_id => 'ada', k => 20, half_life => '20 days', context_weight => c, min_relevance => m) r) AS by_time,
                        (SELECT array_agg(r.id) FROM memory.recall_scored(w, d, user_id => 'ada', k => 20, half_life => '20 days', context_weight => c, min_relevance => m, since => '-infinity') r) AS all_known
                 FROM asked, LATERAL (VALUES (words, NULL::vector, 1.0, 0.0), (NULL, direction, 1.0, 0.0), (words, direction, 0.0, 0.0), (words, direction, 1.0, 0.6)) v (w, d, c, m))
SELECT count(*) AS calls, count(*) FILTER (WHERE by_time = all_known) AS same, count(*) FILTER (WHERE cardinality(by_time) = 20) AS full FROM answers;
-- Where kinds last, what lasts is found however old it is; and row security, which makes all rows known, gives the same prompt.
CREATE TEMP TABLE prompts AS SELECT n, memory.context(words, user_id => 'ada', embedding => direction) AS prompt FROM asked;
GRANT SELECT ON prompts TO public;
CREATE ROLE recall_fading_reader;
SELECT memory.grant_access('recall_fading_reader', 'reader');
SELECT memory.protect();
SET ROLE recall_fading_reader;
SET memory.user_id = 'ada';
SELECT count(*) AS prompts, count(*) FILTER (WHERE prompt = memory.context(words, user_id => 'ada', embedding => direction)) AS same FROM asked JOIN prompts USING (n);
RESET memory.user_id;
RESET ROLE;
SELECT memory.unprotect();
SELECT count(*) > 30 AS "what lasts and is old is shown" FROM prompts, regexp_matches(prompt, '<memory id="([^"]+)">', 'g') m JOIN memory.episodes e ON e.id = m[1]::uuid WHERE e.kind <> 'episodic' AND e.occurred_at < now() - interval '200 days';
-- In a transaction that has changed them, too.
BEGIN;
UPDATE memory.episodes SET occurred_at = now() - interval '10 years' WHERE right(id::text, 1) = '7';
INSERT INTO memory.episodes (user_id, content, kind, occurred_at) SELECT 'ada', 'word0 word' || n, 'semantic', '1990-01-01' FROM generate_series(0, 9) n;
SELECT count(*) FILTER (WHERE (SELECT array_agg(r.id) FROM memory.recall_scored(words, direction, user_id => 'ada', k => 20, half_life => '20 days') r)
    = (SELECT array_agg(r.id) FROM memory.recall_scored(words, direction, user_id => 'ada', k => 20, half_life => '20 days', since => '-infinity') r)) AS same FROM asked;
SELECT memory.context('word0 word5', user_id => 'ada') ~ '1990-01-01' AS "what lasts";
ROLLBACK;

-- Where everything answers about as well as everything else, a prompt reads the newest, and not all 3,000.
INSERT INTO memory.episodes (user_id, id, content, occurred_at) SELECT 'bo', ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'note ' || n, now() - n * interval '6 hours' FROM generate_series(1, 3000) n;
INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT user_id, id, ARRAY[1, random() / 3, random() / 3]::vector FROM memory.episodes WHERE user_id = 'bo';
\i :source/sql/shared/blocks.sql
VACUUM ANALYZE memory.episodes, memory.embeddings;
SELECT pg_temp.blocks($$SELECT memory.context(embedding => '[1,0.2,0.1]', user_id => 'bo')$$) < 1000 AS few;

-- Without the index of what lasts a prompt says what to run; recall by one half-life of all kinds does not need it.
BEGIN;
DROP INDEX memory.episodes_lasting;
SELECT pg_temp.refused($$SELECT memory.context('word1 word2', user_id => 'ada')$$);
SELECT count(*) FROM memory.recall_scored('word1 word2', user_id => 'ada', half_life => '1 day');
ROLLBACK;
BEGIN;
DROP INDEX memory.episodes_by_time;
CREATE INDEX episodes_by_time ON memory.episodes (namespace, user_id, occurred_at, id);
SELECT pg_temp.refused($$SELECT count(*) FROM memory.recall_scored('word1 word2', user_id => 'ada', half_life => '1 day')$$);
ROLLBACK;
DROP OWNED BY recall_fading_reader;
DROP ROLE recall_fading_reader;
