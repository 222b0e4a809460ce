-- The call that docs/recall.md follows through: every number there is printed here.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
SET timezone = 'UTC';
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init(3);
SELECT memory.set_scope('ann', namespace => 'recall_example');
SELECT count(*) FROM memory.remember_many('[
  {"content": "Is there a night train to Vienna?", "response": "Yes, the 21:05.", "session_id": "monday", "occurred_at": "2026-03-02T09:00:00Z", "embedding": [0.9, 0.1, 0], "id": "00000000-0000-0000-0000-00000000000a"},
  {"content": "Book it, please.", "session_id": "monday", "occurred_at": "2026-03-02T09:01:00Z", "embedding": [0.5, 0.5, 0], "id": "00000000-0000-0000-0000-00000000000b"},
  {"content": "I never drink coffee after noon.", "occurred_at": "2026-03-03T15:00:00Z", "embedding": [0, 0.1, 1], "id": "00000000-0000-0000-0000-00000000000c"},
  {"content": "The train to Vienna was late.", "occurred_at": "2026-03-05T08:00:00Z", "embedding": [1, 0, 0.1], "id": "00000000-0000-0000-0000-00000000000d"}]');
CREATE FUNCTION pg_temp.letter(id uuid) RETURNS text LANGUAGE sql AS $$ SELECT upper(right(id::text, 1)) $$;
CREATE FUNCTION pg_temp.round4(number float8) RETURNS numeric LANGUAGE sql AS $$ SELECT round(number::numeric, 4) $$;

-- 1. Terms.
SELECT pg_temp.letter(id) AS episode, string_agg(token, ' ' ORDER BY ordinal, token) AS terms, count(*) AS length
FROM memory.episodes, memory.tokens(concat_ws(E'\n', content, response)) WHERE namespace = 'recall_example'
GROUP BY id ORDER BY id;
-- 2. and 4. The lists, and what is lent.
SELECT pg_temp.letter(e.id) AS episode, arm, x #>> ARRAY[arm, 'rank'] AS rank, pg_temp.round4((x #>> ARRAY[arm, 'score'])::float8) AS own,
       pg_temp.round4((x #>> ARRAY[arm, 'lent'])::float8) AS lent, x #>> ARRAY[arm, 'rank_with_lent'] AS rank_with_lent
FROM memory.episodes e, memory.explain_recall(e.id, 'night train', '[1,0,0]') x, unnest('{lexical,vector}'::text[]) arm
WHERE namespace = 'recall_example' ORDER BY arm, e.id;
SELECT pg_temp.letter(e.id) AS episode, t ->> 'term' AS term, t -> 'documents' AS df, pg_temp.round4((t ->> 'weight')::float8) AS weight,
       pg_temp.round4((t ->> 'adds')::float8) AS adds, pg_temp.round4((x #>> '{lexical,most}')::float8) AS most
FROM memory.episodes e, memory.explain_recall(e.id, 'night train', '[1,0,0]') x, jsonb_path_query(x, '$.lexical.terms[*]') t
WHERE namespace = 'recall_example' AND (t ->> 'adds')::float8 > 0 ORDER BY e.id, 2;
-- 5. Fusion.
SELECT pg_temp.letter(id) AS episode, pg_temp.round4(score) AS score, pg_temp.round4(relevance) AS relevance, pg_temp.round4(bm25_score) AS bm25_score, bm25_rank,
       pg_temp.round4(vector_score) AS vector_score, vector_rank, match
FROM memory.recall_scored('night train', embedding => '[1,0,0]');
-- The same call, changed.
SELECT pg_temp.letter(id) AS episode, pg_temp.round4(score) AS "without context" FROM memory.recall_scored('night train', embedding => '[1,0,0]', context_weight => 0);
SELECT pg_temp.letter(id) AS episode, pg_temp.round4(score) AS "rrf" FROM memory.recall_scored('night train', embedding => '[1,0,0]', fusion => 'rrf', alpha => 0.5);
SELECT pg_temp.letter(id) AS episode, pg_temp.round4(score) AS "rrf without context" FROM memory.recall_scored('night train', embedding => '[1,0,0]', context_weight => 0, fusion => 'rrf', alpha => 0.5);
SELECT pg_temp.letter(id) AS episode, pg_temp.round4(score) AS "without embedding", match FROM memory.recall_scored('night train');
SELECT pg_temp.letter(id) AS diverse FROM memory.recall_scored('night train', embedding => '[1,0,0]', context_weight => 0, diversity => 0.8);
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
