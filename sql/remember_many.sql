-- remember_many: a JSON array of episodes, in order, all or nothing.
\pset format unaligned
\pset footer off
\pset null '~'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET memory.namespace = 'test of remember_many';
SET memory.user_id = 'ann';
SET TimeZone = 'UTC';
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
CREATE FUNCTION pg_temp.batch_refused(batch text) RETURNS text LANGUAGE sql AS $$
    SELECT pg_temp.refused(format('SELECT * FROM memory.remember_many(%L)', batch))
$$;

-- The ids come in the order of the elements, and increase.
CREATE TEMP TABLE made AS
SELECT * FROM memory.remember_many((SELECT jsonb_agg(jsonb_build_object('content', 'number ' || n) ORDER BY n)
                                    FROM generate_series(1, 500) AS n)) WITH ORDINALITY AS made(id, n);
SELECT count(*) AS made, bool_and(g.content = 'number ' || n) AS "in order" FROM made, memory.get(made.id) AS g;
SELECT bool_and(id > before) AS increasing FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM made) m;
SELECT count(*) AS "of none" FROM memory.remember_many('[]');

-- Every argument of remember is a key.
SELECT memory.remember_many($$[{"content": "How late is it?", "response": "Half past four.", "user_id": "bob",
    "session_id": "monday", "agent_id": "clock", "kind": "note", "role": "user", "metadata": {"n": 1.50},
    "importance": 0.25, "occurred_at": "2026-01-02 03:04:05+02", "ttl": "1 year", "embedding": [1, 2.5, -3e-1],
    "transcript": [{"role": "tool"}, null, 1], "id": "00000000-0000-7000-8000-0000000000cc"}]$$) AS id \gset
\echo :id
SELECT user_id, session_id, agent_id, kind, role, content, response, metadata, importance, occurred_at, transcript,
       expires_at = recorded_at + interval '1 year' AS "expires in a year"
FROM memory.get(:'id', 'bob');
SELECT embedding FROM memory.embeddings WHERE episode_id = :'id';
-- The same id once more replaces it, in the same batch too; a vector may be written as pgvector writes it.
SELECT count(*) FROM memory.remember_many($$[
    {"content": "replaced", "user_id": "bob", "id": "00000000-0000-7000-8000-0000000000cc"},
    {"content": "and again", "user_id": "bob", "id": "00000000-0000-7000-8000-0000000000cc", "embedding": "[4,5]"}]$$);
SELECT content, response, metadata FROM memory.get(:'id', 'bob');
SELECT embedding FROM memory.embeddings WHERE episode_id = :'id';

-- What an element does not say, the arguments say; what they do not, the settings; else the defaults.
SET memory.session_id = 'by the setting';
SET memory.agent_id = 'by the setting';
SELECT count(*) FROM memory.remember_many($$[
    {"content": "b", "user_id": "cyd", "session_id": "its own"}, {"content": "a"},
    {"content": "c", "user_id": null, "session_id": null, "agent_id": null, "kind": null, "role": null,
     "metadata": null, "importance": null, "occurred_at": null, "ttl": null, "embedding": null, "transcript": null,
     "response": null, "id": null}]$$, user_id => 'dee', session_id => 'by the argument');
SELECT content, user_id, session_id, agent_id, kind, role, metadata, importance, occurred_at = recorded_at AS "happened now", transcript
FROM memory.episodes WHERE namespace = 'test of remember_many' AND user_id IN ('cyd', 'dee') ORDER BY content;
SELECT count(*) FROM memory.remember_many('[{"content": "d"}]');
SELECT user_id, session_id FROM memory.recall_recent(k => 1);
RESET memory.session_id;
RESET memory.agent_id;

-- What is wrong with an element is told with its index, and nothing of the batch is written.
CREATE TEMP TABLE before AS SELECT count(*) AS episodes FROM memory.episodes;
SET memory.embedding_model = 'of three dimensions in test of remember_many';
SELECT memory.init(3);
SET memory.max_content = '1kB';
SELECT pg_temp.batch_refused(format('[{"content": "good"}, {"content": "good", "embedding": [1, 2, 3]}, %s]', element)) AS refused
FROM unnest(ARRAY[
    '1', 'null', 'true', '"content"', '[]', '[{"content": "nested"}]',
    '{}', '{"content": ""}', '{"content": null, "response": ""}', '{"role": "user"}',
    '{"content": 1}', '{"content": ["a"]}', '{"content": {"text": "a"}}', '{"content": true}',
    '{"content": "a", "response": 1}', '{"content": "a", "user_id": 1}', '{"content": "a", "user_id": ""}',
    '{"content": "a", "session_id": []}', '{"content": "a", "agent_id": {}}', '{"content": "a", "kind": 1}',
    '{"content": "a", "kind": ""}', '{"content": "a", "role": false}',
    '{"content": "a", "metadata": []}', '{"content": "a", "metadata": "{}"}', '{"content": "a", "metadata": 1}',
    '{"content": "a", "importance": "high"}', '{"content": "a", "importance": 1.01}',
    '{"content": "a", "importance": -0.01}', '{"content": "a", "importance": 1e39}',
    '{"content": "a", "occurred_at": 1767225600}', '{"content": "a", "occurred_at": "soon"}',
    '{"content": "a", "occurred_at": "infinity"}', '{"content": "a", "ttl": 60}', '{"content": "a", "ttl": "a while"}',
    '{"content": "a", "ttl": "0 s"}', '{"content": "a", "ttl": "-1 day"}', '{"content": "a", "ttl": "170000000 years"}',
    '{"content": "a", "embedding": 1}', '{"content": "a", "embedding": {}}', '{"content": "a", "embedding": []}',
    '{"content": "a", "embedding": [1, null, 3]}', '{"content": "a", "embedding": [1, [2], 3]}',
    '{"content": "a", "embedding": "1,2,3"}', '{"content": "a", "embedding": [1, 2]}',
    '{"content": "a", "id": 1}', '{"content": "a", "id": "1"}',
    '{"content": "a", "contents": "b"}', '{"content": "a", "Role": "user"}', '{"content": "a", "namespace": "b"}']) AS element;
SELECT pg_temp.batch_refused(format('[{"content": "good"}, {"content": "%s"}]', repeat('x', 1025))) AS refused;
SELECT pg_temp.batch_refused(format('[{"content": "good"}, {"content": "a", "user_id": "%s"}]', repeat('x', 513))) AS refused;
SELECT pg_temp.batch_refused(format('[{"content": "a", "%s": 1}]', repeat('key ', 100))) AS "what is long is cut";
SELECT count(*) - (TABLE before) AS "written by all of these" FROM memory.episodes;

-- Neither is an argument that is no array.
SELECT pg_temp.batch_refused(batch) AS refused
FROM unnest(ARRAY['{"content": "a"}', '"a"', '1', 'null', 'false']) AS batch;
SELECT pg_temp.refused('SELECT * FROM memory.remember_many(NULL)') AS refused;
-- Text that is no text in JSON does not become a jsonb.
SELECT pg_temp.batch_refused(batch) AS refused
FROM unnest(ARRAY['[{"content": "a\u0000b"}]', '[{"content": "\ud83d"}]', '[{"content": "a"}']) AS batch;
SELECT count(*) - (TABLE before) AS "written by all of these" FROM memory.episodes;

-- With the good ones alone, it works.
SELECT count(*) FROM memory.remember_many('[{"content": "good"}, {"content": "good", "embedding": [1, 2, 3]}]');
