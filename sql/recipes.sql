-- The recipes of docs/guide.md as they stand there (tests/tools/guide.sh compares them).
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
-- Another user's, which none of it finds.
SELECT memory.remember('Takes night trains with a dog and tea.', kind => 'user_memory', metadata => '{"topics": ["travel", "food", "dog"]}',
    user_id => 'another user of recipes') IS NOT NULL AS remembered;

-- User memories.
\set user 'user of recipes'
\set first 00000000-0000-7000-8000-000000000001
\set second 00000000-0000-7000-8000-000000000002
\set third 00000000-0000-7000-8000-000000000003
BEGIN;
SELECT * FROM memory.set_scope(user_id => :'user', is_local => true);
-- Adding. The same id again replaces text, topics and vector: that is the update, too.
SELECT memory.remember('Takes night trains.', kind => 'user_memory', metadata => '{"topics": ["travel", "sleep"]}', id => :'first');
SELECT memory.remember('Likes green tea.', kind => 'user_memory', metadata => '{"topics": ["food"]}', id => :'second');
SELECT memory.remember('Travels with a dog.', kind => 'user_memory', metadata => '{"topics": ["travel", "dog"]}', id => :'third');
SELECT memory.remember('Likes green tea, without sugar.', kind => 'user_memory', metadata => '{"topics": ["food", "health"]}', id => :'second');
-- The last two; the first two.
SELECT id, content, metadata -> 'topics' AS topics FROM memory.recall_recent('user_memory', k => 2);
SELECT id, content, metadata -> 'topics' AS topics FROM memory.episodes
WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope()) AND kind = 'user_memory'
ORDER BY recorded_at, id LIMIT 2;
-- By topic; by any of several; by what they say.
SELECT content FROM memory.recall_scored(kinds => '{user_memory}', filter => '{"topics": ["travel"]}', k => 100);
SELECT content FROM memory.recall_scored(kinds => '{user_memory}', filter => '{"$path": "$.topics[*] == \"food\" || $.topics[*] == \"dog\""}', k => 100);
SELECT content FROM memory.recall_scored('what to drink: tea?', kinds => '{user_memory}', k => 3);
-- All topics of the user.
SELECT topic, count(*) FROM memory.episodes, jsonb_array_elements_text(metadata -> 'topics') AS topic
WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope()) AND kind = 'user_memory'
GROUP BY topic ORDER BY count(*) DESC, topic;
-- Another text whose older one is kept (memory.episode_revisions); other topics; deleting.
SELECT memory.revise(:'first', 'Takes night trains, in the quiet car.');
UPDATE memory.episodes SET metadata = '{"topics": ["travel"]}'
WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope()) AND id = :'first';
DELETE FROM memory.episodes WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope()) AND id = :'third';
COMMIT;

SELECT id, content, metadata FROM memory.recall_recent('user_memory', user_id => :'user') ORDER BY id;
SELECT content FROM memory.episode_revisions WHERE user_id = :'user';
SELECT count(*) AS "of another user" FROM memory.recall_recent('user_memory', user_id => 'another user of recipes');

-- A knowledge base beside memory.
CREATE SCHEMA recipes;
SET search_path = recipes, public, memory;
CREATE TABLE knowledge (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    base text NOT NULL,                  -- which knowledge base: the scope of the index
    source text NOT NULL,
    chunk text NOT NULL,
    embedding vector(3)                  -- as many dimensions as your model has
);
CREATE INDEX ON knowledge USING recall (base, chunk);
CREATE INDEX ON knowledge USING hnsw (embedding vector_cosine_ops);

INSERT INTO knowledge (base, source, chunk, embedding) VALUES
    ('handbook', 'travel.md', 'Night trains leave Vienna at 21:05 and have a quiet car.', '[1,0,0]'),
    ('handbook', 'travel.md', 'Sleeping cars are booked a week before.', '[0.9,0.1,0]'),
    ('handbook', 'food.md', 'Tea is served until ten.', '[0,1,0]'),
    ('another', 'travel.md', 'Night trains of another base.', '[1,0,0]');
\set question 'a quiet night train'
\set vector [0.95,0.05,0]
WITH words AS (
    SELECT id, row_number() OVER (ORDER BY chunk <@> memory.query(:'question')) AS rank FROM knowledge
    WHERE base = 'handbook' AND chunk @@@ memory.query(:'question') ORDER BY rank LIMIT 50
), vectors AS (
    SELECT id, row_number() OVER (ORDER BY embedding <=> :'vector') AS rank FROM knowledge
    WHERE base = 'handbook' AND embedding IS NOT NULL ORDER BY rank LIMIT 50
), best AS (
    SELECT id, memory.rrf(rank, weight) AS score
    FROM (SELECT id, rank, 0.7 AS weight FROM words UNION ALL SELECT id, rank, 0.3 FROM vectors) lists
    GROUP BY id ORDER BY score DESC, id LIMIT 3
)
SELECT source, chunk AS text, score FROM best JOIN knowledge USING (id)
UNION ALL
SELECT 'memory', content, NULL FROM memory.recall(:'question', k => 3, user_id => :'user')
ORDER BY score DESC NULLS LAST;

-- As a generic plan, and by the index of each arm.
SET enable_seqscan = off;
SET plan_cache_mode = force_generic_plan;
PREPARE ask(text, text, vector) AS
WITH words AS (
    SELECT id, row_number() OVER (ORDER BY chunk <@> memory.query($2)) AS rank FROM knowledge
    WHERE base = 'handbook' AND chunk @@@ memory.query($2) ORDER BY rank LIMIT 50
), vectors AS (
    SELECT id, row_number() OVER (ORDER BY embedding <=> $3) AS rank FROM knowledge
    WHERE base = 'handbook' AND embedding IS NOT NULL ORDER BY rank LIMIT 50
), best AS (
    SELECT id, memory.rrf(rank, weight) AS score
    FROM (SELECT id, rank, 0.7 AS weight FROM words UNION ALL SELECT id, rank, 0.3 FROM vectors) lists
    GROUP BY id ORDER BY score DESC, id LIMIT 3
)
SELECT source, chunk AS text, score FROM best JOIN knowledge USING (id)
UNION ALL
SELECT 'memory', content, NULL FROM memory.recall($2, k => 3, user_id => $1)
ORDER BY score DESC NULLS LAST;

EXECUTE ask(:'user', :'question', :'vector');
DEALLOCATE ask;
RESET search_path;
DROP SCHEMA recipes CASCADE;
DELETE FROM memory.episodes WHERE user_id LIKE '%user of recipes';
