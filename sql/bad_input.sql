-- Bad input is refused before anything is written, with a SQLSTATE of its class and the argument's name.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET memory.namespace = 'test of bad input';
SET memory.user_id = 'ann';
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
SET memory.embedding_model = 'of three dimensions in test of bad input';
SELECT memory.init(3);
SET memory.max_content = '1kB';

-- remember
SELECT pg_temp.refused(format('SELECT memory.remember(%s)', arguments)) AS refused FROM unnest(ARRAY[
    $$'hello', user_id => ''$$,
    $$'hello', user_id => repeat('x', 513)$$,
    $$''$$,
    $$NULL$$,
    $$'', ''$$,
    $$NULL, ''$$,
    $$repeat('x', 1025)$$,
    $$repeat('é', 513)$$,
    $$'hello', repeat('x', 1025)$$,
    $$'hello', importance => 1.01$$,
    $$'hello', importance => -0.01$$,
    $$'hello', importance => 'NaN'$$,
    $$'hello', importance => 'Infinity'$$,
    $$'hello', metadata => '[]'$$,
    $$'hello', metadata => '"text"'$$,
    $$'hello', metadata => '1'$$,
    $$'hello', metadata => 'null'$$,
    $$'hello', kind => ''$$,
    $$'hello', session_id => repeat('x', 1025)$$,
    $$'hello', agent_id => repeat('x', 513)$$,
    $$'hello', occurred_at => 'infinity'$$,
    $$'hello', occurred_at => '-infinity'$$,
    $$'hello', ttl => '0 s'$$,
    $$'hello', ttl => '-1 microsecond'$$,
    $$'hello', ttl => '1 month -31 days'$$,
    $$'hello', ttl => '170000000 years'$$,
    $$'hello', embedding => '[1,2]'$$,
    $$'hello', embedding => '[1,2,3,4]', id => '00000000-0000-7000-8000-000000000001'$$,
    $$'hello', id => 'hello'$$]) AS arguments;
-- Text that is no text does not get as far.
SELECT pg_temp.refused(format('SELECT memory.remember(%s)', text)) AS refused FROM unnest(ARRAY[
    $$chr(0)$$, $$convert_from('\x610062', 'UTF8')$$, $$convert_from('\xeda0bd', 'UTF8')$$]) AS text;

-- revise
SELECT memory.remember('as it was', id => '00000000-0000-7000-8000-000000000002') AS id \gset
SELECT pg_temp.refused(format('SELECT memory.revise(%s)', arguments)) AS refused FROM unnest(ARRAY[
    $$NULL, 'hello'$$,
    $$'00000000-0000-7000-8000-000000000002', ''$$,
    $$'00000000-0000-7000-8000-000000000002', NULL$$,
    $$'00000000-0000-7000-8000-000000000002', '', ''$$,
    $$'00000000-0000-7000-8000-000000000002', repeat('x', 1025)$$,
    $$'00000000-0000-7000-8000-000000000002', 'hello', repeat('x', 1025)$$,
    $$'00000000-0000-7000-8000-000000000002', 'hello', user_id => ''$$]) AS arguments;
SELECT content FROM memory.get(:'id');

-- recall_recent, get
SELECT pg_temp.refused(call) AS refused FROM unnest(ARRAY[
    $$SELECT memory.recall_recent(k => 0)$$,
    $$SELECT memory.recall_recent(k => -1)$$,
    $$SELECT memory.recall_recent(k => 1000001)$$,
    $$SELECT memory.recall_recent(user_id => '')$$,
    $$SELECT memory.get('hello')$$,
    $$SELECT memory.get('00000000-0000-7000-8000-000000000002', '')$$]) AS call;

-- init, grant_access, revoke_access, settings
SELECT pg_temp.refused(call) AS refused FROM unnest(ARRAY[
    $$SELECT memory.init(0)$$,
    $$SELECT memory.init(16001)$$,
    $$SELECT memory.grant_access(current_user::regrole, 'everything')$$,
    $$SELECT memory.grant_access(current_user::regrole, '')$$,
    $$SELECT memory.grant_access('regress_memory_nobody', 'reader')$$,
    $$SELECT memory.grant_access(4294967295::oid::regrole, 'reader')$$,
    $$SELECT memory.revoke_access(4294967295::oid::regrole)$$,
    $$SET memory.embedding_model = ''$$,
    $$SET memory.no_such_setting = 'on'$$]) AS call;
-- (Its message is another since PostgreSQL 16.)
SELECT left(pg_temp.refused(format('SET memory.max_content = %L', value)), 35) AS refused
FROM unnest(ARRAY['0kB', '262145kB', 'much']) AS value;

-- The functions behind the triggers, where they do not belong.
CREATE TEMP TABLE other (a int);
CREATE TRIGGER of_statements AFTER INSERT ON other EXECUTE FUNCTION memory_internal.refuse_episode();
SELECT pg_temp.refused('INSERT INTO other VALUES (1)') AS refused;
DROP TRIGGER of_statements ON other;
CREATE TRIGGER of_rows AFTER INSERT ON other FOR EACH ROW EXECUTE FUNCTION memory_internal.refuse_episode();
SELECT pg_temp.refused('INSERT INTO other VALUES (1)') AS refused;
CREATE OR REPLACE TRIGGER of_rows AFTER INSERT ON other FOR EACH ROW EXECUTE FUNCTION memory_internal.refuse_embedding();
SELECT pg_temp.refused('INSERT INTO other VALUES (1)') AS refused;
SELECT pg_temp.refused('SELECT memory_internal.refuse_episode()') AS refused;

-- Nothing of all this was written.
SELECT content FROM memory.episodes WHERE namespace = 'test of bad input';
SELECT count(*) AS embeddings FROM memory.embeddings WHERE namespace = 'test of bad input';
