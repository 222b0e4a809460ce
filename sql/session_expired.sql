-- Episodes of a session that has expired are not there at once: every call answers as for a user who never had them, to the last bit of
-- the scores, before sweep has come by.
\pset format unaligned
\pset footer off
\pset null NULL
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT memory.set_scope(namespace => 'regress_over');
SELECT memory.set_retention('session', ttl => '1 hour');

-- Both have twelve episodes in two sessions and in none; one of them has two more sessions, with the same words and others, that have expired.
CREATE FUNCTION pg_temp.fill(who text) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(memory.remember((ARRAY['night trains to vienna', 'a quiet hotel', 'trains and hotels'])[1 + n % 3] || repeat(' more', n), CASE n % 4 WHEN 0 THEN 'noted' END, user_id => who,
        session_id => CASE n % 3 WHEN 0 THEN 'monday' WHEN 1 THEN 'tuesday' END, kind => (ARRAY['episodic', 'semantic'])[1 + n % 2], occurred_at => '2026-01-01Z'::timestamptz + n * interval '1 hour',
        embedding => format('[1,%s,2]', n)::vector, id => ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid)) FROM generate_series(1, 12) n $$;
SELECT pg_temp.fill('without'), pg_temp.fill('with');
SELECT count(memory.remember('trains to vienna and rare zebras ' || n, user_id => 'with', session_id => 'old ' || n % 2, occurred_at => '2026-01-01 06:30Z', embedding => '[1,2,2]',
    id => ('00000000-0000-7000-8000-' || lpad((100 + n)::text, 12, '0'))::uuid)) FROM generate_series(1, 8) n;
SELECT count(*) FROM memory.add_messages('old 1', '[{"role": "user", "content": "vienna by message"}]', user_id => 'with');
-- One has expired by itself, too, and counts once.
UPDATE memory.episodes SET expires_at = '2026-01-01' WHERE namespace = 'regress_over' AND id = '00000000-0000-7000-8000-000000000101';

CREATE FUNCTION pg_temp.answers(who text) RETURNS TABLE (call text, answer text) LANGUAGE plpgsql AS $$
DECLARE one text;
BEGIN
    FOREACH one IN ARRAY ARRAY[
        $q$recall_scored('vienna trains zebras', user_id => %L, k => 50)$q$,
        $q$recall_scored('vienna trains zebras', user_id => %L, k => 50, embedding => '[1,2,2]', half_life => '10 days')$q$,
        $q$recall_scored('vienna trains zebras', user_id => %L, k => 3, embedding => '[1,2,2]', diversity => 0.5)$q$,
        $q$recall_scored(NULL, user_id => %L, k => 50, embedding => '[1,2,2]')$q$,
        $q$recall_scored('vienna', user_id => %L, k => 50, since => '2026-01-01 05:00Z')$q$,
        $q$recall_scored('zebras', user_id => %L, session_id => 'old 1')$q$,
        $q$recall('trains', user_id => %L, k => 50)$q$,
        $q$recall_semantic('[1,2,2]', user_id => %L, k => 3)$q$,
        $q$recall_recent(user_id => %L, k => 50)$q$,
        $q$recall_recent(user_id => %L, session_id => 'old 0')$q$,
        $q$get('00000000-0000-7000-8000-000000000104', user_id => %L)$q$,
        $q$strength('00000000-0000-7000-8000-000000000104', user_id => %L)$q$,
        $q$revise('00000000-0000-7000-8000-000000000104', 'changed', user_id => %L)$q$,
        $q$context('trains', user_id => %L)$q$,
        $q$export_markdown(%L)$q$] LOOP
        call := one;
        EXECUTE format('SELECT coalesce(string_agg(to_jsonb(r)::text, E''\n''), '''') FROM memory.' || one || ' r', who) INTO answer;
        answer := replace(answer, format('%s', to_json(who)), 'the user');
        RETURN NEXT;
    END LOOP;
    call := 'export_user'; answer := (SELECT coalesce(string_agg((line - 'user_id')::text, E'\n'), '') FROM memory.export_user(who) line
        WHERE line ->> 'table' IN ('episodes', 'embeddings', 'episode_revisions', 'usage') AND (line ->> 'recorded_at') IS NULL);
    RETURN NEXT;
END $$;
CREATE FUNCTION pg_temp.compared(what text) RETURNS TABLE (compared text, call text, same boolean, says_something boolean) LANGUAGE sql AS $$
    SELECT what, a.call, a.answer = b.answer, a.answer <> '' FROM pg_temp.answers('with') WITH ORDINALITY a (call, answer, n) JOIN pg_temp.answers('without') WITH ORDINALITY b (call, answer, n) USING (n) WHERE a.answer <> b.answer OR what = 'over' ORDER BY n $$;
-- While the sessions live they differ.
SELECT count(*) > 5 AS many_differ FROM pg_temp.compared('alive');
UPDATE memory.sessions SET updated_at = now() - interval '1 hour' WHERE namespace = 'regress_over' AND session_id LIKE 'old %';
SELECT * FROM pg_temp.compared('over');
SELECT (memory.explain_recall('00000000-0000-7000-8000-000000000104', 'zebras', user_id => 'with')) -> 'failed' AS failed;
-- A role that policies apply to sees no more.
CREATE ROLE regress_memory_over;
SELECT memory.grant_access('regress_memory_over', 'reader');
SELECT memory.protect();
SET ROLE regress_memory_over;
SET memory.user_id = 'with';
SELECT string_agg(DISTINCT session_id, ' ') AS sessions, count(*) FROM memory.recall_scored('vienna trains zebras hotel', embedding => '[1,2,2]', k => 50);
SELECT count(*) FROM memory.recall_semantic('[1,2,2]', k => 50);
RESET memory.user_id;
RESET ROLE;
SELECT memory.unprotect();
SELECT memory.revoke_access('regress_memory_over');
DROP ROLE regress_memory_over;
-- Sweep takes them, and then nothing is passed over any more.
SELECT memory.sweep() IS NOT NULL AS swept;
SELECT count(*) FROM memory.episodes WHERE namespace = 'regress_over' AND user_id = 'with';
SELECT * FROM pg_temp.compared('swept');
-- Without a rule sessions live for ever.
SELECT memory.set_retention('session');
SELECT memory.remember('back again', user_id => 'with', session_id => 'old 1') IS NOT NULL AS written;
UPDATE memory.sessions SET updated_at = '2020-01-01' WHERE namespace = 'regress_over' AND session_id LIKE 'old %';
SELECT content FROM memory.recall('again', user_id => 'with');
SELECT count(memory.forget_user(u)) FROM unnest('{with,without}'::text[]) u;
