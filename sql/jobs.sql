-- Jobs: queued by writes, claimed for a time, done once or void; docs/jobs.md.
\pset format unaligned
\pset footer off
\pset null NULL
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
CREATE FUNCTION pg_temp.uuid(n int) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
CREATE TEMP VIEW queued AS SELECT user_id, task, thing, CASE WHEN thing <> 'item' THEN right(target::text, 2) END AS target, attempts, leased_until IS NOT NULL AS leased,
    CASE due_at WHEN 'infinity' THEN 'never' ELSE (due_at > clock_timestamp())::text END AS later, error FROM memory.jobs ORDER BY 1, 2, 3, 4;
SET memory.user_id = 'ada';

-- Without a model nothing is queued; a write queues what is to be made of it, whichever way it comes.
SELECT memory.remember('before the model', id => pg_temp.uuid(1)) IS NOT NULL AS remembered;
SELECT count(*) AS nothing FROM memory.jobs;
SELECT memory.use_model('embed', 'mini', 'https://models.example/v1', '{"dimensions": 3}');
SELECT memory.remember('a train at night', response => 'at nine', id => pg_temp.uuid(2)) IS NOT NULL AS remembered;
SELECT count(*) FROM memory.remember_many('[{"content": "trains are late", "id": "00000000-0000-0000-0000-000000000003"}]');
INSERT INTO memory.episodes (id, content) VALUES (pg_temp.uuid(4), 'inserted');
COPY memory.episodes (id, content) FROM stdin;
00000000-0000-0000-0000-000000000005	copied
\.
SELECT memory.assert_fact('Ada', 'lives_in', 'Paris', valid_from => '2026-01-01', id => pg_temp.uuid(6)) IS NOT NULL AS asserted;
SELECT memory.put_item('{notes}', 'k', '{"a": "one string", "b": ["another"]}'), memory.put_item('{notes}', 'l', '{}', texts => '{first,"  ",second}'), memory.put_item('{notes}', 'm', '{"n": 7}') AS put;
BEGIN;
SELECT memory.remember('never said', id => pg_temp.uuid(7)) IS NOT NULL AS remembered;
ROLLBACK;
SET memory.user_id = 'bob';
SET memory.namespace = 'other';
SELECT memory.remember('in a namespace without a model', id => pg_temp.uuid(2)) IS NOT NULL AS remembered;
RESET memory.namespace;
SELECT memory.remember('the same id', id => pg_temp.uuid(2)) IS NOT NULL AS remembered;
RESET memory.user_id;
SET memory.anonymous = allow;
SELECT memory.remember('of nobody', id => pg_temp.uuid(8)) IS NOT NULL AS remembered;
SET memory.user_id = 'ada';
-- What was there before is looked through.
SELECT * FROM queued;

-- A claim has what the model is given. What is claimed is not due for others.
SELECT task, namespace, user_id, thing, CASE WHEN thing <> 'item' THEN right(target::text, 2) END AS target, model, url, options, dimensions, payload, attempts,
    leased_until BETWEEN clock_timestamp() + '4 minutes' AND clock_timestamp() + '5 minutes' AS leased, length(id) <= 76 AS short_id
FROM memory.next_jobs(100) ORDER BY user_id, target;
SELECT count(*) AS nothing FROM memory.next_jobs();
SELECT waiting, failed, done FROM memory.used_models();

-- An answer is written once. Until it is, words find the row; then both do.
CREATE FUNCTION pg_temp.claim(task text, due timestamptz, target uuid, token bigint) RETURNS text LANGUAGE sql
    RETURN task || '-' || lpad(to_hex((extract(epoch FROM due - '2000-01-01 00:00:00+00') * 1000000)::bigint), 16, '0') || '-' || replace(target::text, '-', '') || '-' || lpad(to_hex(token), 16, '0');
CREATE TEMP VIEW under_way AS SELECT user_id, thing, target, pg_temp.claim(task, due_at, target, token) AS id FROM memory.jobs WHERE token IS NOT NULL;
SELECT id AS second FROM under_way WHERE user_id = 'ada' AND target = pg_temp.uuid(2) \gset
SELECT match, vector_score FROM memory.recall_scored('night', '[1,0,0]');
SELECT memory.finish_job(:'second', embedding => '[1,0,0]');
SELECT match, vector_score FROM memory.recall_scored('night', '[1,0,0]');
SELECT memory.finish_job(:'second', embedding => '[0,1,0]') AS twice;
SELECT model, embedding FROM memory.embeddings WHERE user_id = 'ada' AND episode_id = pg_temp.uuid(2);
SELECT count(*) AS of_bob FROM memory.embeddings WHERE user_id = 'bob';
SELECT memory.finish_job(id, '{"embeddings": [[0, 0.5, 0]]}') FROM under_way WHERE thing = 'fact';
SELECT subject, vector_score FROM memory.recall_facts('nothing of it', '[0,1,0]');
-- An item has a vector for each of its texts. A put makes them void.
SELECT i.key, memory.finish_job(u.id, CASE i.key WHEN 'l' THEN '{"embeddings": [[1,1,0], [0,1,1]]}' ELSE '{"embeddings": [[1,1,0]]}' END::jsonb) FROM under_way u JOIN memory.items i ON i.id = u.target ORDER BY 1;
SELECT i.key, v.n, v.embedding FROM memory.item_embeddings v JOIN memory.items i ON i.id = v.item ORDER BY 1, 2;
SELECT memory.put_item('{notes}', 'k', '{"a": "changed"}');
SELECT i.key, v.n FROM memory.item_embeddings v JOIN memory.items i ON i.id = v.item ORDER BY 1, 2;
SELECT payload, memory.finish_job(id, embedding => '[0,0,1]') FROM memory.next_jobs();
SELECT count(*) AS of_items FROM memory.jobs WHERE thing = 'item';
-- What comes with vectors of its own asks for none, and does not wait for those of what it replaces.
SELECT memory.put_item('{notes}', 'n', '"new"', embeddings => '{"[1,0,0]"}'), memory.put_item('{notes}', 'o', '"new"', embeddings => '{}', expected_version => 0);
SELECT count(*) AS of_items FROM memory.jobs WHERE thing = 'item';
SELECT memory.put_item('{notes}', 'p', '"asked for"'), memory.put_item('{notes}', 'q', '"asked for"'), memory.put_item('{other}', 'q', '"asked for"');
SELECT count(*) AS of_items FROM memory.jobs WHERE thing = 'item';
SELECT memory.put_item('{notes}', 'p', '"given"', embeddings => '{"[1,0,0]"}'), memory.put_item('{notes}', 'q', '"given"', embeddings => '{"[1,0,0]"}', expected_version => 1);
SELECT i.path, i.key FROM memory.jobs j JOIN memory.items i ON i.id = j.target;
DELETE FROM memory.items WHERE path = '{other}';
SELECT memory.remember('asked for', id => pg_temp.uuid(90)) IS NOT NULL AS remembered;
SELECT memory.remember('given', id => pg_temp.uuid(90), embedding => '[1,0,0]') IS NOT NULL AS remembered;
SELECT count(*) AS of_the_episode FROM memory.jobs WHERE target = pg_temp.uuid(90);
SELECT memory.assert_fact('Ada', 'keeps', 'bees', embedding => '[1,0,0]') IS NOT NULL AS asserted;
SELECT count(*) AS of_what_is_there FROM memory.next_jobs();
DELETE FROM memory.episodes WHERE id = pg_temp.uuid(90); DELETE FROM memory.items WHERE key IN ('n', 'o', 'p', 'q'); DELETE FROM memory.facts WHERE object = 'bees';

-- What is refused, and the job is as it was.
SELECT id AS third FROM under_way WHERE user_id = 'ada' AND target = pg_temp.uuid(3) \gset
SELECT given, pg_temp.refused(format('SELECT memory.finish_job(%s)', replace(given, 'ID', quote_literal(:'third')))) AS refused FROM unnest(ARRAY[
    $$NULL$$, $$''$$, $$'embed'$$, $$'dream-0002e0c5f3a91b40-0190a4c2d1e87b3f8c5d2e6f7a8b9c0d-9f86d081884c7d65'$$, $$'EMBED-0002e0c5f3a91b40-0190a4c2d1e87b3f8c5d2e6f7a8b9c0d-9f86d081884c7d65'$$, $$ID$$,
    $$ID, '{"embeddings": [[1,2,3]]}', '[1,2,3]'$$, $$ID, '[]'$$, $$ID, '{}'$$, $$ID, '{"embeddings": 1}'$$, $$ID, '{"embeddings": []}'$$, $$ID, '{"embeddings": [[1,2,3],[1,2,3]]}'$$,
    $$ID, '{"embeddings": ["[1,2,3]"]}'$$, $$ID, '{"embeddings": [["x"]]}'$$, $$ID, '{"embeddings": [[]]}'$$, $$ID, embedding => '[0,0,0]'$$, $$ID, embedding => '[1,2]'$$, $$ID, '{"embeddings": [[1,2,3,4]]}'$$]) given;
SELECT given, pg_temp.refused(format('SELECT memory.%s', given)) AS refused FROM unnest(ARRAY[
    $$next_jobs(0)$$, $$next_jobs(tasks => '{dream}')$$, $$next_jobs(tasks => '{NULL}')$$, $$next_jobs(lease => '0')$$, $$next_jobs(lease => '-1 day')$$, $$next_jobs(lease => '293000 years')$$,
    $$fail_job(NULL, 'x')$$, $$fail_job('x', 'x')$$, $$fail_job('x', NULL)$$, $$retry_jobs('dream')$$]) given;
SELECT pg_temp.refused(format($$SELECT memory.fail_job(%L, NULL)$$, :'third')) AS refused, pg_temp.refused(format($$SELECT memory.fail_job(%L, 'x', '-1 s')$$, :'third')) AS refused;
SELECT count(*) AS there FROM under_way WHERE id = :'third';
SELECT count(*) AS nothing FROM memory.next_jobs(tasks => '{}');

-- Void: revised, replaced, changed by UPDATE, deleted, expired while its job was under way. The new text has a job of its own.
SELECT memory.revise(pg_temp.uuid(3), 'trains are on time');
SELECT memory.finish_job(:'third', embedding => '[1,0,0]') AS revised;
SELECT id AS fourth FROM under_way WHERE target = pg_temp.uuid(4) \gset
UPDATE memory.episodes SET content = 'changed' WHERE id = pg_temp.uuid(4);
SELECT memory.finish_job(:'fourth', embedding => '[1,0,0]') AS changed;
SELECT id AS fifth FROM under_way WHERE target = pg_temp.uuid(5) \gset
SELECT memory.remember('replaced', id => pg_temp.uuid(5)) IS NOT NULL AS remembered;
SELECT memory.finish_job(:'fifth', embedding => '[1,0,0]') AS replaced;
SELECT id AS eighth FROM under_way WHERE target = pg_temp.uuid(8) \gset
DELETE FROM memory.episodes WHERE id = pg_temp.uuid(8);
SELECT memory.finish_job(:'eighth', embedding => '[1,0,0]') AS deleted;
SELECT id AS first FROM under_way WHERE target = pg_temp.uuid(1) \gset
UPDATE memory.episodes SET expires_at = now() - interval '1 second' WHERE id = pg_temp.uuid(1);
SELECT memory.finish_job(:'first', embedding => '[1,0,0]') AS expired;
SELECT right(episode_id::text, 2) AS vectors FROM memory.embeddings;
SELECT * FROM queued;
-- Though a trigger was not asked, an answer to what is not there any more is void.
SELECT right(target::text, 2) AS target, payload FROM memory.next_jobs() ORDER BY 1;
ALTER TABLE memory.episodes DISABLE TRIGGER memory_jobs_queued;
UPDATE memory.episodes SET content = 'changed behind its back' WHERE id = pg_temp.uuid(4);
ALTER TABLE memory.episodes ENABLE TRIGGER memory_jobs_queued;
SELECT memory.finish_job(id, embedding => '[1,0,0]') AS changed FROM under_way WHERE target = pg_temp.uuid(4);
SELECT payload FROM memory.next_jobs();
SELECT memory.finish_job(id, embedding => '[1,0,0]') FROM under_way ORDER BY target;
-- A change of the text takes the vector of the old one away at once.
UPDATE memory.episodes SET content = 'changed again' WHERE id = pg_temp.uuid(4);
SELECT right(episode_id::text, 2) AS vectors FROM memory.embeddings ORDER BY 1;
-- A vector that comes with the episode leaves nothing to be done; nor does one that is written beside it, once that is looked at.
SELECT memory.remember('with a vector', id => pg_temp.uuid(9), embedding => '[0,0,1]') IS NOT NULL AS remembered;
SELECT count(*) AS nothing FROM memory.jobs WHERE target = pg_temp.uuid(9);
SELECT memory.remember('with a vector now', id => pg_temp.uuid(9), embedding => '[0,1,0]') IS NOT NULL AS remembered;
INSERT INTO memory.episodes (id, content) VALUES (pg_temp.uuid(15), 'a vector beside it');
INSERT INTO memory.embeddings (episode_id, embedding) VALUES (pg_temp.uuid(15), '[0,1,0]');
SELECT right(target::text, 2) AS waiting FROM memory.jobs WHERE token IS NULL ORDER BY 1;
SELECT memory.remember('with one of another model', id => pg_temp.uuid(10), embedding => '[0,1]', model => 'maxi') IS NOT NULL AS remembered;
SELECT payload FROM memory.next_jobs() ORDER BY target;
SELECT * FROM queued;

-- Failures wait longer each time, and end after eight.
SELECT id AS fourth FROM under_way WHERE target = pg_temp.uuid(4) \gset
SELECT memory.fail_job(:'fourth', 'HTTP 500');
SELECT due_at - clock_timestamp() BETWEEN '1 second' AND '2 seconds' AS two_seconds, leased_until, attempts, error FROM memory.jobs WHERE target = pg_temp.uuid(4);
SELECT memory.finish_job(:'fourth', embedding => '[1,0,0]') AS too_late;
SELECT memory.fail_job(:'fourth', 'again');
SELECT error AS of_the_first FROM memory.jobs WHERE target = pg_temp.uuid(4);
CREATE FUNCTION pg_temp.fail(attempt int) RETURNS interval LANGUAGE plpgsql AS $$
DECLARE job memory.job;
BEGIN
    UPDATE memory.jobs SET due_at = clock_timestamp() - interval '1 second' WHERE target = pg_temp.uuid(4);
    SELECT * INTO STRICT job FROM memory.next_jobs() j WHERE j.target = pg_temp.uuid(4);
    IF job.attempts <> attempt THEN RAISE 'attempt % and not %', job.attempts, attempt; END IF;
    PERFORM memory.fail_job(job.id, 'HTTP 503 at attempt ' || attempt || repeat('!', 2000));
    RETURN (SELECT CASE WHEN due_at < 'infinity' THEN date_trunc('second', due_at - clock_timestamp() + interval '0.9 seconds') END FROM memory.jobs WHERE target = pg_temp.uuid(4));
END $$;
SELECT attempt, pg_temp.fail(attempt) AS due_in FROM generate_series(2, 8) attempt;
SELECT attempts, due_at, length(error) AS error FROM memory.jobs WHERE target = pg_temp.uuid(4);
SELECT waiting, failed, done FROM memory.used_models();
SELECT count(*) AS nothing FROM memory.next_jobs();
SET memory.namespace = 'other';
SELECT memory.retry_jobs() AS of_another_namespace;
RESET memory.namespace;
SELECT memory.retry_jobs('extract') AS of_another_task, memory.retry_jobs() AS retried, memory.retry_jobs('embed') AS again;
SELECT attempts, payload FROM memory.next_jobs();
SELECT memory.fail_job(id, 'HTTP 429', '90 seconds') FROM under_way WHERE target = pg_temp.uuid(4);
SELECT due_at - clock_timestamp() BETWEEN '88 seconds' AND '90 seconds' AS as_told FROM memory.jobs WHERE target = pg_temp.uuid(4);
-- A lease that ends is an attempt, too; the claim that had it is void once there is another.
UPDATE memory.jobs SET due_at = now() WHERE target = pg_temp.uuid(4);
SELECT id AS lost FROM memory.next_jobs(lease => '1 microsecond') \gset
SELECT attempts, id AS found, id <> :'lost' AS another FROM memory.next_jobs() \gset
SELECT :attempts AS attempts, :'another' AS another, memory.finish_job(:'lost', embedding => '[1,0,0]') AS lost, memory.finish_job(:'found', embedding => '[1,0,0]') AS found;
SELECT memory.remember('a worker that dies', id => pg_temp.uuid(11)) IS NOT NULL AS remembered;
UPDATE memory.jobs SET attempts = 8, leased_until = now() WHERE target = pg_temp.uuid(11);
SELECT count(*) AS nothing FROM memory.next_jobs();
SELECT failed FROM memory.used_models();
SELECT error FROM memory.jobs WHERE target = pg_temp.uuid(11);
DELETE FROM memory.episodes WHERE id = pg_temp.uuid(11);
SELECT memory.retry_jobs() AS retried;
SELECT count(*) AS nothing FROM memory.next_jobs();
SELECT target FROM queued;
SELECT memory.finish_job(id, embedding => '[1,0,0]') FROM under_way;

-- Another model: what was asked of the one before is void. All is looked through again, a thousand rows at a time.
SELECT memory.remember('asked of mini', id => pg_temp.uuid(12)) IS NOT NULL AS remembered;
SELECT id AS twelfth FROM memory.next_jobs() \gset
SELECT memory.use_model('embed', 'midi');
SELECT memory.finish_job(:'twelfth', embedding => '[1,0,0]') AS by_mini;
INSERT INTO memory.episodes (user_id, id, content) SELECT 'cid', pg_temp.uuid(n), 'note ' || n FROM generate_series(1001, 3500) n;
DELETE FROM memory.jobs WHERE user_id = 'cid';
SELECT memory.use_model('embed', 'midi');
CREATE FUNCTION pg_temp.work() RETURNS TABLE (calls int, done int) LANGUAGE plpgsql AS $$
DECLARE claimed int;
BEGIN
    calls := 0; done := 0;
    LOOP
        SELECT count(*), done + count(*) FILTER (WHERE finished) INTO claimed, done
        FROM (SELECT memory.finish_job(id, jsonb_build_object('embeddings', (SELECT jsonb_agg(jsonb_build_array(1, length(t), 0)) FROM jsonb_array_elements_text(payload -> 'texts') t))) AS finished
              FROM memory.next_jobs(400) OFFSET 0) f;
        EXIT WHEN claimed = 0;
        calls := calls + 1;
    END LOOP;
    RETURN NEXT;
END $$;
SELECT * FROM pg_temp.work();
SELECT e.user_id, count(*) AS episodes, count(v.*) AS vectors, count(*) FILTER (WHERE v.embedding <> format('[1,%s,0]', length(memory_internal.episode_text(e.content, e.response)))::vector) AS wrong
FROM memory.episodes e LEFT JOIN memory.embeddings v ON v.user_id = e.user_id AND v.episode_id = e.id AND v.model = 'midi' WHERE e.namespace = 'default' GROUP BY 1 ORDER BY 1;
SELECT count(*) AS left_over FROM memory.jobs;
SELECT memory.use_model('embed', 'midi');
SELECT * FROM pg_temp.work();
SELECT model, waiting, failed, done FROM memory.used_models();

-- hash and no model at all: what waits is dropped, and facts have vectors like episodes.
SELECT memory.remember('asked of midi', id => pg_temp.uuid(13)) IS NOT NULL AS remembered;
SELECT id AS thirteenth FROM memory.next_jobs() \gset
SELECT memory.drop_model('embed');
SELECT memory.finish_job(:'thirteenth', embedding => '[1,0,0]') AS dropped, count(*) AS waiting FROM memory.jobs;
SELECT memory.use_model('embed', 'midi');
SELECT memory.use_model('embed', 'hash', options => '{"dimensions": 64}');
SELECT count(*) AS waiting FROM memory.jobs;
-- jobs => false: the application brings the vectors, and no worker is asked for them.
SELECT memory.use_model('embed', 'midi', options => '{"jobs": false}');
SELECT memory.remember('its vector comes', id => pg_temp.uuid(16)) IS NOT NULL AS remembered, count(*) AS waiting FROM memory.jobs;
SELECT count(*) AS nothing FROM memory.next_jobs();
SELECT memory.use_model('embed', 'hash', options => '{"dimensions": 64}');
SELECT memory.assert_fact('Ada', 'likes', 'tea') IS NOT NULL, memory.assert_fact('Ada', 'likes', 'tea', confidence => 0.5) IS NOT NULL, memory.assert_fact('Ada', 'likes', 'coffee') IS NOT NULL AS asserted;
SELECT memory.assert_fact('Ada', 'owns', 'a cat', embedding => memory.hash_embedding('given', 64)) IS NOT NULL AS asserted;
SELECT object_key, embedding = memory.hash_embedding('Ada likes ' || object_key, 64) AS made, embedding = memory.hash_embedding('given', 64) AS given FROM memory.fact_embeddings WHERE model = 'hash' ORDER BY 1;
SELECT object, vector_score IS NOT NULL AS by_vector FROM memory.recall_facts('what tea', memory.hash_embedding('what tea', 64), k => 1);

DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
