-- Under protect() a call about somebody else's memories costs what one about a user that there is not costs: otherwise
-- what it reads would tell which words the other uses, how many rows there are, and that there are any.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_cost_owner, regress_cost_app, regress_cost_stranger;
CREATE ROLE regress_cost_owner;
CREATE ROLE regress_cost_app;
CREATE ROLE regress_cost_stranger;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE SCHEMA memory AUTHORIZATION regress_cost_owner;
CREATE EXTENSION memory CASCADE;
SET ROLE regress_cost_owner;
SELECT memory.init(3);
SELECT memory.grant_access('regress_cost_app', 'writer');
-- Between two measurements nothing is planned anew.
ALTER TABLE memory.episodes SET (autovacuum_enabled = off);
ALTER TABLE memory.embeddings SET (autovacuum_enabled = off);
ALTER TABLE memory.facts SET (autovacuum_enabled = off);

-- alice has diabetes all over, but not leprosy; both have episodes that have expired, sessions, vectors and facts.
INSERT INTO memory.episodes (user_id, content, session_id, occurred_at, expires_at)
    SELECT u, CASE u WHEN 'alice' THEN 'diabetes and trains ' ELSE 'trains ' END || n, 's' || n % 20, '2026-01-01'::timestamptz + n * interval '1 hour', CASE WHEN n % 3 = 0 THEN '2026-01-01'::timestamptz END
    FROM generate_series(1, 1500) n, unnest('{alice,bob}'::text[]) u;
INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT user_id, id, format('[%s,2,1]', length(content))::public.vector FROM memory.episodes;
SELECT count(memory.assert_fact('she', 'has ' || n % 40, CASE u WHEN 'alice' THEN 'diabetes ' ELSE 'trains ' END || n, u)) FROM generate_series(1, 150) n, unnest('{alice,bob}'::text[]) u;
RESET ROLE;
VACUUM ANALYZE;
SET ROLE regress_cost_owner;
SELECT memory.protect();

-- Calls about user %1$L and the word %2$L; %3$L is an episode of that user, if there is one.
CREATE TEMP TABLE call (name text, text text);
INSERT INTO call VALUES
    ('recall_scored', 'SELECT FROM memory.recall_scored(%2$L, user_id => %1$L)'),
    ('recall_scored by vector', 'SELECT FROM memory.recall_scored(%2$L, ''[1,2,3]'', user_id => %1$L)'),
    ('recall_scored within a session', 'SELECT FROM memory.recall_scored(%2$L, session_id => ''s1'', fallback => ''recent'', user_id => %1$L)'),
    ('recall_scored, diverse', 'SELECT FROM memory.recall_scored(%2$L, diversity => .5, user_id => %1$L)'),
    ('recall_scored of nothing', 'SELECT FROM memory.recall_scored(user_id => %1$L)'),
    ('recall', 'SELECT FROM memory.recall(%2$L, user_id => %1$L)'),
    ('recall_semantic', 'SELECT FROM memory.recall_semantic(''[1,2,3]'', threshold => .1, user_id => %1$L)'),
    ('explain_recall', 'SELECT FROM memory.explain_recall(%3$L, %2$L, user_id => %1$L)'),
    ('recall_recent', 'SELECT FROM memory.recall_recent(user_id => %1$L)'),
    ('recall_recent of a session', 'SELECT FROM memory.recall_recent(session_id => ''s1'', user_id => %1$L)'),
    ('get', 'SELECT memory.get(%3$L, user_id => %1$L)'),
    ('recall_facts', 'SELECT FROM memory.recall_facts(%2$L, user_id => %1$L)'),
    ('recall_facts by vector', 'SELECT FROM memory.recall_facts(%2$L, ''[1,2,3]'', user_id => %1$L)'),
    ('recall_facts then', 'SELECT FROM memory.recall_facts(%2$L, user_id => %1$L, known_at => now())'),
    ('recall_graph', 'SELECT FROM memory.recall_graph(%2$L, user_id => %1$L)'),
    ('facts', 'SELECT FROM memory.facts(user_id => %1$L)'),
    ('facts of a subject', 'SELECT FROM memory.facts(''she'', user_id => %1$L)'),
    ('facts of an object', 'SELECT FROM memory.facts(object => %2$L || '' 1'', user_id => %1$L)'),
    ('fact_history', 'SELECT FROM memory.fact_history(''she'', ''has 1'', user_id => %1$L)'),
    ('neighbors', 'SELECT FROM memory.neighbors(%2$L || '' 1'', user_id => %1$L)'),
    ('traverse', 'SELECT FROM memory.traverse(ARRAY[%2$L || '' 1''], user_id => %1$L)'),
    ('the index itself', 'SELECT FROM memory.episodes WHERE namespace = ''default'' AND user_id = %1$L ORDER BY memory_internal.episode_text(content, response) OPERATOR(memory.<@>) memory.query(%2$L) LIMIT 5'),
    ('the index itself, of facts', 'SELECT FROM memory.facts WHERE namespace = ''default'' AND user_id = %1$L AND known_until = ''infinity'' ORDER BY statement OPERATOR(memory.<@>) memory.query(%2$L) LIMIT 5'),
    ('the index itself, matching', 'SELECT FROM memory.episodes WHERE namespace = ''default'' AND user_id = %1$L AND memory_internal.episode_text(content, response) OPERATOR(memory.@@@) memory.query(%2$L)'),
    ('the index itself, in a join', 'SELECT FROM (SELECT %1$L AS u) v, LATERAL (SELECT FROM memory.episodes WHERE namespace = ''default'' AND user_id = v.u ORDER BY memory_internal.episode_text(content, response) OPERATOR(memory.<@>) memory.query(%2$L) LIMIT 5) e');
GRANT SELECT ON call TO regress_cost_app;
-- How many pages a statement touches when all is warm and planned.
CREATE FUNCTION pg_temp.pages(statement text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE plan json; pages int; least int;
BEGIN
    FOR n IN 1..8 LOOP
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || statement INTO plan;
        pages := (plan->0->'Plan'->>'Shared Hit Blocks')::int + (plan->0->'Plan'->>'Shared Read Blocks')::int;
        least := CASE WHEN n > 6 THEN least(least, pages) END;
    END LOOP;
    RETURN least;
END $$;

SET memory.user_id = 'bob';
RESET ROLE;
SELECT min(id::text) AS hers FROM memory.episodes WHERE user_id = 'alice' AND expires_at IS NULL \gset
SELECT min(id::text) AS his FROM memory.episodes WHERE user_id = 'bob' AND expires_at IS NULL \gset
SET ROLE regress_cost_app;
SELECT c.name, CASE WHEN foreign_word = unknown AND foreign_other = unknown THEN 'as much' ELSE concat_ws(' ', 'diabetes', foreign_word, 'leprosy', foreign_other, 'unknown', unknown) END AS "as of an unknown user",
    own > unknown AS "less than one's own"
FROM call c, LATERAL (SELECT
    pg_temp.pages(format(c.text, 'nobody', 'diabetes', '00000000-0000-7000-8000-000000000000')) AS unknown,
    pg_temp.pages(format(c.text, 'alice', 'diabetes', :'hers')) AS foreign_word,
    pg_temp.pages(format(c.text, 'alice', 'leprosy', :'hers')) AS foreign_other,
    pg_temp.pages(format(c.text, 'bob', 'trains', :'his')) AS own) m;

-- A role that may not read the table at all makes no search read the index before it is told so.
RESET ROLE;
GRANT USAGE ON SCHEMA memory TO regress_cost_stranger;
CREATE TEMP VIEW touched AS SELECT sum(idx_blks_hit + idx_blks_read) AS pages FROM pg_statio_user_indexes WHERE indexrelname IN ('episodes_by_text', 'episodes_by_expiry', 'facts_by_text');
SELECT pg_stat_force_next_flush();
SELECT pages AS before FROM touched \gset
SET ROLE regress_cost_stranger;
SELECT FROM memory.recall_scored('diabetes', user_id => 'alice');
SELECT FROM memory.recall('diabetes', user_id => 'alice');
SELECT FROM memory.recall_facts('diabetes', user_id => 'alice');
RESET ROLE;
SELECT pg_stat_force_next_flush();
SELECT pages - :before AS "pages of the index" FROM touched;

-- With a policy of one's own instead, too, which word is asked for makes no difference where no row can be seen.
RESET ROLE;
SELECT memory.unprotect();
DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY '{episodes,facts,embeddings}'::text[] LOOP
        EXECUTE format('ALTER TABLE memory.%I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY mine ON memory.%I USING (md5(user_id) = md5(current_setting(''memory.user_id'', true)))', t);
    END LOOP;
END $$;
SET ROLE regress_cost_app;
SELECT c.name, foreign_word = foreign_other AS "the word makes no difference", own > 0 AS "but for one's own"
FROM call c, LATERAL (SELECT
    pg_temp.pages(format(c.text, 'alice', 'diabetes', :'hers')) AS foreign_word,
    pg_temp.pages(format(c.text, 'alice', 'leprosy', :'hers')) AS foreign_other,
    pg_temp.pages(format(c.text, 'bob', 'trains', :'his')) AS own) m
WHERE c.name ~ '^recall|explain';

RESET ROLE;
DROP EXTENSION memory CASCADE;
DROP OWNED BY regress_cost_owner CASCADE;
DROP OWNED BY regress_cost_app, regress_cost_stranger;
DROP ROLE regress_cost_owner, regress_cost_app, regress_cost_stranger;
