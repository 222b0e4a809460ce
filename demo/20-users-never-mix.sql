-- Scene 2. Other users have the same table and never meet.
SELECT memory.remember('I am Bob, and I love flying.', user_id => 'bob') AS bobs_id \gset

SELECT content FROM memory.recall_recent(user_id => 'bob');

-- Ada's calls cannot see it, not even by its id.
SELECT content FROM memory.get(:'bobs_id', user_id => 'ada');

-- It is an ordinary table: COPY and INSERT are the bulk path, with the same defaults and checks.
INSERT INTO memory.episodes (user_id, content)
SELECT 'carol', 'note ' || n FROM generate_series(1, 1000) n;
SELECT user_id, count(*) FROM memory.episodes GROUP BY user_id ORDER BY user_id;
