-- What docs/reference.md says of recall, beyond the functions' comments (tools/reference.sql). explain_recall has the arguments of recall_scored.
INSERT INTO chapter (title, introduction) VALUES ('Recall', 'What of a user''s episodes answers a question. [Recall](recall.md) follows one call through.');

INSERT INTO explained
SELECT function, name, explanation FROM (VALUES
('query', 'Words to find, as for `memory.query`. NULL or blank: the vectors alone rank. At most `memory.max_query`.'),
('embedding', 'The question as a vector. NULL: the words alone rank, unless the database embeds by itself (`use_model`). With neither, the newest come (`match = ''recent''`).'),
('alpha', 'The weight of the vectors, 0 to 1; words have 1 − alpha. NULL: that of the model in use: as `use_model` was told, else .35 where the model is declared, and .1 for `hash` and where it is not. Where one of both is not given, the other has all. A blend gives an arm more whose best row stands out (docs/rank.md).'),
('session_id', 'Only this session. NULL: all.'),
('agent_id', 'Only this agent''s. NULL: all.'),
('kinds', 'Only these kinds. NULL: all.'),
('since', 'Only what happened then or later.'),
('until', 'Only what happened then or earlier.'),
('min_relevance', '0 to 1: leaves out what answers a smaller part of the question. Relevance is the larger of the BM25 score ÷ the most that the query could score, and the cosine.'),
('half_life', 'The age at which a score counts half. NULL: that of the episode''s kind (`set_retention`); where there is none, age does not count.'),
('diversity', '0 to 1: how much likeness to better rows counts against a row (λ of MMR).'),
('context_weight', '0 to 1: how much neighbours and session lend. NULL: the setting `memory.context_weight`.'),
('fusion', '`blend` (scores), `rrf` (ranks) or `rrf_replicated` (as loomflow did). NULL: the setting `memory.fusion`.'),
('fallback', '`recent`: the newest where nothing matches; `none`: no rows then.'),
('skip', 'How many of the best are left out: the rows of earlier pages. NULL: 0.'),
('model', 'The model of the embedding, and of the vectors that it is compared with. NULL: the model in use: that of the setting `memory.embedding_model`; where that is `default`, the one that `use_model` names.'),
('rrf_k', 'The constant of `rrf`, 0 to 1,000,000: the smaller, the more the first places are worth. NULL: 60.'),
('fuzzy', 'Whether words that no episode of the user has also stand for the nearest terms that some have, at half weight. NULL: the setting `memory.fuzzy`.')) said (name, explanation)
CROSS JOIN (VALUES ('recall_scored'), ('explain_recall')) f (function);

INSERT INTO explained VALUES
('explain_recall', 'id', 'The episode that is asked about.'),
('recall', 'query', 'Words to find. NULL or blank: see embedding.'),
('recall', 'fuzzy', 'Whether words that no episode of the user has also stand for the nearest terms that some have, at half weight. NULL: the setting `memory.fuzzy`.'),
('recall', 'since', 'Only what happened then or later.'),
('recall', 'until', 'Only what happened then or earlier.'),
('recall', 'embedding', 'The question as a vector, by the model in use. NULL: the words alone rank, unless the database embeds by itself (`use_model`).'),
('recall_semantic', 'embedding', 'The question as a vector. Not NULL, not all zero.'),
('recall_semantic', 'k', 'How many rows at most, 1 to 1,000,000. NULL: all above the threshold.'),
('recall_semantic', 'threshold', 'Only cosines above it, −1 to 1.'),
('recall_semantic', 'agent_id', 'Only this agent''s. NULL: all.'),
('recall_semantic', 'kind', 'Only this kind. NULL: all.'),
('recall_semantic', 'model', 'The model of the embedding, and of the vectors that it is compared with. NULL: the model in use: that of the setting `memory.embedding_model`; where that is `default`, the one that `use_model` names.'),
('recall_semantic', 'id', 'The episode.'),
('recall', 'id', 'The episode.'),
('recall', 'content', 'What happened.'),
('recall', 'response', 'The answer to content.'),
('recall', 'occurred_at', 'When it happened.'),
('recall', 'score', 'What the rows are ordered by.'),
('recall_semantic', 'content', 'What happened.'),
('recall_semantic', 'metadata', 'The application''s JSON object.'),
('recall_semantic', 'similarity', 'The cosine of both vectors.');

INSERT INTO example (function, statements) VALUES
('recall_scored', $$
SELECT content, round(score::numeric, 4) AS score, round(bm25_score::numeric, 4) AS bm25_score, bm25_rank,
       round(vector_score::numeric, 4) AS vector_score, vector_rank, match
FROM memory.recall_scored('night train', embedding => '[1,0,0]', user_id => 'ann');
$$),
('recall', $$
SELECT content FROM memory.recall('night train', k => 1, user_id => 'ann');
$$),
('recall_semantic', $$
SELECT content, round(similarity::numeric, 4) AS similarity FROM memory.recall_semantic('[1,0,0]', user_id => 'ann');
$$),
('explain_recall', $$
SELECT why -> 'position' AS position, why #> '{lexical,rank}' AS bm25_rank, round((why #>> '{lexical,score}')::numeric, 4) AS bm25_score, term ->> 'term' AS term,
       term -> 'documents' AS documents, round((term ->> 'adds')::numeric, 4) AS adds, round((why #>> '{lexical,coverage}')::numeric, 4) AS coverage, round((term ->> 'own')::numeric, 4) AS own,
       round((term ->> 'lent')::numeric, 4) AS lent
FROM memory.explain_recall('00000000-0000-0000-0000-000000000001', 'night train', user_id => 'ann') why, jsonb_path_query(why, '$.lexical.terms[*]') term;
$$);
