-- Recall: what of a user's episodes answers a question.

CREATE TYPE memory.recalled AS (
    id uuid,
    content text,
    response text,
    kind text,
    role text,
    session_id text,
    agent_id text,
    occurred_at timestamptz,
    metadata jsonb,
    importance float8,
    score float8,
    relevance float8,
    bm25_score float8,
    vector_score float8,
    bm25_rank bigint,
    vector_rank bigint,
    match text
);
COMMENT ON TYPE memory.recalled IS
'An episode as memory.recall_scored returns it, with its scores and ranks.';
COMMENT ON COLUMN memory.recalled.id IS 'As in memory.episodes; so are the columns up to importance.';
COMMENT ON COLUMN memory.recalled.content IS 'The text to recall; empty only where there is a response.';
COMMENT ON COLUMN memory.recalled.response IS 'The answer to content.';
COMMENT ON COLUMN memory.recalled.kind IS 'Free text.';
COMMENT ON COLUMN memory.recalled.role IS 'The speaker.';
COMMENT ON COLUMN memory.recalled.session_id IS 'The conversation it belongs to.';
COMMENT ON COLUMN memory.recalled.agent_id IS 'The agent that wrote it.';
COMMENT ON COLUMN memory.recalled.occurred_at IS 'When it happened, as the application says.';
COMMENT ON COLUMN memory.recalled.metadata IS 'A JSON object of the application''s.';
COMMENT ON COLUMN memory.recalled.importance IS 'Between 0 and 1.';
COMMENT ON COLUMN memory.recalled.score IS 'What the rows are ordered by: fused, times importance and decay. 1 is first on both lists, by `rrf`.';
COMMENT ON COLUMN memory.recalled.relevance IS '0 to 1: how much of the question the row answers.';
COMMENT ON COLUMN memory.recalled.bm25_score IS 'The row''s own BM25 score.';
COMMENT ON COLUMN memory.recalled.vector_score IS 'The cosine.';
COMMENT ON COLUMN memory.recalled.bm25_rank IS 'The row''s place by its words, from 1.';
COMMENT ON COLUMN memory.recalled.vector_rank IS 'The row''s place by its vector, from 1. Far down it is an estimate where codes of vectors are asked (docs/codes.md).';
COMMENT ON COLUMN memory.recalled.match IS 'What found the row: `lexical`, `vector`, `both`, `context` (only what its conversation lends) or `recent`.';

CREATE FUNCTION memory.recall_scored(query text DEFAULT NULL, embedding vector DEFAULT NULL,
    k bigint DEFAULT 5, alpha float8 DEFAULT NULL, user_id text DEFAULT NULL, session_id text DEFAULT NULL,
    agent_id text DEFAULT NULL, kinds text[] DEFAULT NULL, filter jsonb DEFAULT NULL,
    since timestamptz DEFAULT NULL, until timestamptz DEFAULT NULL, min_relevance float8 DEFAULT 0,
    half_life interval DEFAULT NULL, diversity float8 DEFAULT 0, context_weight float8 DEFAULT NULL,
    fusion text DEFAULT NULL, fallback text DEFAULT 'none', skip bigint DEFAULT 0, model text DEFAULT NULL,
    rrf_k bigint DEFAULT 60, fuzzy boolean DEFAULT NULL)
    RETURNS SETOF memory.recalled
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 5
    AS 'MODULE_PATHNAME', 'memory_recall_scored';
COMMENT ON FUNCTION memory.recall_scored(text, vector, bigint, float8, text, text, text, text[], jsonb, timestamptz, timestamptz, float8, interval, float8, float8, text, text, bigint, text, bigint, boolean) IS
'The k episodes of this user that answer a query best: by their words (BM25), by their embeddings (cosine), and by both fused. Filters apply before k. A component on which a row is not ranked is NULL.';

CREATE FUNCTION memory.recall(query text, k bigint DEFAULT 5, user_id text DEFAULT NULL,
    since timestamptz DEFAULT NULL, until timestamptz DEFAULT NULL, embedding vector DEFAULT NULL,
    filter jsonb DEFAULT NULL, fuzzy boolean DEFAULT NULL)
    RETURNS TABLE (id uuid, content text, response text, occurred_at timestamptz, score float8)
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 5
    AS 'MODULE_PATHNAME', 'memory_recall';
COMMENT ON FUNCTION memory.recall(text, bigint, text, timestamptz, timestamptz, vector, jsonb, boolean) IS
'The episodes that memory.recall_scored returns, in the same order and with the same score, in few columns.';

CREATE FUNCTION memory.recall_semantic(embedding vector, k bigint DEFAULT 10, threshold float8 DEFAULT 0.7,
    user_id text DEFAULT NULL, agent_id text DEFAULT NULL, kind text DEFAULT NULL, filter jsonb DEFAULT NULL,
    model text DEFAULT NULL)
    RETURNS TABLE (id uuid, content text, metadata jsonb, similarity float8)
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 10
    AS 'MODULE_PATHNAME', 'memory_recall_semantic';
COMMENT ON FUNCTION memory.recall_semantic(vector, bigint, float8, text, text, text, jsonb, text) IS
'The k episodes of this user whose embeddings have the greatest cosines with this one, above the threshold, the most similar first. With k NULL all above it.';

CREATE FUNCTION memory.explain_recall(id uuid, query text DEFAULT NULL, embedding vector DEFAULT NULL,
    k bigint DEFAULT 5, alpha float8 DEFAULT NULL, user_id text DEFAULT NULL, session_id text DEFAULT NULL,
    agent_id text DEFAULT NULL, kinds text[] DEFAULT NULL, filter jsonb DEFAULT NULL,
    since timestamptz DEFAULT NULL, until timestamptz DEFAULT NULL, min_relevance float8 DEFAULT 0,
    half_life interval DEFAULT NULL, diversity float8 DEFAULT 0, context_weight float8 DEFAULT NULL,
    fusion text DEFAULT NULL, fallback text DEFAULT 'none', skip bigint DEFAULT 0, model text DEFAULT NULL,
    rrf_k bigint DEFAULT 60, fuzzy boolean DEFAULT NULL)
    RETURNS jsonb
    LANGUAGE C STABLE PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_explain_recall';
COMMENT ON FUNCTION memory.explain_recall(uuid, text, vector, bigint, float8, text, text, text, text[], jsonb, timestamptz, timestamptz, float8, interval, float8, float8, text, text, bigint, text, bigint, boolean) IS
'Explains an answer of memory.recall_scored: why this episode is at its place for the same arguments, or why it is not in the answer. Rank, score and terms on each arm, what its conversation lends, by term, too, what else ranks words, weights, and the filters that it fails.';

CREATE FUNCTION memory.create_vector_index(dimensions bigint DEFAULT NULL, concurrently boolean DEFAULT false) RETURNS SETOF text
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_create_vector_index';
COMMENT ON FUNCTION memory.create_vector_index(bigint, boolean) IS
'Makes the vector index of the current model (memory.embedding_model), which serves users with more vectors than memory.exact_vector_rows, and returns the statements that it ran; no row if it is there. Writes of embeddings wait meanwhile; concurrently, it runs nothing and returns the statements that build the index beside them, for their owner to run outside of a transaction (\gexec in psql). For the owner of the tables and admins.';
