-- forget() and forget_user(): what goes by which condition, what goes with it, and what stays; receipts count every table.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
\i :source/sql/shared/forgotten.sql
SELECT namespace FROM memory.set_scope(namespace => 'forgetting');

-- Two users with the same: two sessions with messages, runs, checkpoints and summaries; a note beside them; facts that come from one
-- episode, from two, from none; a profile.
CALL forgetting.make('ada');
CALL forgetting.make('bob');
SELECT * FROM forgetting.rows_of('ada') WHERE rows > 0;

-- Something must be said of what goes; a variable that happens to be NULL is no condition, whatever the scope says.
SELECT pg_temp.refused($$SELECT memory.forget(user_id => 'ada')$$) AS refused;
SET memory.session_id = 'monday';
SELECT pg_temp.refused($$SELECT memory.forget('ada', NULL, NULL, NULL, NULL, NULL)$$) AS refused;
RESET memory.session_id;
SELECT pg_temp.refused(format('SELECT memory.forget(user_id => %L, %s)', 'ada', bad)) AS refused
FROM unnest(ARRAY['session_id => ''''', 'filter => ''[]''', 'filter => ''{"$like": 1}''', 'item_path => ''{{a},{b}}''', 'item_path => ''{NULL}''']) bad;
SELECT pg_temp.refused(format('SELECT memory.forget_user(%s)', bad)) AS refused FROM unnest(ARRAY['NULL', '''''', 'repeat(''u'', 513)']) bad;
-- Nothing was deleted.
SELECT count(*) FROM forgetting.differences('ada', 'bob');

-- By session: all that the session has, the episodes that were written into it, and the fact that comes from one of them alone. What
-- another episode says, too, stays, with that one as its source.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', session_id => 'monday')) AS gone;
SELECT forgetting.left_of('ada');
SELECT subject, predicate, object, sources FROM memory.facts(user_id => 'ada', valid_at => NULL) ORDER BY object;
ROLLBACK;
-- By session and time: the session stays with what is younger; its summary covers what has gone, and goes.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', session_id => 'monday', before => '2026-03-02 12:00+00')) AS gone;
SELECT forgetting.left_of('ada');
SELECT seq, content FROM memory.messages('monday', user_id => 'ada');
ROLLBACK;
-- Strictly before: what happened then stays.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', session_id => 'monday', before => '2026-03-02 09:00+00')) AS gone;
ROLLBACK;
-- By time: everything that has one. Sessions of which nothing has stayed go, with their names; the profile and the policy have no time.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', before => 'infinity')) AS gone;
SELECT forgetting.left_of('ada');
ROLLBACK;
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', before => '-infinity')) AS gone;
ROLLBACK;
-- By id, of an episode: its messages, vectors, old texts, use; its fact; the summary that covers its message.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', id => forgetting.episode(1))) AS gone;
SELECT forgetting.left_of('ada');
ROLLBACK;
-- Of a fact: all versions that say the same; the episode that it comes from stays. What was rejected on the line stays rejected.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', id => (SELECT id FROM memory.facts('Ada', 'lives in', 'Vienna', user_id => 'ada')))) AS gone;
SELECT count(*) FROM memory.fact_history('Ada', 'lives in', user_id => 'ada');
ROLLBACK;
-- Of a message that has no episode.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', id => (SELECT id FROM memory.messages('monday', user_id => 'ada') WHERE role = 'tool'))) AS gone;
ROLLBACK;
-- Another user's id is not found, nor one that is there and not in that session, nor one that is too young.
SELECT forgetting.counts(memory.forget(user_id => 'eve', id => forgetting.episode(1))) AS gone;
SELECT forgetting.counts(memory.forget(user_id => 'ada', id => forgetting.episode(1), session_id => 'tuesday')) AS gone;
SELECT forgetting.counts(memory.forget(user_id => 'ada', id => forgetting.episode(1), before => '2026-03-02 09:00+00')) AS gone;
SELECT forgetting.counts(memory.forget(user_id => 'ada', session_id => 'no such session')) AS gone;
-- By filter: on the metadata of episodes, the whole language; {} is every episode.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', filter => '{"topic": {"$in": ["zebras", "owls"]}}')) AS gone;
SELECT forgetting.left_of('ada');
ROLLBACK;
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', filter => '{}', session_id => 'monday')) AS gone;
ROLLBACK;
-- Items, below a path, whole names of it; and by their values and times, as the conditions are. Nothing else has a path.
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', item_path => '{topics,zebras}')) AS gone;
SELECT path, key FROM memory.items(user_id => 'ada');
ROLLBACK;
BEGIN;
SELECT forgetting.counts(memory.forget(user_id => 'ada', item_path => '{}', filter => '{"topic": "owls"}')) AS gone;
SELECT forgetting.counts(memory.forget(user_id => 'ada', item_path => '{topics}', before => '2026-03-02 09:00:01+00')) AS gone;
ROLLBACK;
SELECT forgetting.counts(memory.forget(user_id => 'ada', item_path => '{topic}')) AS gone;
SELECT forgetting.counts(memory.forget(user_id => 'ada', item_path => '{topics}', session_id => 'monday')) AS gone;
SELECT count(*) FROM forgetting.differences('ada', 'bob');

-- Everything of a user, in this namespace.
SELECT id FROM memory.set_scope(namespace => 'forgetting elsewhere'), memory.remember('elsewhere', user_id => 'ada', id => forgetting.episode(9)) id;
SELECT namespace FROM memory.set_scope(namespace => 'forgetting');
BEGIN;
SELECT forgetting.counts(memory.forget_user('ada')) AS gone;
SELECT * FROM forgetting.rows_of('ada') WHERE rows > 0;
ROLLBACK;
-- The receipt has every table of users, the time of the transaction, and a digest of the ids of episodes, messages and facts.
BEGIN;
CREATE TEMP TABLE ids ON COMMIT DROP AS
    SELECT id FROM memory.episodes WHERE user_id = 'ada' AND namespace = 'forgetting' UNION
    SELECT id FROM memory.messages WHERE user_id = 'ada' AND namespace = 'forgetting' UNION
    SELECT id FROM memory.facts WHERE user_id = 'ada' AND namespace = 'forgetting';
CREATE TEMP TABLE receipt ON COMMIT DROP AS SELECT memory.forget_user('ada') AS said;
SELECT (said ->> 'time')::timestamptz = now() AS now, said ->> 'time' LIKE '%+00:00' AS utc,
       said ->> 'digest' = (SELECT encode(sha256(string_agg(uuid_send(id), '' ORDER BY id)), 'hex') FROM ids) AS digest,
       (SELECT count(*) FROM ids) AS ids
FROM receipt;
SELECT string_agg(key, ' ' ORDER BY key) FROM receipt, jsonb_object_keys(said) key;
SELECT string_agg("table", ' ' ORDER BY "table") FROM forgetting.rows_of('ada');
-- Once more, there is nothing.
SELECT forgetting.counts(memory.forget_user('ada')) AS gone;
ROLLBACK;
-- A transaction that is rolled back has forgotten nothing.
SELECT count(*) FROM forgetting.differences('ada', 'bob');

-- The anonymous bucket has no name: it is forgotten by the end of time.
BEGIN;
SET LOCAL memory.anonymous = allow;
CALL forgetting.make(NULL);
SELECT forgetting.counts(memory.forget(before => 'infinity')) AS gone;
SELECT * FROM forgetting.rows_of('') WHERE rows > 0;
ROLLBACK;

-- Readers may not; under protect() nothing but one's own.
CREATE ROLE regress_memory_forgetter;
SELECT memory.grant_access('regress_memory_forgetter', 'reader');
SET ROLE regress_memory_forgetter;
SELECT pg_temp.refused($$SELECT memory.forget_user('ada')$$) AS refused;
SELECT pg_temp.refused($$SELECT memory.forget(user_id => 'ada', before => 'infinity')$$) AS refused;
RESET ROLE;
SELECT memory.grant_access('regress_memory_forgetter', 'writer');
SELECT memory.protect();
SET ROLE regress_memory_forgetter;
SET memory.user_id = 'bob';
SELECT pg_temp.refused($$SELECT memory.forget_user('ada')$$) AS refused;
SELECT pg_temp.refused($$SELECT memory.forget(user_id => 'ada', id => forgetting.episode(1))$$) AS refused;
BEGIN;
SELECT forgetting.counts(memory.forget_user('bob')) AS gone;
ROLLBACK;
RESET ROLE;
RESET memory.user_id;
SELECT memory.unprotect();
SELECT count(*) FROM forgetting.differences('ada', 'bob');

-- Rows that a trigger of the owner keeps are no secret: the call says which table has them, and deletes nothing.
CREATE FUNCTION forgetting.keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER kept BEFORE DELETE ON memory.profiles FOR EACH ROW EXECUTE FUNCTION forgetting.keep();
SELECT pg_temp.refused($$SELECT memory.forget_user('ada')$$) AS refused;
DROP TRIGGER kept ON memory.profiles;
CREATE TRIGGER kept BEFORE DELETE ON memory.episodes FOR EACH ROW EXECUTE FUNCTION forgetting.keep();
SELECT pg_temp.refused($$SELECT memory.forget(user_id => 'ada', id => forgetting.episode(1))$$) AS refused;
DROP TRIGGER kept ON memory.episodes;
SELECT count(*) FROM forgetting.differences('ada', 'bob');

SELECT count(*) FROM unnest('{ada,bob}'::text[]) u, memory.forget_user(u);
SELECT * FROM forgetting.rows_of('bob') WHERE rows > 0;
SELECT namespace FROM memory.set_scope(namespace => 'forgetting elsewhere');
SELECT forgetting.counts(memory.forget_user('ada')) AS gone;
SELECT memory.revoke_access('regress_memory_forgetter');
DROP ROLE regress_memory_forgetter;
DROP SCHEMA forgetting CASCADE;
RESET ALL;
