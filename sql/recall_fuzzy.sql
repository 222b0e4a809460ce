-- Words that a user does not have, and what they may mean: recall_scored against the definition in SQL, with an edit distance in
-- PL/pgSQL over all terms of the user's rows. Tiny users, logs and segments; rows that were deleted, rolled back, updated and expired,
-- before and after VACUUM; another user has the very words.
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/fresh.sql
SET memory.recall_signals = none; -- recall_signals.sql has them
SET memory.context_weight = 0;
SELECT setseed(0.31);

\i :source/sql/shared/misspelt.sql
SELECT pg_temp.distance('viena', 'vienna'), pg_temp.distance('freind', 'friend'), pg_temp.distance('kitten', 'sitting'), pg_temp.distance('ca', 'abc');

-- What each user has, as terms; made anew for each state.
CREATE TEMP TABLE alive (who text, id uuid, occurred_at timestamptz, term text, times int);
CREATE FUNCTION pg_temp.look() RETURNS void LANGUAGE sql AS $$
    TRUNCATE alive;
    INSERT INTO alive SELECT user_id, id, occurred_at, token, count(*) FROM memory.episodes e, memory.tokens(memory_internal.episode_text(content, response))
    WHERE expires_at IS NULL OR expires_at > statement_timestamp() GROUP BY 1, 2, 3, 4;
    ANALYZE alive;
$$;
CREATE FUNCTION pg_temp.found(asked text, of text) RETURNS TABLE (word text, times bigint, term text) LANGUAGE sql STABLE AS $$
    WITH terms AS MATERIALIZED (SELECT term, count(*) AS documents FROM alive WHERE who = of GROUP BY 1),
    words AS MATERIALIZED (SELECT token AS word, count(*) AS times FROM memory.tokens(asked) GROUP BY 1),
    missing AS MATERIALIZED (SELECT * FROM words WHERE length(word) BETWEEN 4 AND 32 AND word ~ '^[[:alpha:]]+$' AND word NOT IN (SELECT term FROM terms)),
    nearest AS (
        SELECT DISTINCT ON (word) word, times, term FROM missing JOIN terms ON abs(length(term) - length(word)) <= 2, pg_temp.distance(word, term) d
        WHERE d <= CASE WHEN length(word) < 6 THEN 1 ELSE 2 END ORDER BY word, d, left(term, 1) <> left(word, 1), documents DESC, term COLLATE "C")
    SELECT word, times, term FROM nearest WHERE term NOT IN (SELECT word FROM words) AND (SELECT count(*) FROM missing) <= 16
$$;
-- BM25, of the words as they are and of those found. Of equal scores the newer is first. Equal are sums of the same parts; other parts may
-- add up to the same number, as two halves do, and so to the same first nine digits, but what the last bit of each is, docs/rank.md does
-- not promise: between these the order is free.
CREATE FUNCTION pg_temp.by_definition(asked text, of text) RETURNS TABLE (id uuid, occurred_at timestamptz, plain float8, found float8, parts numeric[], first_place bigint, last_place bigint) LANGUAGE sql STABLE AS $$
    WITH documents AS MATERIALIZED (SELECT id, occurred_at, sum(times) AS length FROM alive WHERE who = of GROUP BY 1, 2),
    corpus AS MATERIALIZED (SELECT count(*) AS n, avg(length)::float8 AS average FROM documents),
    wanted AS MATERIALIZED (
        SELECT token AS term, count(*) AS plain, 0::float8 AS found FROM memory.tokens(asked) GROUP BY 1
        UNION ALL SELECT term, 0, 0.5 * sum(times) FROM pg_temp.found(asked, of) GROUP BY 1),
    weights AS MATERIALIZED (
        SELECT w.*, ln(1 + (n - df + 0.5) / (df + 0.5)) AS idf FROM wanted w, corpus, LATERAL (SELECT count(*) AS df FROM alive a WHERE a.who = of AND a.term = w.term) f),
    scores AS (
        SELECT d.id, d.occurred_at, sum(w.plain * part) AS plain, sum(w.found * part) AS found, array_agg(round(((w.plain + w.found) * part)::numeric, 9) ORDER BY (w.plain + w.found) * part) AS parts
        FROM weights w JOIN alive a ON a.who = of AND a.term = w.term JOIN documents d USING (id), corpus,
            LATERAL (SELECT idf * a.times * 1.9 / (a.times + 0.9 * (0.6 + 0.4 * d.length / average)) AS part) p GROUP BY 1, 2)
    SELECT id, occurred_at, plain, found, parts, rank() OVER score, count(*) OVER score FROM scores WINDOW score AS (ORDER BY round((plain + found)::numeric, 9) DESC)
$$;

CREATE TEMP TABLE questions AS
SELECT n, CASE n % 4 WHEN 0 THEN pg_temp.mistyped(word) WHEN 1 THEN pg_temp.mistyped(word) || ' ' || pg_temp.words(2) WHEN 2 THEN pg_temp.mistyped(pg_temp.mistyped(word)) || ' ' || word
    ELSE pg_temp.mistyped(word) || ' ' || pg_temp.mistyped(pg_temp.mistyped(word)) || ' ' || pg_temp.words(1) END AS asked
FROM (SELECT n, (SELECT word FROM vocabulary v WHERE v.n = 1 + q.n * 13) AS word FROM generate_series(1, 28) q (n)) q;
INSERT INTO questions SELECT 100, string_agg(pg_temp.mistyped(word), ' ') FROM vocabulary WHERE n BETWEEN 90 AND 100; -- eleven words
INSERT INTO questions SELECT 101, string_agg(pg_temp.mistyped(word), ' ') FROM vocabulary WHERE n BETWEEN 90 AND 150; -- too many

CREATE TEMP TABLE sizes (who text, episodes int);
INSERT INTO sizes VALUES ('one', 1), ('few', 7), ('some', 120), ('more', 500);
CREATE TEMP TABLE states (state text, compared bigint, corrected bigint, wrong bigint);
CREATE FUNCTION pg_temp.judge(name text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_temp.look();
    INSERT INTO states SELECT name, count(*), count(*) FILTER (WHERE found > 0), count(*) FILTER (WHERE (bm25_rank BETWEEN first_place AND last_place) IS NOT TRUE OR is_late OR abs(bm25_score - plain) > 1e-9
        OR abs(score - (plain + found) / most) > 1e-9 OR (plain = 0) <> (relevance = 0) OR match <> 'lexical')
    FROM sizes CROSS JOIN questions CROSS JOIN LATERAL (
        SELECT *, lag(bm25_rank) OVER (PARTITION BY parts ORDER BY d.occurred_at DESC, id) > bm25_rank AS is_late
        FROM (SELECT *, max(plain + found) OVER () AS most FROM pg_temp.by_definition(asked, who)) d
            FULL JOIN memory.recall_scored(asked, user_id => who, k => 100000) r USING (id)) x;
$$;

-- In one transaction, so that nothing is sealed: tiny users and logs.
INSERT INTO memory.episodes (user_id, content, occurred_at, expires_at)
SELECT who, pg_temp.words(1 + i % 9), timestamptz '2026-01-01' + i / 3 * interval '1 hour', CASE WHEN i % 17 = 0 THEN timestamptz '2026-01-01' END FROM sizes, generate_series(1, episodes) i;
INSERT INTO memory.episodes (user_id, content) SELECT 'other', asked FROM questions; -- every word, just as it is asked
-- Two halves of what a word counts, in an older row, are that word's, in a newer one, on paper; and not in the last bit.
INSERT INTO sizes VALUES ('tied', 2);
INSERT INTO questions VALUES (102, 'harvset lantren window');
INSERT INTO memory.episodes (user_id, content, occurred_at) VALUES ('tied', 'harvest lantern', '2026-01-01'), ('tied', 'window meadow', '2026-01-02');
SELECT content, bm25_rank, round(score::numeric, 9) FROM memory.recall_scored('harvset lantren window', user_id => 'tied');
SELECT pg_temp.judge('written');
VACUUM memory.episodes;
SELECT pg_temp.judge('vacuumed');
-- What was asked, word for word: rolled back, deleted, expired; and words that no row has any more.
BEGIN;
INSERT INTO memory.episodes (user_id, content) SELECT who, asked FROM sizes, questions;
ROLLBACK;
INSERT INTO memory.episodes (user_id, content, expires_at) SELECT who, asked, CASE WHEN n % 2 = 0 THEN timestamptz '2026-01-01' END FROM sizes, questions;
DELETE FROM memory.episodes WHERE expires_at IS NULL AND user_id <> 'other' AND content IN (SELECT asked FROM questions);
DELETE FROM memory.episodes WHERE hashtext(content) % 5 = 1;
UPDATE memory.episodes SET content = pg_temp.words(4) WHERE user_id <> 'other' AND expires_at IS NULL AND hashtext(content) % 7 = 3;
SELECT pg_temp.judge('changed');
VACUUM memory.episodes;
SELECT pg_temp.judge('vacuumed again');
REINDEX INDEX memory.episodes_by_text;
SELECT pg_temp.judge('built');
SELECT state, compared > 500, corrected > 100, wrong FROM states;

-- Neither relevance nor min_relevance knows of what was found; false and the setting turn it off; without a misspelt word nothing changes.
CREATE FUNCTION pg_temp.answers(fuzzy boolean) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT who || n || r::text FROM sizes, questions, LATERAL memory.recall_scored(asked, user_id => who, k => 100000, fuzzy => answers.fuzzy) r $$;
CREATE TEMP TABLE off AS SELECT answer FROM pg_temp.answers(false) answer;
SET memory.fuzzy = off;
SELECT count(*), (SELECT count(*) FROM off) > 500 FROM (SELECT answer FROM pg_temp.answers(NULL) answer EXCEPT TABLE off) x;
RESET memory.fuzzy;
SELECT count(*) > 100 FROM (SELECT answer FROM pg_temp.answers(NULL) answer EXCEPT TABLE off) x;
SELECT count(*) FROM sizes, questions, LATERAL (
    SELECT id FROM memory.recall_scored(asked, user_id => who, k => 100000, min_relevance => 0.1) EXCEPT SELECT id FROM memory.recall_scored(asked, user_id => who, k => 100000, min_relevance => 0.1, fuzzy => false)) x;
SELECT count(*) FROM (SELECT r::text FROM vocabulary, memory.recall_scored(word, user_id => 'some') r WHERE word IN (SELECT term FROM alive WHERE who = 'some')
    EXCEPT SELECT r::text FROM vocabulary, memory.recall_scored(word, user_id => 'some', fuzzy => false) r) x;

-- An example.
RESET memory.recall_signals;
SELECT memory.remember_many('[{"content": "The night train to Vienna was late."}, {"content": "I never drink coffee after noon."}, {"content": "A friend from Vienna called, because of you."}]', user_id => 'ann') IS NOT NULL;
CREATE TEMP VIEW shown AS SELECT asked, content, bm25_rank, round(score::numeric, 4), bm25_score::numeric(6, 4), relevance::numeric(6, 4), match
FROM unnest('{Viena trian,freind,cofee,tea,nigth train,Viena Vienna,train 1234,wienna,becaus}'::text[]) WITH ORDINALITY q (asked, n), LATERAL memory.recall_scored(asked, user_id => 'ann') ORDER BY n, bm25_rank;
SELECT * FROM shown;
SELECT content FROM memory.recall('freind', user_id => 'ann');
SELECT count(*) FROM memory.recall('freind', user_id => 'ann', fuzzy => false);
SELECT t ->> 'term', t ->> 'instead_of', t -> 'documents', round((t -> 'weight')::numeric, 4), round((t -> 'adds')::numeric, 4), round((e #> '{lexical,score}')::numeric, 4), round((e #> '{lexical,fuzzy}')::numeric, 4)
FROM memory.episodes, LATERAL memory.explain_recall(id, 'nigth train', user_id => 'ann') e, LATERAL jsonb_array_elements(e #> '{lexical,terms}') t WHERE user_id = 'ann' AND content LIKE 'The%';

-- Of a user with more than 1,000 episodes what begins with another letter is near at one edit, not at two.
INSERT INTO memory.episodes (user_id, content) SELECT 'large', CASE i WHEN 1 THEN 'harvest' ELSE 'n' || i END FROM generate_series(1, 1001) i;
SELECT asked, count(r.id) FROM unnest('{harvset,hravset,marvest,marvset}'::text[]) asked LEFT JOIN LATERAL memory.recall(asked, user_id => 'large') r ON true GROUP BY 1 ORDER BY 1;
DELETE FROM memory.episodes WHERE user_id = 'large' AND content = 'n2';
SELECT asked, count(r.id) FROM unnest('{harvset,hravset,marvest,marvset}'::text[]) asked LEFT JOIN LATERAL memory.recall(asked, user_id => 'large') r ON true GROUP BY 1 ORDER BY 1;

-- What is nearer was deleted or has expired: what an episode has is found, step by step, in a log and in segments.
INSERT INTO memory.episodes (user_id, content) SELECT who, content FROM unnest('{log,segments}'::text[]) who, unnest('{harvest,barvset,harvestq,barvest,harrow}'::text[]) content;
INSERT INTO memory.episodes (user_id, content) SELECT 'segments', 'filler n' || i FROM generate_series(1, 300) i;
VACUUM memory.episodes;
CREATE TEMP VIEW found AS SELECT who, string_agg(r.content, ' ') FROM unnest('{log,segments}'::text[]) who LEFT JOIN LATERAL memory.recall('harvset', user_id => who) r ON true GROUP BY 1 ORDER BY 1;
TABLE found;
DELETE FROM memory.episodes WHERE content = 'harvest' AND user_id IN ('log', 'segments');
TABLE found;
UPDATE memory.episodes SET expires_at = '2026-01-01' WHERE content = 'barvset';
TABLE found;
DELETE FROM memory.episodes WHERE content = 'harvestq';
TABLE found;
DELETE FROM memory.episodes WHERE content = 'barvest';
TABLE found;

-- Pages of the index: a query of known words reads as many as without it, one with a word that is near none the dictionaries, too.
CREATE FUNCTION pg_temp.touched() RETURNS bigint LANGUAGE sql AS $$
    SELECT idx_blks_read + idx_blks_hit FROM pg_statio_user_indexes WHERE indexrelid = 'memory.episodes_by_text'::regclass $$;
VACUUM memory.episodes;
SELECT count(*) FROM memory.recall('harvest n77', user_id => 'large');
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() AS before \gset
SELECT count(*) FROM memory.recall('harvest n77', user_id => 'large', fuzzy => false);
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() - :before AS off \gset
SELECT count(*) FROM memory.recall('harvest n77', user_id => 'large');
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() - :before - :off AS known \gset
SELECT count(*) FROM memory.recall('harvest xylophon', user_id => 'large', fuzzy => false);
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() - :before - :off - :known AS unknown_off \gset
SELECT count(*) FROM memory.recall('harvest xylophon', user_id => 'large');
SELECT pg_stat_force_next_flush();
SELECT pg_temp.touched() - :before - :off - :known - :unknown_off AS unknown \gset
SELECT :off > 0, :known - :off AS more_if_known, :unknown > :unknown_off AS more_if_not;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
