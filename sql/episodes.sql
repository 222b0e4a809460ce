-- Episodes: remember, get, revise, recall_recent.
\pset format unaligned
\pset footer off
\pset null '~'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET memory.namespace = 'test of episodes';
SET memory.user_id = 'ann';
SET TimeZone = 'UTC';

-- What is remembered with everything is got back with everything.
SELECT memory.remember('How late is it?', 'Half past four.', session_id => 'monday', agent_id => 'clock',
    kind => 'note', role => 'user', metadata => '{"tags": ["time"], "n": 1.50}', importance => 0.25,
    occurred_at => '2026-01-02 03:04:05.678901+02', ttl => '1 year', embedding => '[1,2,3]',
    transcript => '[{"role": "tool"}, null, 1]', id => '00000000-0000-7000-8000-0000000000aa') AS id \gset
SELECT * FROM memory.get(:'id') \gset
\echo :id :user_id :session_id :agent_id :kind :role
\echo :content :response :occurred_at
\echo :metadata :importance :transcript
SELECT :'expires_at' = :'recorded_at'::timestamptz + interval '1 year' AS "expires a ttl after it was recorded",
       :'recorded_at' BETWEEN now() - interval '1 hour' AND now() AS "recorded now";
SELECT model, embedding FROM memory.embeddings WHERE episode_id = :'id';

-- What is remembered with a text alone has defaults.
BEGIN;
SELECT memory.remember('By default') AS id \gset
SELECT user_id, session_id, agent_id, kind, role, content, response, metadata, importance, transcript, expires_at,
       occurred_at = now() AS "happened now", recorded_at = now() AS "recorded now" FROM memory.get(:'id');
ROLLBACK;
-- NULL is "not given", too.
SELECT memory.remember('By NULLs', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) AS id \gset
SELECT kind, metadata, importance, occurred_at = recorded_at AS "happened now" FROM memory.get(:'id');
-- A response alone is an episode.
SELECT memory.remember('', 'An answer to nothing') AS id \gset
SELECT content, response FROM memory.get(:'id');
SELECT memory.remember(NULL, 'An answer to nothing') AS id \gset
SELECT content, response FROM memory.get(:'id');
-- The bounds of importance belong to it.
SELECT memory.remember('least', importance => 0) AS id \gset
SELECT importance FROM memory.get(:'id');
-- Text is kept to the byte.
SELECT memory.remember(E'  \t\r\n\u00e9e\u0301 \U0001F600\u200d\u0600 ''"\\$1%s') AS id \gset
SELECT content = E'  \t\r\n\u00e9e\u0301 \U0001F600\u200d\u0600 ''"\\$1%s' AS "to the byte" FROM memory.get(:'id');
SELECT content FROM memory.get('00000000-0000-7000-8000-00000000dead');
SELECT content FROM memory.get(NULL);

-- So is one that lies compressed or out of line in the table that it comes from.
CREATE TEMP TABLE source AS
SELECT string_agg(md5(n::text), '') AS random, repeat('x', 1000000) AS regular,
       jsonb_object_agg(n, md5(n::text)) AS json, array_agg(n % 100)::vector AS vector FROM generate_series(1, 3000) AS n;
SET memory.embedding_model = 'out of line in test of episodes';
SELECT memory.remember(random, regular, metadata => json, transcript => json, embedding => vector) AS one,
       memory.remember(regular, random) AS two FROM source \gset
SELECT memory.revise(:'two', random, regular) FROM source;
SELECT (memory.get(:'one')).content = random AS content, (memory.get(:'one')).response = regular AS response,
       (memory.get(:'one')).metadata = json AS metadata, (memory.get(:'one')).transcript = json AS transcript,
       (memory.get(:'two')).content = random AS content, (memory.get(:'two')).response = regular AS response FROM source;
SELECT embedding = vector AS embedding FROM source, memory.embeddings WHERE episode_id = :'one';
SELECT content = regular AS content, r.response = random AS response FROM source, memory.episode_revisions r WHERE episode_id = :'two';
SELECT memory.remember_many(jsonb_build_array(jsonb_build_object('content', random, 'response', regular, 'transcript', json))) AS three FROM source \gset
SELECT (memory.get(:'three')).content = random AS content, (memory.get(:'three')).response = regular AS response,
       (memory.get(:'three')).transcript = json AS transcript FROM source;
SET memory.max_content = '90kB';
SELECT memory.remember(random) FROM source;
SELECT memory.remember('a', regular) FROM source;
INSERT INTO memory.episodes (content) SELECT random FROM source;
INSERT INTO memory.episodes (content) SELECT regular FROM source;
RESET memory.max_content;
RESET memory.embedding_model;

-- Ids are UUIDv7 of now, each greater than the one before.
CREATE TEMP TABLE made AS SELECT n, memory.remember('number ' || n) AS id FROM generate_series(1, 1000) AS n;
SELECT count(DISTINCT id) AS ids, bool_and(id > before) AS increasing, bool_and(id::text ~ '^.{14}7.{4}[89ab]') AS v7,
       bool_and(abs(extract(epoch FROM now()) * 1000 - ('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint) < 3600000) AS of_now
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM made) m;

-- What has expired is invisible to every call,
SELECT memory.remember('soon gone', ttl => '1 microsecond') AS id \gset
SELECT count(*) = 0 AS expired FROM memory.get(:'id');
SELECT count(*) FROM memory.recall_recent(k => 10000) WHERE content = 'soon gone';
SELECT memory.revise(:'id', 'too late');
-- and is counted from now, not from when it happened.
SELECT memory.remember('long ago', occurred_at => '1999-12-31', ttl => '1 hour') AS id \gset
SELECT content FROM memory.get(:'id');
-- An id that has expired can be remembered again.
SELECT memory.remember('soon gone', ttl => '1 microsecond', id => '00000000-0000-7000-8000-0000000000ee') AS id \gset
SELECT count(*) = 0 AS expired FROM memory.get(:'id');
SELECT memory.remember('back again', id => :'id') = :'id' AS remembered;
SELECT content, expires_at FROM memory.get(:'id');

-- An id that this user has is replaced whole: nothing of the old episode stays.
SELECT memory.remember('first', 'answer', session_id => 's', agent_id => 'a', kind => 'k', role => 'r',
    metadata => '{"old": true}', importance => 0.5, occurred_at => '2020-01-01', ttl => '1 day',
    embedding => '[1,2,2]', transcript => '[]', id => '00000000-0000-7000-8000-0000000000bb') AS id \gset
SELECT memory.revise(:'id', 'first, revised', 'answer');
INSERT INTO memory.embeddings (episode_id, embedding) VALUES (:'id', '[1,2,2]');
INSERT INTO memory.embeddings (episode_id, model, embedding) VALUES (:'id', 'another', '[1,2,3]');
INSERT INTO memory.usage (namespace, user_id, episode_id, accesses) VALUES ('test of episodes', 'ann', :'id', 7);
SELECT memory.remember('second', embedding => '[3,4,4]', id => :'id') = :'id' AS "the same id";
SELECT session_id, agent_id, kind, role, content, response, metadata, importance, occurred_at = recorded_at AS "happened now",
       transcript, expires_at FROM memory.get(:'id');
SELECT model, embedding FROM memory.embeddings WHERE episode_id = :'id';
SELECT count(*) AS revisions FROM memory.episode_revisions WHERE episode_id = :'id';
SELECT count(*) AS usage FROM memory.usage WHERE episode_id = :'id';
SELECT memory.remember('third', id => :'id') = :'id' AS "the same id";
SELECT count(*) AS embeddings FROM memory.embeddings WHERE episode_id = :'id';
-- Another user's same id is another episode, with belongings of its own.
SELECT memory.remember('bob''s', embedding => '[5,6,6]', user_id => 'bob', id => :'id') = :'id' AS "the same id";
SELECT memory.revise(:'id', 'bob''s, revised', user_id => 'bob');
SELECT memory.remember('fourth', id => :'id') = :'id' AS "the same id";
SELECT user_id, content FROM memory.episodes WHERE id = :'id' AND namespace = 'test of episodes' ORDER BY 1;
SELECT user_id, revision, content FROM memory.episode_revisions WHERE episode_id = :'id' ORDER BY 1, 2;

-- revise gives a new text and keeps the old one.
SELECT memory.remember('I live in Paris', 'Noted', metadata => '{"n": 1}', occurred_at => '2021-01-01', embedding => '[1,2,2]') AS id \gset
SELECT memory.revise(:'id', 'I live in Tokyo');
SELECT content, response, metadata, occurred_at FROM memory.get(:'id');
SELECT memory.revise(:'id', 'I live in Rome', 'Bene');
SELECT content, response FROM memory.get(:'id');
SELECT revision, content, response, revised_at >= recorded_at AS "in order" FROM memory.episode_revisions WHERE episode_id = :'id' ORDER BY 1;
-- The embeddings described the old text.
SELECT count(*) AS embeddings FROM memory.embeddings WHERE episode_id = :'id';
-- The same text again, as a retry sends it, is no new version.
SELECT memory.revise(:'id', 'I live in Rome', 'Bene');
SELECT count(*) AS revisions FROM memory.episode_revisions WHERE episode_id = :'id';
SELECT memory.revise('00000000-0000-7000-8000-00000000dead', 'nobody');
-- Revisions go with their episode.
DELETE FROM memory.episodes WHERE id = :'id';
SELECT count(*) AS revisions FROM memory.episode_revisions WHERE episode_id = :'id';

-- recall_recent: newest first by when it happened, then by id.
SET memory.user_id = 'cyd';
SELECT count(*) FROM memory.remember_many($$[
    {"content": "b", "occurred_at": "2026-01-02", "kind": "note", "agent_id": "x", "session_id": "s1"},
    {"content": "a", "occurred_at": "2026-01-01", "kind": "note", "agent_id": "y", "session_id": "s1"},
    {"content": "d", "occurred_at": "2026-01-03", "kind": "turn", "agent_id": "x", "session_id": "s2"},
    {"content": "c", "occurred_at": "2026-01-02", "kind": "turn", "agent_id": "y", "session_id": "s2"},
    {"content": "e", "occurred_at": "2030-01-01", "kind": "turn"}]$$);
SELECT array(SELECT content FROM memory.recall_recent()) AS "newest first";
SELECT content FROM memory.recall_recent(k => 2);
SELECT content FROM memory.recall_recent('note');
SELECT content FROM memory.recall_recent(agent_id => 'x');
SELECT content FROM memory.recall_recent(session_id => 's1');
SELECT content FROM memory.recall_recent('turn', 1, 'cyd', 'y', 's2');
SELECT count(*) FROM memory.recall_recent('note', agent_id => 'nobody');
SELECT count(*) FROM memory.recall_recent('');
SELECT count(*) FROM memory.recall_recent(user_id => 'nobody');
SELECT count(*) AS "20, if it is not said" FROM memory.recall_recent(user_id => 'ann');
SELECT count(*) AS "all, if it is NULL" FROM memory.recall_recent(k => NULL, user_id => 'ann');
-- The plan has no say in it.
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT array(SELECT content FROM memory.recall_recent()) AS "newest first";
RESET enable_indexscan;
RESET enable_bitmapscan;

-- A transaction sees what it wrote in its next statement; what it rolled back was never there.
SET memory.user_id = 'dee';
BEGIN;
SELECT memory.remember('kept') IS NOT NULL AS remembered;
SELECT content FROM memory.recall_recent();
SAVEPOINT s;
SELECT memory.remember('not kept') IS NOT NULL AS remembered;
SELECT memory.revise(id, 'revised') FROM memory.recall_recent() WHERE content = 'kept';
SELECT content FROM memory.recall_recent() ORDER BY 1;
ROLLBACK TO s;
SELECT content FROM memory.recall_recent();
COMMIT;
BEGIN;
SELECT memory.remember('not kept', embedding => '[1,1,1]') IS NOT NULL AS remembered;
ROLLBACK;
SELECT content FROM memory.recall_recent();
SELECT count(*) AS revisions FROM memory.episode_revisions WHERE user_id = 'dee' AND namespace = 'test of episodes';

-- Reads work in a read-only transaction; writes are refused in it.
BEGIN READ ONLY;
SELECT content FROM memory.recall_recent();
SELECT (memory.get(id)).content FROM memory.recall_recent();
SELECT memory.remember('not here');
ROLLBACK;
