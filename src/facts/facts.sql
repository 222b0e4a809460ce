-- Facts: what is true when, as it was known when.

CREATE TYPE memory.fact AS (
    id uuid,
    subject text,
    predicate text,
    object text,
    confidence float8,
    valid_from timestamptz,
    valid_until timestamptz,
    known_from timestamptz,
    known_until timestamptz,
    sources uuid[],
    metadata jsonb,
    user_id text
);
COMMENT ON TYPE memory.fact IS
'One version of a fact as functions return it: subject, predicate and object, when that was true (valid) and when we believed it (known). Both are half-open; an end that is NULL has not come.';
COMMENT ON COLUMN memory.fact.id IS 'Of this version.';
COMMENT ON COLUMN memory.fact.subject IS 'As first written.';
COMMENT ON COLUMN memory.fact.predicate IS 'In its normal form.';
COMMENT ON COLUMN memory.fact.object IS 'As first written.';
COMMENT ON COLUMN memory.fact.confidence IS 'Between 0 and 1.';
COMMENT ON COLUMN memory.fact.valid_from IS 'Since when it is true. NULL: it always was.';
COMMENT ON COLUMN memory.fact.valid_until IS 'From then on it is not true any more; NULL: no end is known.';
COMMENT ON COLUMN memory.fact.known_from IS 'Since when this was believed.';
COMMENT ON COLUMN memory.fact.known_until IS 'From then on something else was believed; NULL: this is believed now.';
COMMENT ON COLUMN memory.fact.sources IS 'Ids of the episodes that it comes from.';
COMMENT ON COLUMN memory.fact.metadata IS 'A JSON object of the application''s.';
COMMENT ON COLUMN memory.fact.user_id IS 'Whose fact this is; NULL for the anonymous user.';

CREATE FUNCTION memory.assert_fact(subject text, predicate text, object text, user_id text DEFAULT NULL,
    valid_from timestamptz DEFAULT now(), valid_until timestamptz DEFAULT NULL, confidence float8 DEFAULT 1.0,
    sources uuid[] DEFAULT '{}', metadata jsonb DEFAULT '{}', embedding vector DEFAULT NULL, id uuid DEFAULT NULL)
    RETURNS uuid
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_assert_fact';
COMMENT ON FUNCTION memory.assert_fact(text, text, text, text, timestamptz, timestamptz, float8, uuid[], jsonb, vector, uuid) IS
'Records the belief that the object holds from valid_from until valid_until; without valid_until, until the next change that is known. Other objects of a one-valued predicate give way in that time only. Earlier beliefs stay readable. The same fact again extends and merges. Returns the id of the version that says so, NULL when the value was rejected.';

CREATE FUNCTION memory.assert_facts(facts jsonb, user_id text DEFAULT NULL) RETURNS SETOF uuid
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_assert_facts';
COMMENT ON FUNCTION memory.assert_facts(jsonb, text) IS
'Asserts a JSON array of objects whose keys are the names of memory.assert_fact''s arguments, in order, all or nothing, and returns their ids. An element''s own user_id comes before the argument.';

CREATE FUNCTION memory.retract_fact(subject text, predicate text, object text DEFAULT NULL, user_id text DEFAULT NULL,
    valid_from timestamptz DEFAULT now(), valid_until timestamptz DEFAULT NULL)
    RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_retract_fact';
COMMENT ON FUNCTION memory.retract_fact(text, text, text, text, timestamptz, timestamptz) IS
'Ends the belief in the subject''s object, or in this object, from valid_from until valid_until; without valid_until, for ever. Returns how many current facts were ended or cut.';

CREATE FUNCTION memory.correct_fact(id uuid, object text DEFAULT NULL, valid_from timestamptz DEFAULT NULL,
    valid_until timestamptz DEFAULT NULL, user_id text DEFAULT NULL)
    RETURNS uuid
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_correct_fact';
COMMENT ON FUNCTION memory.correct_fact(uuid, text, timestamptz, timestamptz, text) IS
'Replaces a current version of a fact by one with another object or other times; what is NULL stays as it is. Lifts a rejection of the object. Returns the id of the new version.';

CREATE FUNCTION memory.reject_fact(subject text, predicate text, object text, reason text DEFAULT NULL,
    user_id text DEFAULT NULL)
    RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_reject_fact';
COMMENT ON FUNCTION memory.reject_fact(text, text, text, text, text) IS
'Ends this fact at all times and keeps it out: a later assertion of it, in any spelling, is ignored with a NOTICE. memory.correct_fact, or an assertion with metadata {"override": true}, lifts that.';

CREATE FUNCTION memory.facts(subject text DEFAULT NULL, predicate text DEFAULT NULL, object text DEFAULT NULL,
    user_id text DEFAULT NULL, valid_at timestamptz DEFAULT now(), known_at timestamptz DEFAULT NULL, k bigint DEFAULT 10)
    RETURNS SETOF memory.fact
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 10
    AS 'MODULE_PATHNAME', 'memory_facts';
COMMENT ON FUNCTION memory.facts(text, text, text, text, timestamptz, timestamptz, bigint) IS
'The facts that held at valid_at (NULL: at any time) as they were believed at known_at (NULL: latest), newest valid_from first.';

CREATE FUNCTION memory.fact_history(subject text, predicate text, user_id text DEFAULT NULL)
    RETURNS SETOF memory.fact
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 20
    AS 'MODULE_PATHNAME', 'memory_fact_history';
COMMENT ON FUNCTION memory.fact_history(text, text, text) IS
'Every version of what was believed of a subject and predicate, in the order in which it came to be known.';

CREATE FUNCTION memory.normalize_predicate(predicate text) RETURNS text
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_normalize_predicate';
COMMENT ON FUNCTION memory.normalize_predicate(text) IS
'The normal form of a predicate: its words, case-folded and joined by _. Name_Is, name-is, nameIs and "name is" are all name_is.';

CREATE FUNCTION memory.define_predicate(predicate text, cardinality text DEFAULT 'one', inverse text DEFAULT NULL)
    RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_define_predicate';
COMMENT ON FUNCTION memory.define_predicate(text, text, text) IS
'Defines a predicate of the namespace: how many objects a subject has at a time, and the name by which it is followed from the object. Stored facts are rearranged, which waits for all writers. It is an error to make a predicate one-valued while a subject has several objects at once. For the owner of the tables and admins.';

-- The graph: entities are subjects and objects, edges are facts.

CREATE TYPE memory.neighbor AS (
    neighbor text,
    predicate text,
    outgoing boolean,
    fact_id uuid,
    confidence float8,
    valid_from timestamptz,
    valid_until timestamptz
);
COMMENT ON TYPE memory.neighbor IS 'A fact of an entity as memory.neighbors returns it, with what is at its other end.';
COMMENT ON COLUMN memory.neighbor.neighbor IS 'The entity at the other end, by the name that is kept.';
COMMENT ON COLUMN memory.neighbor.predicate IS 'In its normal form; of a fact that is not outgoing, the inverse where there is one.';
COMMENT ON COLUMN memory.neighbor.outgoing IS 'Whether the entity is the subject.';
COMMENT ON COLUMN memory.neighbor.fact_id IS 'Of the version.';
COMMENT ON COLUMN memory.neighbor.confidence IS 'Between 0 and 1.';
COMMENT ON COLUMN memory.neighbor.valid_from IS 'Since when it is true. NULL: it always was.';
COMMENT ON COLUMN memory.neighbor.valid_until IS 'From then on it is not true any more; NULL: no end is known.';

CREATE FUNCTION memory.neighbors(entity text, direction text DEFAULT 'both', user_id text DEFAULT NULL,
    valid_at timestamptz DEFAULT now(), known_at timestamptz DEFAULT NULL)
    RETURNS SETOF memory.neighbor
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 20
    AS 'MODULE_PATHNAME', 'memory_neighbors';
COMMENT ON FUNCTION memory.neighbors(text, text, text, timestamptz, timestamptz) IS
'The facts of an entity, under all its names, each with what is at its other end. Newest first.';

CREATE FUNCTION memory.traverse(seeds text[], hops bigint DEFAULT 2, k bigint DEFAULT 50, user_id text DEFAULT NULL,
    valid_at timestamptz DEFAULT now(), known_at timestamptz DEFAULT NULL)
    RETURNS TABLE (path text, depth bigint, entity text, fact_ids uuid[])
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 50
    AS 'MODULE_PATHNAME', 'memory_traverse';
COMMENT ON FUNCTION memory.traverse(text[], bigint, bigint, text, timestamptz, timestamptz) IS
'Paths from the seeds along facts, in both directions. No path enters an entity twice; merged names are one entity. Shorter paths first, then those whose last fact is newest.';

CREATE FUNCTION memory.merge_entities(kept text, alias text, user_id text DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_merge_entities';
COMMENT ON FUNCTION memory.merge_entities(text, text, text) IS
'Makes both names one entity of the graph, shown by the kept name. Facts keep the name that they were asserted with.';

-- Facts by what they say.

CREATE TYPE memory.recalled_fact AS (
    id uuid,
    subject text,
    predicate text,
    object text,
    confidence float8,
    valid_from timestamptz,
    valid_until timestamptz,
    known_from timestamptz,
    known_until timestamptz,
    sources uuid[],
    metadata jsonb,
    user_id text,
    score float8,
    bm25_score float8,
    vector_score float8
);
COMMENT ON TYPE memory.recalled_fact IS
'A fact as memory.recall_facts returns it: memory.fact and its scores.';
COMMENT ON COLUMN memory.recalled_fact.id IS 'Of this version.';
COMMENT ON COLUMN memory.recalled_fact.subject IS 'As first written.';
COMMENT ON COLUMN memory.recalled_fact.predicate IS 'In its normal form.';
COMMENT ON COLUMN memory.recalled_fact.object IS 'As first written.';
COMMENT ON COLUMN memory.recalled_fact.confidence IS 'Between 0 and 1.';
COMMENT ON COLUMN memory.recalled_fact.valid_from IS 'Since when it is true. NULL: it always was.';
COMMENT ON COLUMN memory.recalled_fact.valid_until IS 'From then on it is not true any more; NULL: no end is known.';
COMMENT ON COLUMN memory.recalled_fact.known_from IS 'Since when this was believed.';
COMMENT ON COLUMN memory.recalled_fact.known_until IS 'From then on something else was believed; NULL: this is believed now.';
COMMENT ON COLUMN memory.recalled_fact.sources IS 'Ids of the episodes that it comes from.';
COMMENT ON COLUMN memory.recalled_fact.metadata IS 'A JSON object of the application''s.';
COMMENT ON COLUMN memory.recalled_fact.user_id IS 'Whose fact this is; NULL for the anonymous user.';
COMMENT ON COLUMN memory.recalled_fact.score IS 'What it is ordered by; 1 is first on every list.';
COMMENT ON COLUMN memory.recalled_fact.bm25_score IS 'Of its text; NULL where that does not match.';
COMMENT ON COLUMN memory.recalled_fact.vector_score IS 'The cosine; NULL where it is not ranked by that.';

CREATE FUNCTION memory.recall_facts(query text, embedding vector DEFAULT NULL, k bigint DEFAULT 5, user_id text DEFAULT NULL,
    valid_at timestamptz DEFAULT now(), known_at timestamptz DEFAULT NULL)
    RETURNS SETOF memory.recalled_fact
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 5
    AS 'MODULE_PATHNAME', 'memory_recall_facts';
COMMENT ON FUNCTION memory.recall_facts(text, vector, bigint, text, timestamptz, timestamptz) IS
'The facts that hold at valid_at, as believed at known_at, best first: by BM25 of "subject predicate object" among the user''s facts, by cosine similarity, or by reciprocal rank fusion of both. Without a query and an embedding, the newest.';

CREATE FUNCTION memory.recall_graph(query text, hops bigint DEFAULT 2, k bigint DEFAULT 10, user_id text DEFAULT NULL,
    valid_at timestamptz DEFAULT now(), known_at timestamptz DEFAULT NULL)
    RETURNS TABLE (path text, depth bigint, entity text, fact_ids uuid[])
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 10
    AS 'MODULE_PATHNAME', 'memory_recall_graph';
COMMENT ON FUNCTION memory.recall_graph(text, bigint, bigint, text, timestamptz, timestamptz) IS
'The paths of memory.traverse from the subjects and objects of the k facts that memory.recall_facts finds for the query.';

CREATE FUNCTION memory_internal.embed_fact() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_embed_fact';
COMMENT ON FUNCTION memory_internal.embed_fact() IS
'Trigger function: makes the vector of what a fact says where the database embeds by itself.';
