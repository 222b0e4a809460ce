-- memory.consolidate() and memory.undo_consolidation(): near-duplicates (docs/lifecycle.md).
\pset format unaligned
\pset footer off
\pset null NULL
\set VERBOSITY terse
SET client_min_messages = warning;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT memory.set_scope(namespace => 'regress_consolidate');

CREATE FUNCTION pg_temp.id(n int) RETURNS uuid LANGUAGE sql AS $$ SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid $$;
-- Clusters with the last digits of ids.
CREATE FUNCTION pg_temp.n(id uuid) RETURNS int LANGUAGE sql AS $$ SELECT right(id::text, 6)::int $$;
CREATE FUNCTION pg_temp.consolidated(who text, threshold float8 DEFAULT 0.9, dry boolean DEFAULT true) RETURNS TABLE (cluster bigint, kept int, merged int[], similarity numeric) LANGUAGE sql AS $$
    SELECT c.cluster, pg_temp.n(c.kept), ARRAY(SELECT pg_temp.n(m) FROM unnest(c.merged) m), round(c.similarity::numeric, 3) FROM memory.consolidate(threshold, dry, who) c $$;
CREATE FUNCTION pg_temp.exported(who text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(line::text, E'\n'), '') FROM memory.export_user(who) line $$;
CREATE FUNCTION pg_temp.ranked(who text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s %s %s', pg_temp.n(r.id), r.bm25_score, r.score), ', ' ORDER BY r.score DESC, r.id) FROM memory.recall_scored('train to Vienna', embedding => '[1,2,3]', alpha => 0.3, user_id => who, k => NULL) r $$;
CREATE PROCEDURE pg_temp.live(who text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM memory.remember(t, user_id => who, id => pg_temp.id(n), occurred_at => '2026-01-01'::timestamptz + n * interval '1 day', embedding => format('[1,2,%s]', n)::public.vector)
    FROM (VALUES (1, 'My train to Vienna leaves at nine.'), (2, 'my trian to Vienna leaves at nine'), (3, 'At nine MY TRAIN leaves to Vienna!'), (4, 'The next train to Rome leaves at 7'), (5, 'The next train to Rome leaves at 8'),
        (6, 'Ada likes tea'), (7, 'ada likes tea'), (8, '?!'), (9, '?!')) v (n, t);
END $$;

-- === what is found ============================================================================
CALL pg_temp.live('ada');
-- Case, punctuation, order and small edits are nothing, numbers are; the newest is kept. A dry run changes nothing.
SELECT * FROM pg_temp.consolidated('ada');
SELECT * FROM pg_temp.consolidated('ada', 1);
SELECT count(*) FROM memory.recall_recent(user_id => 'ada');
-- The most important one is kept, whenever it was.
UPDATE memory.episodes SET importance = 0.9 WHERE namespace = 'regress_consolidate' AND user_id = 'ada' AND id <> pg_temp.id(1);
SELECT * FROM pg_temp.consolidated('ada');
UPDATE memory.episodes SET importance = 1 WHERE namespace = 'regress_consolidate' AND user_id = 'ada';
-- What has a response is compared with it; kinds, roles and agents are apart, sessions are not.
SELECT memory.remember('tea', 'with milk', user_id => 'bob', id => pg_temp.id(1)), memory.remember('Tea with milk', user_id => 'bob', id => pg_temp.id(2), session_id => 's', occurred_at => '2026-01-01'), memory.remember('tea with milk', user_id => 'bob', kind => 'note', id => pg_temp.id(3)),
    memory.remember('tea with milk', user_id => 'bob', role => 'user', id => pg_temp.id(4)), memory.remember('tea with milk', user_id => 'bob', agent_id => 'a', id => pg_temp.id(5)), memory.remember('tea with milk', user_id => 'bob', ttl => '1 day', id => pg_temp.id(6));
SELECT * FROM pg_temp.consolidated('bob');
SELECT * FROM pg_temp.consolidated('nobody yet');

-- === merged ===================================================================================
-- Rankings, scores to the last bit, are those of a user who never had them; so is all else.
CALL pg_temp.live('carl');
DELETE FROM memory.episodes WHERE namespace = 'regress_consolidate' AND user_id = 'carl' AND id IN (pg_temp.id(1), pg_temp.id(2), pg_temp.id(6));
SELECT memory.revise(pg_temp.id(2), 'my trian to Vienna leaves at ninee', user_id => 'ada'), memory.assert_fact('Ada', 'travels to', 'Vienna', 'ada', sources => ARRAY[pg_temp.id(2)], valid_from => '2026-01-01', id => pg_temp.id(1)) IS NOT NULL AS asserted;
INSERT INTO memory.embeddings (namespace, user_id, episode_id, embedding) VALUES ('regress_consolidate', 'ada', pg_temp.id(2), '[1,2,2]');
SELECT count(*) FROM memory.remember('At nine my train leaves to Vienna', user_id => 'ada', session_id => 's', id => pg_temp.id(10), occurred_at => '2025-01-01', embedding => '[1,2,3]');
SELECT pg_temp.exported('ada') AS before, pg_temp.ranked('ada') AS ranked_before \gset
SELECT * FROM pg_temp.consolidated('ada', dry => false);
SELECT pg_temp.ranked('ada') = pg_temp.ranked('carl') AS ranked_as_if_alone, (SELECT count(*) FROM memory.recall_recent(user_id => 'ada')) AS recent, (SELECT count(*) FROM memory.recall_semantic('[1,2,3]', threshold => -1, user_id => 'ada', k => 100)) AS semantic,
    (SELECT count(*) FROM memory.get(pg_temp.id(2), 'ada')) AS got, memory.context('train to Vienna', user_id => 'ada') ~ 'trian' AS in_context, memory.overview(user_id => 'ada') -> 'episodes' AS overview, memory.revise(pg_temp.id(2), 'x', user_id => 'ada') AS revised;
-- The message stays in its log, the fact has its source, and the ids say what was merged into what.
SELECT seq, id = pg_temp.id(10) AS same, content FROM memory.messages('s', user_id => 'ada');
SELECT sources FROM memory.facts('Ada', user_id => 'ada');
SELECT pg_temp.n(episode_id) AS merged, pg_temp.n(kept) AS kept, round(similarity::numeric, 3) AS similarity FROM memory.merged_episodes WHERE namespace = 'regress_consolidate' ORDER BY 1;
-- Again there is nothing to do; what comes is compared with what is kept.
SELECT * FROM pg_temp.consolidated('ada', dry => false);
SELECT memory.remember('my train to vienna leaves at nine', user_id => 'ada', id => pg_temp.id(11), occurred_at => '2026-02-01') IS NOT NULL AS remembered;
SELECT * FROM pg_temp.consolidated('ada', dry => false);
-- What is merged moves with the user, and comes back there, too.
SELECT memory.import_user(ARRAY(SELECT memory.export_user('ada')), 'dora') -> 'written' -> 'merged_episodes' AS mergers;
SELECT memory.undo_consolidation(pg_temp.id(11), 'dora'), memory.undo_consolidation(pg_temp.id(3), 'dora');
SELECT count(*) FROM memory.recall_recent(user_id => 'dora');

-- === back ====================================================================================
DELETE FROM memory.episodes WHERE namespace = 'regress_consolidate' AND user_id = 'ada' AND id = pg_temp.id(11);
SELECT memory.undo_consolidation(pg_temp.id(3), 'ada'), memory.undo_consolidation(pg_temp.id(7), 'ada');
SELECT pg_temp.exported('ada') = :'before' AS the_same_bytes, pg_temp.ranked('ada') = :'ranked_before' AS ranked_as_before;
SELECT pg_temp.refused('SELECT memory.undo_consolidation(pg_temp.id(3), ''ada'')');
-- Where the one that was kept goes, the others come back; where one that was merged goes or is written anew, it is merged no more.
SELECT * FROM pg_temp.consolidated('ada', dry => false);
DELETE FROM memory.episodes WHERE namespace = 'regress_consolidate' AND user_id = 'ada' AND id IN (pg_temp.id(3), pg_temp.id(6));
SELECT pg_temp.n(id) AS n FROM memory.recall_recent(user_id => 'ada') ORDER BY 1;
SELECT count(*) FROM memory.merged_episodes WHERE namespace = 'regress_consolidate' AND user_id = 'ada';
SELECT * FROM pg_temp.consolidated('ada', dry => false);
SELECT memory.remember('Now something else', user_id => 'ada', id => pg_temp.id(1)) = pg_temp.id(1) AS written_anew;
SELECT memory.undo_consolidation(pg_temp.id(2), 'ada');
SELECT pg_temp.n(id) AS n, content FROM memory.recall_recent(user_id => 'ada') ORDER BY 1;
SELECT count(*) FROM memory.merged_episodes WHERE namespace = 'regress_consolidate' AND user_id = 'ada';
-- sweep() leaves what is merged; forget() takes one that is named, and one that is kept leaves the others; forget_user() takes all.
CALL pg_temp.live('eve');
SELECT * FROM pg_temp.consolidated('eve', dry => false);
SELECT memory.sweep() IS NOT NULL AS swept;
SELECT count(*) FROM memory.merged_episodes WHERE namespace = 'regress_consolidate' AND user_id = 'eve';
SELECT r -> 'episodes' AS episodes, r -> 'merged_episodes' AS mergers FROM memory.forget('eve', id => pg_temp.id(1)) r;
SELECT pg_temp.n(id) AS n FROM memory.recall_recent(user_id => 'eve') ORDER BY 1;
SELECT r -> 'episodes' AS episodes FROM memory.forget('eve', id => pg_temp.id(3)) r;
SELECT pg_temp.n(id) AS n FROM memory.recall_recent(user_id => 'eve') ORDER BY 1;
SELECT r -> 'episodes' AS episodes, r -> 'merged_episodes' AS mergers FROM memory.forget_user('eve') r;
SELECT count(*) FROM memory.export_user('eve');
-- Other users have none of it.
SELECT count(*) FROM memory.recall_recent(user_id => 'carl');

-- === refused =================================================================================
SELECT pg_temp.refused('SELECT * FROM memory.consolidate(0.4)'), pg_temp.refused('SELECT * FROM memory.consolidate(1.1)'), pg_temp.refused('SELECT * FROM memory.consolidate(''NaN'')'), pg_temp.refused('SELECT * FROM memory.consolidate(user_id => '''')');
SELECT pg_temp.refused('SELECT memory.undo_consolidation(NULL, ''ada'')'), pg_temp.refused('SELECT memory.undo_consolidation(pg_temp.id(99), ''ada'')'), pg_temp.refused('SELECT memory.undo_consolidation(pg_temp.id(3), ''carl'')');
CREATE ROLE regress_consolidate_reader;
SELECT memory.grant_access('regress_consolidate_reader', 'reader');
SET ROLE regress_consolidate_reader;
SELECT count(*) FROM memory.consolidate(user_id => 'carl');
SELECT count(*) FROM memory.consolidate(0.5, user_id => 'carl');
SELECT pg_temp.refused('SELECT * FROM memory.consolidate(0.5, false, ''carl'')');
RESET ROLE;
BEGIN READ ONLY;
SELECT count(*) FROM memory.consolidate(user_id => 'bob');
ROLLBACK;
SELECT memory.revoke_access('regress_consolidate_reader');
DROP ROLE regress_consolidate_reader;
DELETE FROM memory.sessions WHERE namespace = 'regress_consolidate';
DELETE FROM memory.episodes WHERE namespace = 'regress_consolidate';
DELETE FROM memory.facts WHERE namespace = 'regress_consolidate';
SELECT count(*) FROM memory.merged_episodes WHERE namespace = 'regress_consolidate';
SELECT memory.set_scope();
