-- The tables are the user's own: their columns may get other types and lose their NOT NULL, and triggers and rules may be
-- put on them. Nothing is read as what it is not, and nothing is said to be written that was not.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE FUNCTION pg_temp.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION pg_temp.refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text;
BEGIN
    EXECUTE statement;
    RETURN 'was not refused';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    RETURN concat_ws(' ', state, regexp_replace(message, 'operator does not exist: .*', 'no such operator'),
        '(' || nullif(regexp_replace(detail, 'in column "\w+" \(position (\d+)\)', 'in column \1'), '') || ')');
END $$;
-- What is said, and by which calls, when this has been done to the tables.
CREATE FUNCTION pg_temp.said(calls text[]) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT string_agg(split_part(call, '(', 1), ', ' ORDER BY call) || ': ' || error FROM (
        SELECT call, pg_temp.refused('SELECT FROM memory.' || call) AS error FROM unnest(calls) AS call OFFSET 0) c
    GROUP BY error ORDER BY error
$$;
CREATE FUNCTION pg_temp.after(change text, VARIADIC calls text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    all_said text[];
BEGIN
    EXECUTE change;
    all_said := ARRAY(SELECT pg_temp.said(calls));
    RAISE 'undo' USING ERRCODE = 'TEST0';
EXCEPTION WHEN SQLSTATE 'TEST0' THEN
    RETURN QUERY SELECT unnest(all_said);
END $$;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SELECT count(memory.remember(content, session_id => 's', ttl => '1 day', embedding => '[1,2]', id => id::uuid)) FROM (VALUES
    ('one red apple', '00000000-0000-7000-8000-000000000001'), ('two red apples', '00000000-0000-7000-8000-000000000002')) v (content, id);
SELECT memory.assert_fact('apple', 'is', 'red', id => '00000000-0000-7000-8000-00000000000f', embedding => '[1,2]') AS id;

-- Other types. Every call says that it is refused, or answers; afterwards as before.
CREATE TEMP TABLE reads AS SELECT ARRAY['recall(''apple'')', 'recall_scored(''apple'', diversity => 0.5)', 'recall_scored(''apple'', ''[1,2]'', session_id => ''s'', context_weight => 1)',
    'recall_semantic(''[1,2]'')', 'recall_recent()', 'get(''00000000-0000-7000-8000-000000000001'')', 'explain_recall(''00000000-0000-7000-8000-000000000001'', ''apple'', ''[1,2]'')',
    'facts()', 'recall_facts(''apple'', ''[1,2]'')', 'traverse(''{apple}'')', 'neighbors(''apple'')', 'fact_history(''apple'', ''is'')'] AS calls;
CREATE TEMP TABLE writes AS SELECT ARRAY['remember(''apple'', embedding => ''[1,2]'')', 'remember_many(''[{"content": "a", "embedding": [1,2]}]'')',
    'revise(''00000000-0000-7000-8000-000000000001'', ''pear'')', 'assert_fact(''apple'', ''is'', ''green'', sources => ''{00000000-0000-7000-8000-000000000001}'', embedding => ''[1,2]'')',
    'assert_facts(''[{"subject": "a", "predicate": "b", "object": "c"}, {"subject": "b", "predicate": "b", "object": "c"}]'')',
    'correct_fact(''00000000-0000-7000-8000-00000000000f'', ''yellow'')', 'retract_fact(''apple'', ''is'')', 'reject_fact(''apple'', ''is'', ''red'')', 'merge_entities(''apple'', ''fruit'')'] AS calls;
SELECT pg_temp.said(calls) FROM reads;
SELECT pg_temp.after('SELECT 1', VARIADIC calls) FROM writes;
SELECT pg_temp.after('ALTER TABLE memory.episodes DROP CONSTRAINT metadata_is_object, ALTER metadata DROP DEFAULT, ALTER metadata TYPE text', VARIADIC r.calls || w.calls) FROM reads r, writes w;
SELECT pg_temp.after('DROP TRIGGER memory_end_set ON memory.episodes; ALTER TABLE memory.episodes ALTER expires_at TYPE text; CREATE TRIGGER memory_end_set AFTER UPDATE ON memory.episodes EXECUTE FUNCTION pg_temp.nothing()', VARIADIC r.calls) FROM reads r;
SELECT pg_temp.after('ALTER TABLE memory.episodes DROP CONSTRAINT importance_between_0_and_1, ALTER importance DROP DEFAULT, ALTER importance TYPE numeric', VARIADIC r.calls) FROM reads r;
SELECT pg_temp.after('DROP TRIGGER memory_end_set ON memory.episodes; ALTER TABLE memory.episodes ALTER kind TYPE varchar(20), ALTER role TYPE varchar; CREATE TRIGGER memory_end_set AFTER UPDATE ON memory.episodes EXECUTE FUNCTION pg_temp.nothing()', VARIADIC r.calls) FROM reads r;
SELECT pg_temp.after('ALTER TABLE memory.episodes DROP CONSTRAINT session_id_from_1_to_1024_bytes, ALTER session_id DROP DEFAULT, ALTER session_id TYPE bigint USING 1311768467294899695, ALTER session_id SET DEFAULT 1', VARIADIC r.calls) FROM reads r;
SELECT pg_temp.after('ALTER TABLE memory.episodes DROP COLUMN importance', VARIADIC r.calls) FROM reads r;
SELECT pg_temp.after('DROP INDEX memory.embeddings_by_code; DROP TRIGGER memory_dimensions_fit ON memory.embeddings; ALTER TABLE memory.embeddings ALTER embedding TYPE real[] USING ARRAY[1, 2]; CREATE TRIGGER memory_dimensions_fit AFTER UPDATE ON memory.embeddings EXECUTE FUNCTION pg_temp.nothing()', VARIADIC r.calls || w.calls) FROM reads r, writes w;
SELECT pg_temp.after('ALTER TABLE memory.embeddings DROP CONSTRAINT embeddings_namespace_user_id_episode_id_fkey, DROP CONSTRAINT embeddings_pkey, ALTER episode_id TYPE bigint USING 1311768467294899695 + ascii(right(episode_id::text, 1)), ADD PRIMARY KEY (namespace, user_id, episode_id, model)', VARIADIC r.calls) FROM reads r;
SELECT pg_temp.after('ALTER TABLE memory.models DROP CONSTRAINT models_dimensions_check, ALTER dimensions TYPE text; INSERT INTO memory.models VALUES (''default'', ''2'')', VARIADIC r.calls || w.calls) FROM reads r, writes w;
SELECT pg_temp.after('ALTER TABLE memory.facts DROP CONSTRAINT confidence_between_0_and_1, ALTER confidence DROP DEFAULT, ALTER confidence TYPE text', VARIADIC r.calls || w.calls) FROM reads r, writes w;
SELECT pg_temp.after('ALTER TABLE memory.facts DROP statement; ALTER TABLE memory.facts ALTER subject TYPE "char", ADD statement text DEFAULT ''''', VARIADIC r.calls || w.calls) FROM reads r, writes w;
-- What the library needs and the table lacks is told by name.
SELECT pg_temp.after('ALTER TABLE memory.facts DROP statement', VARIADIC r.calls || w.calls) FROM reads r, writes w;
SELECT pg_temp.after('ALTER TABLE memory.fact_sources DROP CONSTRAINT fact_sources_namespace_user_id_episode_id_fkey, ALTER episode_id TYPE bigint USING 1311768467294899695', VARIADIC r.calls || w.calls) FROM reads r, writes w;
SELECT pg_temp.after('ALTER TABLE memory.timelines ALTER last_known TYPE timestamp', VARIADIC w.calls) FROM writes w;

-- Nulls.
SELECT pg_temp.after('ALTER TABLE memory.episodes ALTER importance DROP NOT NULL; UPDATE memory.episodes SET importance = NULL', VARIADIC r.calls) FROM reads r;
SELECT pg_temp.after('ALTER TABLE memory.embeddings ALTER embedding DROP NOT NULL; UPDATE memory.embeddings SET embedding = NULL', VARIADIC r.calls) FROM reads r;
SELECT pg_temp.after('ALTER TABLE memory.fact_embeddings ALTER embedding DROP NOT NULL; UPDATE memory.fact_embeddings SET embedding = NULL', VARIADIC r.calls) FROM reads r;
SELECT pg_temp.after('ALTER TABLE memory.facts ALTER metadata DROP NOT NULL; UPDATE memory.facts SET metadata = NULL', VARIADIC w.calls) FROM writes w;

-- Rows that a trigger or a rule keeps out.
CREATE FUNCTION public.swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
SELECT name, pg_temp.after(format('CREATE TRIGGER swallow BEFORE INSERT OR UPDATE ON memory.%I FOR EACH ROW EXECUTE FUNCTION public.swallow()', name), VARIADIC w.calls)
FROM writes w, unnest('{episodes,embeddings,episode_revisions,facts,timelines,fact_sources,fact_embeddings,rejections,entity_aliases}'::text[]) AS name;
SELECT pg_temp.after('CREATE TRIGGER swallow BEFORE INSERT ON memory.predicates FOR EACH ROW EXECUTE FUNCTION public.swallow()', 'define_predicate(''likes'', ''many'')');
SELECT pg_temp.after('CREATE TRIGGER swallow BEFORE INSERT ON memory.models FOR EACH ROW EXECUTE FUNCTION public.swallow()', 'init(2)');
SELECT pg_temp.after('CREATE RULE swallow AS ON INSERT TO memory.episodes DO INSTEAD NOTHING', VARIADIC w.calls) FROM writes w;
SELECT pg_temp.after('CREATE RULE other AS ON INSERT TO memory.episodes DO INSTEAD SELECT 1311768467294899695', VARIADIC w.calls) FROM writes w;
SELECT pg_temp.after('SELECT ''without the rules''', VARIADIC w.calls) FROM writes w;
SELECT pg_temp.after('CREATE RULE other AS ON UPDATE TO memory.timelines DO INSTEAD SELECT 1311768467294899695', VARIADIC w.calls) FROM writes w;

-- A table that inherits is not ours: the same answer however it is found.
CREATE TABLE public.more () INHERITS (memory.episodes);
INSERT INTO public.more (namespace, user_id, id, content) SELECT 'default', '', gen_random_uuid(), 'red apple ' || n FROM generate_series(1, 500) AS n;
SELECT count(*) FROM memory.recall('apple', k => 1000);
SELECT count(*) FROM memory.recall_scored('apple', k => 1000, filter => '{}');
SELECT count(*) FROM memory.recall_scored('apple', k => 1000, kinds => '{episodic}', context_weight => 0.5);
DROP TABLE public.more;

DROP FUNCTION public.swallow();
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
