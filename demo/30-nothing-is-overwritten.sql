-- Scene 3. A text can be revised; what it said before stays.
SELECT memory.set_scope(user_id => 'ada');
SELECT id AS seat FROM memory.recall_recent(k => 10) WHERE content LIKE 'My seat%' \gset
SELECT memory.revise(:'seat', 'My seat should be on the aisle.');

SELECT content FROM memory.get(:'seat');
SELECT revision, content FROM memory.episode_revisions WHERE episode_id = :'seat';

-- What is wrong is refused before anything is written, with the place in a batch.
\set ON_ERROR_STOP off
SELECT memory.remember_many('[{"content": "fine"}, {"content": "not fine", "importance": 7}]');
\set ON_ERROR_STOP on
