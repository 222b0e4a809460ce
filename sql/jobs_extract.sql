-- What models make beyond vectors: facts of an episode, the summary of a session, the profile of a user; docs/jobs.md.
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
CREATE TEMP VIEW queued AS SELECT user_id, task, thing, right(target::text, 2) AS target, due_at = 'infinity' AS waits, leased_until IS NOT NULL AS leased FROM memory.jobs ORDER BY 1, 2, 3, 4;
SET memory.user_id = 'ada';
SET timezone = 'Asia/Tokyo';

-- Facts. The payload is the same in every time zone.
SELECT memory.use_model('extract', 'large', 'https://models.example/v1', '{"temperature": 0}');
SELECT memory.remember('I moved from Paris to Tokyo.', 'Congratulations!', role => 'user', occurred_at => '2026-03-01 12:00+00', id => pg_temp.uuid(1)) IS NOT NULL AS remembered;
SELECT * FROM queued;
SELECT id AS first, task, thing, right(target::text, 2) AS target, model, options, dimensions, payload FROM memory.next_jobs() \gset
SELECT :'task' AS task, :'thing' AS thing, :'target' AS target, :'model' AS model, :'options' AS options, :'payload' AS payload;
SET timezone = 'UTC';
SELECT given, pg_temp.refused(format('SELECT memory.finish_job(%L, %s)', :'first', given)) AS refused FROM unnest(ARRAY[
    $$NULL$$, $$'[]'$$, $$'{}'$$, $$'{"facts": {}}'$$, $$'{"facts": null}'$$, $$'{"facts": []}', '[1,2]'$$]) given;
-- What is malformed is left out, and said; confidence is clamped; keys that are not known say nothing.
SET client_min_messages = notice;
SELECT memory.finish_job(:'first', '{"facts": [{"subject": "Ada", "predicate": "lives in", "object": "Tokyo", "confidence": 1.7, "valid_from": "1999-01-01", "user_id": "bob"},
    {"subject": "Ada", "predicate": "lived_before_in", "object": "Paris", "confidence": -1}, {"subject": "Ada", "predicate": "likes", "object": "", "confidence": 0.5},
    7, {"subject": "Ada", "predicate": "likes"}, {"subject": "Ada", "predicate": ["likes"], "object": "tea"}, {"subject": "Ada", "predicate": "is", "object": "happy", "confidence": "very"},
    {"subject": "Ada", "predicate": "Lives-In", "object": " tokyo "}, {"subject": "Ada", "predicate": "is", "object": "moving", "confidence": null}]}');
SET client_min_messages = warning;
SELECT subject, predicate, object, confidence, valid_from, valid_until, ARRAY(SELECT right(s::text, 2) FROM unnest(sources) s) AS sources, user_id FROM memory.facts(valid_at => NULL) ORDER BY 2;
SELECT sum(done) AS done, sum(dropped) AS dropped FROM memory.job_counts;
SELECT count(*) AS left_over FROM memory.jobs;
-- A second run asserts nothing twice.
CREATE TEMP TABLE before AS SELECT * FROM memory.facts;
SELECT memory.finish_job(:'first', '{"facts": [{"subject": "Ada", "predicate": "likes", "object": "tea"}]}') AS twice;
UPDATE memory.episodes SET content = content;
SELECT memory.finish_job(id, '{"facts": [{"subject": "Ada", "predicate": "lives in", "object": "Tokyo"}, {"subject": "Ada", "predicate": "is", "object": "moving"}]}') FROM memory.next_jobs();
SELECT count(*) AS new FROM (TABLE memory.facts EXCEPT TABLE before) f;
-- Twenty at the most, the first good ones. None is fine. What a rejection keeps out stays out.
SELECT memory.remember('I like many things.', id => pg_temp.uuid(2), occurred_at => '2026-04-01') IS NOT NULL AS remembered;
SELECT memory.reject_fact('Ada', 'likes 3', 'thing');
SET client_min_messages = notice;
SELECT memory.finish_job(id, (SELECT jsonb_build_object('facts', jsonb_agg(CASE n WHEN 5 THEN '{}' ELSE jsonb_build_object('subject', 'Ada', 'predicate', 'likes ' || n, 'object', 'thing') END)) FROM generate_series(1, 25) n)) FROM memory.next_jobs();
SET client_min_messages = warning;
SELECT count(*) AS facts, max(predicate) FILTER (WHERE predicate ~ '_2') AS last, count(*) FILTER (WHERE predicate = 'likes_3') AS rejected FROM memory.facts('Ada', k => NULL) WHERE predicate ~ '^likes';
SELECT memory.remember('Hm.', id => pg_temp.uuid(3)) IS NOT NULL AS remembered;
SELECT memory.finish_job(id, '{"facts": []}') FROM memory.next_jobs();
-- Void: revised, deleted.
SELECT memory.remember('I live in Rome', id => pg_temp.uuid(4)) IS NOT NULL AS remembered;
SELECT id AS fourth FROM memory.next_jobs() \gset
SELECT memory.revise(pg_temp.uuid(4), 'I do not live in Rome');
SELECT memory.finish_job(:'fourth', '{"facts": [{"subject": "Ada", "predicate": "lives in", "object": "Rome"}]}') AS revised;
SELECT id AS fourth FROM memory.next_jobs() \gset
DELETE FROM memory.episodes WHERE id = pg_temp.uuid(4);
SELECT memory.finish_job(:'fourth', '{"facts": [{"subject": "Ada", "predicate": "lives in", "object": "Rome"}]}') AS deleted;
SELECT object FROM memory.facts('Ada', 'lives in');
-- Vectors of facts that a model has found are another job.
SELECT memory.use_model('embed', 'mini', options => '{"dimensions": 3}');
SELECT count(memory.finish_job(id, embedding => '[1,0,0]')) > 20 AS embedded FROM memory.next_jobs(tasks => '{embed}', k => 100);
SELECT memory.remember('I own a cat', id => pg_temp.uuid(5)) IS NOT NULL AS remembered;
SELECT task, memory.finish_job(id, CASE task WHEN 'extract' THEN '{"facts": [{"subject": "Ada", "predicate": "owns", "object": "a cat"}]}'::jsonb END, CASE task WHEN 'embed' THEN '[0,1,0]'::vector END) FROM memory.next_jobs() ORDER BY 1;
SELECT task, thing, payload, memory.finish_job(id, embedding => '[0,1,0]') FROM memory.next_jobs();
SELECT memory.drop_model('embed'), memory.drop_model('extract');

-- Summaries: so many messages after the last one.
SELECT memory.use_model('summarize', 'large', options => '{"every": 4}');
CREATE FUNCTION pg_temp.say(session text, texts text[]) RETURNS bigint LANGUAGE sql AS $$
    SELECT max(seq) FROM memory.add_messages(session, (SELECT jsonb_agg(jsonb_build_object('role', CASE n % 2 WHEN 1 THEN 'user' ELSE 'assistant' END, 'content', t)) FROM unnest(texts) WITH ORDINALITY u (t, n))) $$;
SELECT pg_temp.say('s', '{one,two,three}');
SELECT count(*) AS too_few FROM memory.jobs;
SELECT pg_temp.say('s', '{four}'), pg_temp.say('s', '{five}'), pg_temp.say('short', '{hello}');
SELECT count(*) AS one FROM memory.jobs;
UPDATE memory.messages SET occurred_at = '2026-01-01 00:00+00' WHERE seq > 0;
SELECT id AS first, task, thing, user_id, payload FROM memory.next_jobs() \gset
SELECT :'task' AS task, :'thing' AS thing, :'user_id' AS user_id, jsonb_pretty(:'payload'::jsonb - 'messages') AS payload, jsonb_path_query_array(:'payload', '$.messages[*].content') AS messages, :'payload'::jsonb -> 'messages' -> 0 AS first;
SELECT given, pg_temp.refused(format('SELECT memory.finish_job(%L, %s)', :'first', given)) AS refused FROM unnest(ARRAY[
    $$NULL$$, $$'{}'$$, $$'{"summary": 7}'$$, $$'{"summary": ""}'$$, $$'{"summary": "s", "topics": "t"}'$$, $$'{"summary": "s", "topics": [7]}'$$, $$'{"summary": "s"}', '[1]'$$, $$jsonb_build_object('summary', repeat('s', 1048577))$$]) given;
-- What comes meanwhile is for the next one.
SELECT pg_temp.say('s', '{six}');
SELECT memory.finish_job(:'first', '{"summary": "They count.", "topics": ["numbers"]}');
SELECT session_id, summary, upto, topics, newer FROM memory.summary('s');
SELECT count(*) AS too_few FROM memory.jobs;
SELECT memory.finish_job(:'first', '{"summary": "Again."}') AS twice;
SELECT pg_temp.say('s', '{seven,eight,nine}');
SELECT id AS second, payload FROM memory.next_jobs() \gset
SELECT jsonb_pretty(:'payload'::jsonb - 'messages') AS payload, jsonb_path_query_array(:'payload', '$.messages[*].content') AS messages;
-- A message that was dropped while its summary was made makes that void, and there is another job.
SELECT count(*) AS dropped FROM memory.drop_messages('s', after => 8);
SELECT memory.finish_job(:'second', '{"summary": "With nine."}') AS void;
SELECT id AS third, jsonb_path_query_array(payload, '$.messages[*].content') AS messages FROM memory.next_jobs() \gset
SELECT :'messages' AS messages, memory.finish_job(:'third', '{"summary": "Up to eight."}') AS finished;
SELECT summary, upto, topics FROM memory.summary('s');
-- As many came as for another one: it is queued with the answer.
SELECT pg_temp.say('t', '{a,b,c,d}');
SELECT id AS first FROM memory.next_jobs() \gset
SELECT pg_temp.say('t', '{e,f,g,h}'), memory.finish_job(:'first', '{"summary": "a to d"}');
SELECT jsonb_path_query_array(payload, '$.messages[*].content') AS messages, payload ->> 'summary' AS summary, memory.finish_job(id, '{"summary": "a to h", "topics": []}') FROM memory.next_jobs();
-- Void: a session that is gone, and one whose summary is not kept.
SELECT pg_temp.say('u', '{a,b,c,d}');
SELECT id AS first FROM memory.next_jobs() \gset
SELECT memory.delete_session('u');
SELECT memory.finish_job(:'first', '{"summary": "gone"}') AS gone;
SELECT pg_temp.say('v', '{a,b,c,d}');
SELECT id AS first FROM memory.next_jobs() \gset
SELECT memory.set_policy(save_summary => false);
SELECT memory.finish_job(:'first', '{"summary": "not kept"}') AS not_kept;
SELECT pg_temp.say('v', '{e}');
SELECT count(*) AS nothing FROM memory.next_jobs();
SELECT count(*) AS left_over FROM memory.jobs;
SELECT memory.set_policy(save_summary => true), memory.drop_model('summarize');

-- Profiles: so many new episodes of a user.
SELECT memory.use_model('profile', 'large', options => '{"every": 3}');
SELECT memory.set_profile('{"home": "Rome", "name": "Ada"}');
SELECT memory.remember('I moved to Tokyo', id => pg_temp.uuid(11), occurred_at => '2026-01-01') IS NOT NULL, memory.remember('I like tea', 'Noted.', role => 'user', id => pg_temp.uuid(12), occurred_at => '2025-01-01') IS NOT NULL AS remembered;
SET memory.user_id = 'bob';
SELECT memory.remember('I am Bob', id => pg_temp.uuid(11)) IS NOT NULL AS remembered;
SET memory.user_id = 'ada';
SELECT * FROM queued;
SELECT count(*) AS too_few FROM memory.next_jobs();
SELECT waiting, failed FROM memory.used_models();
SELECT memory.remember('I have a cat', id => pg_temp.uuid(13), occurred_at => '2026-02-01') IS NOT NULL AS remembered;
SELECT id AS first, task, thing, user_id, target, payload FROM memory.next_jobs() \gset
SELECT :'task' AS task, :'thing' AS thing, :'user_id' AS user_id, jsonb_pretty(:'payload') AS payload;
SELECT given, pg_temp.refused(format('SELECT memory.finish_job(%L, %s)', :'first', given)) AS refused FROM unnest(ARRAY[$$NULL$$, $$'{}'$$, $$'{"traits": []}'$$, $$'{"traits": {}}', '[1]'$$]) given;
SELECT memory.remember('I sing', id => pg_temp.uuid(14)) IS NOT NULL AS remembered;
SELECT count(*) AS one_at_a_time FROM memory.next_jobs();
SELECT memory.finish_job(:'first', '{"traits": {"home": "Tokyo", "pet": "a cat", "name": null}}');
SELECT memory.profile();
SELECT * FROM queued;
SELECT memory.finish_job(:'first', '{"traits": {"home": "Oslo"}}') AS twice;
-- An episode that is forgotten while a profile is made of it makes that void; the others wait on.
SELECT memory.remember('I dance', id => pg_temp.uuid(15)) IS NOT NULL, memory.remember('I paint', id => pg_temp.uuid(16)) IS NOT NULL AS remembered;
SELECT id AS second FROM memory.next_jobs() \gset
DELETE FROM memory.episodes WHERE id = pg_temp.uuid(15);
SELECT memory.finish_job(:'second', '{"traits": {"hobby": "dancing"}}') AS void;
SELECT count(*) AS too_few FROM memory.next_jobs();
SELECT * FROM queued;
-- Many at once: fifty of them at a time.
INSERT INTO memory.episodes (user_id, content) SELECT 'cid', 'note ' || n FROM generate_series(1, 120) n;
CREATE FUNCTION pg_temp.work() RETURNS int[] LANGUAGE plpgsql AS $$
DECLARE job memory.job; seen int[] = '{}';
BEGIN
    LOOP
        SELECT * INTO job FROM memory.next_jobs();
        EXIT WHEN NOT FOUND;
        seen := seen || jsonb_array_length(job.payload -> 'episodes');
        ASSERT memory.finish_job(job.id, '{"traits": {"is": "known"}}');
    END LOOP;
    RETURN seen;
END $$;
SELECT pg_temp.work() AS episodes;
SELECT memory.profile('cid'), count(*) AS waiting FROM memory.jobs WHERE user_id = 'cid';
SELECT memory.set_policy(save_profile => false), memory.remember('not for a profile', id => pg_temp.uuid(17)) IS NOT NULL AS remembered;
SELECT count(*) AS nothing FROM memory.next_jobs();
SELECT count(*) AS left_over FROM memory.jobs WHERE user_id = 'ada';
SELECT task, waiting, failed, done FROM memory.used_models();

DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
