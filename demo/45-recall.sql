-- Scene 5. What answers a question: words and vectors over all of the user's episodes, fused.
SELECT memory.set_scope(user_id => 'ada');
SELECT content, response, round(score::numeric, 3) AS score, match FROM memory.recall_scored('window seat on night trains');

-- With embeddings (here a toy: hash_embedding) every row has its true rank on both arms.
INSERT INTO memory.embeddings (user_id, episode_id, embedding)
SELECT 'ada', id, memory.hash_embedding(content) FROM memory.recall_recent();
SELECT content, round(score::numeric, 3) AS score, bm25_rank, vector_rank, match
FROM memory.recall_scored('night trains', memory.hash_embedding('a train at night'), fusion => 'blend', alpha => 0.1);

-- Filters come before k. And why is that one where it is?
SELECT content FROM memory.recall_scored('trains', filter => '{"topic": "travel"}');
SELECT x -> 'position' AS position, x -> 'lexical' -> 'rank' AS rank, jsonb_path_query_array(x, '$.lexical.terms[*].term') AS terms
FROM memory.recall_recent() r, memory.explain_recall(r.id, 'night trains') x WHERE r.content LIKE 'Is there%';

-- No key and no service: from now on the database embeds by itself what is written and what is asked. With a key it is a model of OpenAI's
-- or of another (memory-worker --choose).
SELECT memory.use_model('embed', 'hash');
SELECT memory.remember('The sleeper to Zurich has seats at the window') IS NOT NULL AS remembered;
SELECT content, round(vector_score::numeric, 3) AS vector_score, match FROM memory.recall_scored('sleepers with window seats', k => 2);
