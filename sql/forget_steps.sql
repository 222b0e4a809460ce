-- What a careful owner of a memory tries, step by step, for an episode, a fact, a session and a user: a secret is written and found, forgotten
-- and not found, by any function, in any table, in no statistics; what fed it is fed again, and is there as the caller meant it; and a twin of
-- another user, who said the same words, has all of it as before.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/forgotten.sql
SELECT namespace FROM memory.set_scope(namespace => 'steps');
-- All that any function that reads says of a user, as one text; what names itself anew at every call is left out.
CREATE FUNCTION forgetting.told(who text) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(E'\n',
        (SELECT string_agg(r::text, E'\n') FROM memory.recall_scored('zebras platypus Vienna notes', embedding => '[1,0]', k => 100, user_id => who) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.recall_recent(k => 100, user_id => who) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.recall_semantic('[1,0]', threshold => 0, user_id => who) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.get(forgetting.episode(1), user_id => who) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.facts(user_id => who, valid_at => NULL, k => 100) r),
        (SELECT string_agg(r::text, E'\n') FROM unnest('{saw,knows,lives_in}'::text[]) p, memory.fact_history('Ada', p, user_id => who) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.recall_facts('zebras platypus owls', embedding => '[1,0]', k => 100, user_id => who) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.neighbors('Ada', user_id => who) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.recall_graph('zebras platypus owls', user_id => who) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.sessions(user_id => who, k => 100) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.sessions(user_id => who, k => 100) s, memory.messages(s.session_id, k => 100, user_id => who) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.sessions(user_id => who, k => 100) s, memory.summary(s.session_id, user_id => who) r),
        (SELECT string_agg(memory.load_session(s.session_id, user_id => who)::text, E'\n') FROM memory.sessions(user_id => who, k => 100) s),
        (SELECT string_agg(r::text, E'\n') FROM memory.runs(user_id => who, k => 100) r),
        (SELECT string_agg(r::text, E'\n') FROM memory.sessions(user_id => who, k => 100) s, memory.checkpoints(s.session_id, k => 100, full_rows => true, user_id => who) r),
        memory.profile(user_id => who)::text, (SELECT string_agg(r::text, E'\n') FROM memory.blocks(user_id => who) r), (SELECT string_agg(r::text, E'\n') FROM memory.items(k => 100, user_id => who) r), memory.context('zebras platypus', max_tokens => NULL, user_id => who), memory.overview(user_id => who)::text,
        (SELECT string_agg(l::text, E'\n') FROM memory.export_user(who) l)) $$;
-- Every column of every table of schema memory, and what the planner keeps of them: the tables with rows of this user that have the word.
CREATE FUNCTION forgetting.walk(word text, who text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    one record;
    found bigint;
BEGIN
    FOR one IN SELECT c.relname, a.attname, EXISTS (SELECT FROM pg_attribute u WHERE u.attrelid = c.oid AND u.attname = 'user_id') AS of_users
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind IN ('r', 'm', 'p') ORDER BY c.relname, a.attnum
    LOOP
        EXECUTE format('SELECT count(*) FROM memory.%I t WHERE (t.%I::text LIKE $1 OR t.%2$I::text LIKE $2) %s', one.relname, one.attname,
            CASE WHEN one.of_users THEN 'AND t.user_id = $3' END) USING '%' || word || '%', '%' || encode(convert_to(word, 'UTF8'), 'hex') || '%', who INTO found;
        IF found > 0 THEN RETURN NEXT one.relname || '.' || one.attname; END IF;
    END LOOP;
    IF EXISTS (SELECT FROM pg_stats s WHERE schemaname = 'memory' AND s::text LIKE '%' || word || '%') THEN RETURN NEXT 'pg_stats'; END IF;
END $$;

-- Written: 'platypus' is the secret; the twin has the same.
CALL forgetting.make('ada', 'platypus');
CALL forgetting.make('twin', 'platypus');
ANALYZE;
CREATE TEMP TABLE twin AS SELECT forgetting.told('twin') AS told;
-- Found, wherever words can be.
SELECT forgetting.told('ada') LIKE '%platypus%' AS found;
SELECT string_agg(place, ', ') FROM forgetting.walk('platypus', 'ada') place;

-- An episode. What the caller has said elsewhere of the same is there still: the word is left where it came by other ways.
BEGIN;
SELECT id, content FROM memory.recall('saw many', user_id => 'ada', k => 1);
-- It goes with the fact that comes from it alone, and the receipt has the digest of both.
CREATE TEMP TABLE ids ON COMMIT DROP AS SELECT forgetting.episode(1) AS id UNION SELECT id FROM memory.facts('Ada', 'saw', user_id => 'ada', valid_at => NULL);
CREATE TEMP TABLE receipt ON COMMIT DROP AS SELECT memory.forget(user_id => 'ada', id => forgetting.episode(1)) AS said;
SELECT forgetting.counts(said) AS counts, (said ->> 'time')::timestamptz = now() AS time,
       said ->> 'digest' = (SELECT encode(sha256(string_agg(uuid_send(id), '' ORDER BY id)), 'hex') FROM ids) AS digest FROM receipt;
SELECT count(*) FROM memory.recall('saw many', user_id => 'ada', k => 100) WHERE id = forgetting.episode(1);
SELECT count(*) FROM memory.get(forgetting.episode(1), user_id => 'ada');
SELECT memory.explain_recall(forgetting.episode(1), 'saw many', user_id => 'ada') ->> 'found' AS explained;
SELECT object FROM memory.facts('Ada', 'saw', user_id => 'ada', valid_at => NULL);
SELECT neighbor FROM memory.neighbors('Ada', user_id => 'ada') ORDER BY 1;
SELECT count(*) FROM memory.summary('monday', user_id => 'ada');
-- Nothing but what was said elsewhere has the word: no vector, no old text, no fact, no edge.
SELECT string_agg(place, ', ') FROM forgetting.walk('platypus', 'ada') place WHERE place LIKE ANY ('{episode_revisions%,embeddings%,usage%,facts%,fact\_%,timelines%,summaries%}');
-- The same source again: nothing keeps it out, and it is as the caller wrote it.
SELECT memory.remember('I saw a platypus', 'Where?', user_id => 'ada', id => forgetting.episode(1), embedding => '[1,0]') = forgetting.episode(1) AS again;
SELECT content, response, session_id FROM memory.get(forgetting.episode(1), user_id => 'ada');
SELECT count(*) FROM memory.embeddings WHERE user_id = 'ada' AND namespace = 'steps' AND episode_id = forgetting.episode(1);
-- The twin has all of it.
SELECT told = forgetting.told('twin') AS as_before FROM twin;
ROLLBACK;

-- A fact.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', id => (SELECT id FROM memory.facts('Ada', 'saw', 'platypus', user_id => 'ada', valid_at => NULL)))) AS gone;
SELECT count(*) FROM memory.facts('Ada', 'saw', user_id => 'ada', valid_at => NULL);
SELECT count(*) FROM memory.fact_history('Ada', 'saw', user_id => 'ada');
SELECT count(*) FROM memory.recall_facts('platypus', embedding => '[1,0]', k => 100, user_id => 'ada') WHERE object = 'platypus';
SELECT neighbor FROM memory.neighbors('Ada', user_id => 'ada') ORDER BY 1;
SELECT string_agg(place, ', ') FROM forgetting.walk('platypus', 'ada') place WHERE place LIKE ANY ('{facts%,fact\_%,timelines%}');
-- Its source is there still, and feeds it again.
SELECT memory.assert_fact('Ada', 'saw', 'platypus', 'ada', sources => ARRAY[forgetting.episode(1)], valid_from => '2026-03-02') IS NOT NULL AS again;
SELECT object, sources FROM memory.facts('Ada', 'saw', user_id => 'ada', valid_at => NULL);
SELECT told = forgetting.told('twin') AS as_before FROM twin;
ROLLBACK;

-- A session.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', session_id => 'monday')) AS gone;
SELECT session_id FROM memory.sessions(user_id => 'ada');
SELECT count(*) FROM memory.messages('monday', user_id => 'ada');
SELECT count(*) FROM memory.checkpoints('monday', user_id => 'ada');
SELECT count(*) FROM memory.runs(user_id => 'ada');
-- What the user said outside of the session has the word: names of agents, a rejection, an alias, the profile.
SELECT string_agg(place, ', ') FROM forgetting.walk('platypus', 'ada') place;
SELECT forgetting.told('ada') LIKE '%I saw%' AS found;
-- The same messages again begin a session anew, under the same operation, too.
SELECT seq FROM memory.add_messages('monday', '[{"role": "user", "content": "I like platypus"}]', user_id => 'ada', operation => 'platypus operation');
SELECT messages, last_seq, version FROM memory.session('monday', user_id => 'ada');
SELECT told = forgetting.told('twin') AS as_before FROM twin;
ROLLBACK;

-- A user.
BEGIN;
SELECT forgetting.counts(memory.forget_user('ada')) AS gone;
SELECT forgetting.told('ada') = forgetting.told('a user that never was') AS as_if_never_there;
SELECT string_agg(place, ', ') FROM forgetting.walk('platypus', 'ada') place;
CALL forgetting.make('ada', 'platypus');
SELECT count(*) FROM forgetting.differences('ada', 'twin');
SELECT told = forgetting.told('twin') AS as_before FROM twin;
SELECT count(*) FROM memory.forget_user('twin');
ROLLBACK;
-- Every job: one that a worker had when its episode was forgotten writes nothing; what is fed again is asked again, and its answer is kept.
BEGIN;
SELECT namespace FROM memory.set_scope(namespace => 'jobs of steps');
SELECT memory.use_model('extract', 'mini', 'https://models.example/v1'), memory.use_model('embed', 'mini', 'https://models.example/v1', '{"dimensions": 2}');
SELECT memory.remember('I saw a platypus', user_id => 'eve', id => forgetting.episode(4)) = forgetting.episode(4) AS remembered,
       memory.remember('I saw a platypus', user_id => 'twin', id => forgetting.episode(4)) = forgetting.episode(4) AS twin;
CREATE TEMP TABLE claimed ON COMMIT DROP AS SELECT * FROM memory.next_jobs(1000, '{embed,extract}') WHERE namespace = 'jobs of steps';
SELECT user_id, task, payload::text LIKE '%platypus%' AS has_it FROM claimed ORDER BY 1, 2;
SELECT forgetting.counts(memory.forget(user_id => 'eve', id => forgetting.episode(4))) AS gone;
CREATE FUNCTION forgetting.answer(id text, task text) RETURNS boolean LANGUAGE sql AS $$
    SELECT CASE task WHEN 'embed' THEN memory.finish_job(id, embedding => '[1,0]') ELSE memory.finish_job(id, '{"facts": [{"subject": "Eve", "predicate": "saw", "object": "platypus"}]}') END $$;
SELECT user_id, task, forgetting.answer(id, task) AS written FROM claimed ORDER BY 1, 2;
SELECT forgetting.left_of('eve') AS eve, forgetting.left_of('twin') AS twin;
SELECT string_agg(place, ', ') FROM forgetting.walk('platypus', 'eve') place;
SELECT memory.remember('I saw a platypus', user_id => 'eve', id => forgetting.episode(4)) = forgetting.episode(4) AS again;
SELECT task, forgetting.answer(id, task) AS written FROM memory.next_jobs(1000, '{embed,extract}') WHERE namespace = 'jobs of steps' AND user_id = 'eve' ORDER BY 1;
SELECT count(*) FROM forgetting.differences('eve', 'twin') d WHERE d."table" <> 'jobs';
ROLLBACK;
-- Of all users at once, to be sure that the walk finds what there is: nothing is left of either, not in statistics.
SELECT count(*) FROM unnest('{ada,twin}'::text[]) who, memory.forget_user(who);
ANALYZE;
SELECT count(*) FROM unnest('{ada,twin}'::text[]) who, forgetting.walk('platypus', who);
SELECT count(*) FROM forgetting.rows_of('ada') WHERE rows > 0;
DROP TABLE twin;
DROP SCHEMA forgetting CASCADE;
RESET ALL;
