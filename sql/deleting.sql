-- The lists of docs/guide.md, "Deleting" (tests/tools/guide.sh compares them): afterwards nothing of what was to go
-- is left in any table, and everything else is.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
CREATE ROLE regress_memory_deleter;
SELECT memory.grant_access('regress_memory_deleter', 'writer');

-- Two users with the same: episodes of two sessions, facts that come from one of them, from several, from none.
DO $$
DECLARE
    who text;
    monday uuid := '00000000-0000-7000-8000-000000000001'; noon uuid := '00000000-0000-7000-8000-000000000002';
    tuesday uuid := '00000000-0000-7000-8000-000000000003';
BEGIN
    FOREACH who IN ARRAY '{deleting ada,deleting bob}'::text[] LOOP
        PERFORM memory.remember('zebras on monday', user_id => who, session_id => 'monday', embedding => '[1,0]', id => monday),
                memory.remember('lions on monday', user_id => who, session_id => 'monday', embedding => '[0,1]', id => noon),
                memory.remember('owls on tuesday', user_id => who, session_id => 'tuesday', embedding => '[1,1]', id => tuesday);
        PERFORM memory.revise(noon, 'lions at noon', user_id => who);
        INSERT INTO memory.usage (user_id, episode_id, accesses) VALUES (who, monday, 1), (who, tuesday, 2);
        PERFORM memory.assert_fact('Ada', 'likes', 'zebras', who, sources => ARRAY[monday], embedding => '[1,0]'),
                memory.assert_fact('Ada', 'saw', 'lions', who, sources => ARRAY[noon, monday], embedding => '[0,1]'),
                memory.assert_fact('Ada', 'knows', 'owls', who, sources => ARRAY[noon, tuesday], embedding => '[1,1]'),
                memory.assert_fact('Ada', 'lives in', 'Vienna', who);
        PERFORM memory.reject_fact('Ada', 'lives in', 'Rome', user_id => who);
        PERFORM memory.merge_entities('Ada', 'Adi', user_id => who);
        PERFORM memory.set_session('monday', '{}', user_id => who), memory.set_session('tuesday', '{}', user_id => who);
        PERFORM memory.put_checkpoint(s, to_jsonb('zebras'::text), 'c', refs => '{"p": "1"}', part_names => '{p}', part_types => '{t}', part_data => '{"\\x01"}', user_id => who),
                memory.put_writes(s, 'c', 't', '{0}', '{n}', '{t}', '{"\\x02"}', user_id => who) FROM unnest('{monday,tuesday}'::text[]) s;
        PERFORM memory.save_run('monday', 'run', user_id => who), memory.set_summary('monday', 'About zebras.', user_id => who),
                memory.set_profile('{"likes": "zebras"}', user_id => who), memory.set_policy(last_runs => 3, user_id => who),
                memory.set_block('animals', 'zebras', user_id => who), memory.append_block('animals', ', owls', user_id => who),
                memory.put_item('{zebras}', 'k', '1', user_id => who, embeddings => '{"[1,0]"}');
    END LOOP;
END $$;
CREATE FUNCTION pg_temp.rows_of(who text) RETURNS TABLE ("table" text, rows bigint) LANGUAGE plpgsql AS $$
BEGIN
    FOR "table" IN SELECT attrelid::regclass::text FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND attname = 'user_id' ORDER BY relname
    LOOP
        EXECUTE format('SELECT count(*) FROM %s WHERE user_id = $1', "table") USING who INTO rows;
        RETURN NEXT;
    END LOOP;
END $$;
SELECT * FROM pg_temp.rows_of('deleting ada');

-- As a writer.
SET ROLE regress_memory_deleter;
\set user 'deleting ada'
\set session monday
BEGIN;
SELECT * FROM memory.set_scope(user_id => :'user', is_local => true);
CREATE TEMPORARY TABLE gone ON COMMIT DROP AS    -- the episodes that go: of a session, or with AND id = …
    SELECT id FROM memory.episodes
    WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope()) AND session_id = :'session';
-- Facts that come from these episodes and from no other, with all their versions.
DELETE FROM memory.facts WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope())
    AND id IN (SELECT fact_id FROM memory.fact_sources s LEFT JOIN gone g ON g.id = s.episode_id
               WHERE (s.namespace, s.user_id) = (SELECT namespace, user_id FROM memory.scope())
               GROUP BY fact_id HAVING count(*) = count(g.id));
-- The episodes. Their embeddings, revisions and usage go with them, and their place among the sources of other facts.
DELETE FROM memory.episodes WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope())
    AND id IN (SELECT id FROM gone);
-- What the deleted facts leave: vectors of what they said, and lines without a version.
DELETE FROM memory.fact_embeddings e WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope())
    AND NOT EXISTS (SELECT FROM memory.facts f WHERE (f.namespace, f.user_id, f.subject_key, f.predicate, f.object_key)
                                                   = (e.namespace, e.user_id, e.subject_key, e.predicate, e.object_key));
DELETE FROM memory.timelines t WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope())
    AND NOT has_rejections
    AND NOT EXISTS (SELECT FROM memory.facts f WHERE (f.namespace, f.user_id, f.line) = (t.namespace, t.user_id, t.line));
-- The session itself, with its checkpoints.
SELECT memory.delete_session(:'session');
COMMIT;

-- What is left: of facts those with another source or none.
SELECT content FROM memory.recall_recent(user_id => 'deleting ada');
SELECT content FROM memory.recall('zebras lions noon', user_id => 'deleting ada');
SELECT subject, predicate, object, sources FROM memory.facts(user_id => 'deleting ada') ORDER BY predicate;
SELECT object FROM memory.fact_history('Ada', 'likes', user_id => 'deleting ada');
SELECT object FROM memory.recall_facts('zebras', embedding => '[1,0]', user_id => 'deleting ada', k => 9) WHERE object LIKE '%zebra%';
RESET ROLE;
SELECT * FROM pg_temp.rows_of('deleting ada');
-- Lines go on where there were some: the same may be learnt again.
SELECT memory.assert_fact('Ada', 'likes', 'zebras', user_id => 'deleting ada') IS NOT NULL AS again;

-- Without a user nothing is deleted.
SET memory.anonymous = 'allow';
SELECT memory.remember('nobody in particular''s zebra', session_id => 'deleting') IS NOT NULL AS remembered;
BEGIN;
CREATE TEMPORARY TABLE gone ON COMMIT DROP AS
    SELECT id FROM memory.episodes WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
SELECT count(*) AS "gone" FROM gone;
COMMIT;
DELETE FROM memory.episodes WHERE user_id = '' AND session_id = 'deleting';
RESET memory.anonymous;

-- All of a user.
SET ROLE regress_memory_deleter;
BEGIN;
SELECT * FROM memory.set_scope(user_id => :'user', is_local => true);
DELETE FROM memory.facts WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());           -- and their sources
DELETE FROM memory.timelines WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.rejections WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.fact_embeddings WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.entity_aliases WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.messages WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.session_paths WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.session_operations WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.episodes WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());        -- and embeddings, revisions, usage
DELETE FROM memory.sessions WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());        -- and runs, summaries, checkpoints
DELETE FROM memory.blocks WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());          -- and their history
DELETE FROM memory.profiles WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.policies WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.items WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());           -- and their embeddings
COMMIT;
RESET ROLE;
SELECT * FROM pg_temp.rows_of('deleting ada') WHERE rows > 0;

-- Nobody else's.
SELECT * FROM pg_temp.rows_of('deleting bob');
SET ROLE regress_memory_deleter;
\set user 'deleting bob'
BEGIN;
SELECT * FROM memory.set_scope(user_id => :'user', is_local => true);
DELETE FROM memory.facts WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());           -- and their sources
DELETE FROM memory.timelines WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.rejections WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.fact_embeddings WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.entity_aliases WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.messages WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.session_paths WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.session_operations WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.episodes WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());        -- and embeddings, revisions, usage
DELETE FROM memory.sessions WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());        -- and runs, summaries, checkpoints
DELETE FROM memory.blocks WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());          -- and their history
DELETE FROM memory.profiles WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.policies WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());
DELETE FROM memory.items WHERE (namespace, user_id) = (SELECT namespace, user_id FROM memory.scope());           -- and their embeddings
COMMIT;
RESET ROLE;
SELECT count(*) AS "tables with rows left" FROM pg_temp.rows_of('deleting bob') WHERE rows > 0;

-- A session, and all of a user.
SELECT memory.remember('Zebras sleep standing.', user_id => 'zoe', session_id => 'zoo') AS id \gset
SELECT count(memory.assert_fact('Zebras', 'sleep', 'standing', user_id => 'zoe', sources => ARRAY[:'id']::uuid[]));
SELECT memory.put_item('{notes}', 'zebra', '{"legs": 4}', user_id => 'zoe');

SELECT key AS "table", value AS rows FROM jsonb_each(memory.forget(user_id => 'zoe', session_id => 'zoo'))
WHERE value <> '0' AND key NOT IN ('time', 'digest');
SELECT key AS "table", value AS rows FROM jsonb_each(memory.forget_user('zoe')) WHERE value <> '0' AND key NOT IN ('time', 'digest');

-- A reader deletes nothing.
SELECT memory.grant_access('regress_memory_deleter', 'reader');
SET ROLE regress_memory_deleter;
DELETE FROM memory.episodes WHERE user_id = 'deleting bob';
RESET ROLE;
SELECT memory.revoke_access('regress_memory_deleter');
DROP ROLE regress_memory_deleter;
