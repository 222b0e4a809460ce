-- Where the functions may be called from: prepared statements, loops, triggers, cursors, procedures,
-- exception blocks, and sessions in which everything around them changes.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET memory.namespace = 'test of calls';
SET memory.user_id = 'ann';

-- Prepared, as often as it takes for a generic plan.
PREPARE remember(text, text) AS SELECT memory.remember($1, user_id => $2) IS NOT NULL AS remembered;
PREPARE recall(int, text) AS SELECT content FROM memory.recall_recent(k => $1, user_id => $2);
DO $$ BEGIN FOR n IN 1..8 LOOP EXECUTE format('EXECUTE remember(%L, ''prepared'')', 'number ' || n); EXECUTE 'EXECUTE recall(2, ''prepared'')'; END LOOP; END $$;
EXECUTE recall(3, 'prepared');
SET memory.user_id = 'bob';
EXECUTE recall(3, NULL);
SET memory.user_id = 'prepared';
EXECUTE recall(1, NULL);
SET memory.user_id = 'ann';

-- Of each row of a query, of one query's rows for another, side by side.
SELECT count(DISTINCT memory.remember('row ' || n)) FROM generate_series(1, 100) AS n;
SELECT count(*) FROM memory.recall_recent(k => 10) AS a, LATERAL memory.recall_recent(k => 3, session_id => a.session_id) AS b;
SELECT count(g.content), count(DISTINCT g.content) FROM memory.recall_recent(k => 100) AS e, memory.get(e.id) AS g;
SELECT a.content = b.content AS same FROM memory.recall_recent(k => 2) AS a JOIN memory.recall_recent(k => 2) AS b USING (id);
SELECT count(*) FROM (SELECT memory.remember_many('[{"content": "a"}, {"content": "b"}]') FROM generate_series(1, 3)) AS six;

-- Through a cursor, in pieces, and held over the end of its transaction.
BEGIN;
DECLARE newest CURSOR WITH HOLD FOR SELECT content FROM memory.recall_recent(k => 100);
FETCH 2 FROM newest;
SELECT memory.remember('in between') IS NOT NULL AS remembered;
FETCH 2 FROM newest;
COMMIT;
FETCH 2 FROM newest;
CLOSE newest;

-- In a block whose error is caught: what the block did is undone, what came before is kept.
DO $$
BEGIN
    PERFORM memory.remember('before the block', user_id => 'blocks');
    FOR n IN 1..3 LOOP
        BEGIN
            PERFORM memory.remember('in the block', user_id => 'blocks');
            PERFORM memory.remember('wrong', user_id => 'blocks', importance => n);
            PERFORM memory.remember_many('[{"content": "in the block", "user_id": "blocks"}, {"content": 1}]');
        EXCEPTION WHEN data_exception THEN
            PERFORM memory.remember('after error ' || n, user_id => 'blocks');
        END;
    END LOOP;
END $$;
SELECT content FROM memory.recall_recent(user_id => 'blocks');

-- In a procedure that commits.
CREATE PROCEDURE pg_temp.loop() LANGUAGE plpgsql AS $$
BEGIN
    FOR n IN 1..4 LOOP
        PERFORM memory.remember('loop ' || n, user_id => 'loops');
        IF n % 2 = 0 THEN COMMIT; ELSE ROLLBACK; END IF;
    END LOOP;
END $$;
CALL pg_temp.loop();
SELECT content FROM memory.recall_recent(user_id => 'loops');

-- In triggers on the very tables that they write: a copy of every episode for somebody else, and one
-- that reads what its own statement has not finished to write.
CREATE FUNCTION pg_temp.copied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.user_id = 'original' THEN
        PERFORM memory.remember(NEW.content || ', copied', user_id => 'copy', id => NEW.id);
        PERFORM memory.revise(NEW.id, NEW.content || ', copied and revised', user_id => 'copy');
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER copied AFTER INSERT ON memory.episodes FOR EACH ROW EXECUTE FUNCTION pg_temp.copied();
SELECT memory.remember('one', user_id => 'original') IS NOT NULL AS remembered;
SELECT count(*) FROM memory.remember_many('[{"content": "two", "user_id": "original"}, {"content": "three", "user_id": "original"}]');
INSERT INTO memory.episodes (user_id, content) VALUES ('original', 'four');
SELECT content FROM memory.recall_recent(user_id => 'copy');
SELECT count(*) AS revisions FROM memory.episode_revisions WHERE namespace = 'test of calls' AND user_id = 'copy';
DROP TRIGGER copied ON memory.episodes;
-- A trigger that swallows the row leaves nothing behind, and the call says so.
CREATE FUNCTION pg_temp.swallowed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN CASE WHEN NEW.content <> 'swallow me' THEN NEW END; END $$;
CREATE TRIGGER swallowed BEFORE INSERT ON memory.episodes FOR EACH ROW EXECUTE FUNCTION pg_temp.swallowed();
SELECT memory.remember('swallow me', user_id => 'swallowed') IS NOT NULL AS remembered;
SELECT memory.remember('not me', user_id => 'swallowed') IS NOT NULL AS remembered;
SELECT content FROM memory.recall_recent(user_id => 'swallowed');
DROP TRIGGER swallowed ON memory.episodes;

-- While the tables change: columns added and dropped, an index dropped, all of it anew.
ALTER TABLE memory.episodes ADD COLUMN first int, ADD COLUMN second text DEFAULT 'kept';
SELECT memory.remember('with more columns', user_id => 'altered') IS NOT NULL AS remembered;
ALTER TABLE memory.episodes DROP COLUMN first;
SELECT memory.remember('with fewer columns', user_id => 'altered') IS NOT NULL AS remembered;
DROP INDEX memory.episodes_by_time;
SELECT content, expires_at IS NULL AS "does not expire" FROM memory.recall_recent(user_id => 'altered');
SELECT memory.init();
SELECT to_regclass('memory.episodes_by_time') IS NOT NULL AS "init() has made the index again";
ALTER TABLE memory.episodes DROP COLUMN second;
DISCARD ALL;
SET client_min_messages = warning;
SET memory.namespace = 'test of calls';
SELECT content FROM memory.recall_recent(user_id => 'altered');
DROP EXTENSION memory CASCADE;
CREATE EXTENSION memory;
SELECT memory.init();
SELECT content FROM memory.recall_recent(user_id => 'altered');
SELECT memory.remember('with all made anew', user_id => 'altered') IS NOT NULL AS remembered;

-- Whatever the search_path finds instead of PostgreSQL's own.
CREATE SCHEMA regress_memory_traps;
CREATE FUNCTION regress_memory_traps.now() RETURNS timestamptz LANGUAGE sql RETURN '1999-12-31'::timestamptz;
CREATE FUNCTION regress_memory_traps.differs(text, text) RETURNS boolean LANGUAGE sql RETURN false;
CREATE OPERATOR regress_memory_traps.= (LEFTARG = text, RIGHTARG = text, FUNCTION = regress_memory_traps.differs);
CREATE TYPE regress_memory_traps.vector AS (a int);
CREATE TABLE regress_memory_traps.episodes (content text);
SET search_path = regress_memory_traps, pg_catalog;
SELECT memory.remember('in a trap', user_id => 'trapped', embedding => '[1,2]', ttl => '1 day') AS id \gset
SELECT memory.revise(:'id', 'in a trap, revised', user_id => 'trapped');
SELECT count(*) FROM memory.remember_many('[{"content": "in a trap", "user_id": "trapped", "embedding": [1, 2]}]');
SELECT content, occurred_at > '2020-01-01' AS "now is now" FROM memory.recall_recent(user_id => 'trapped');
SELECT memory.init();
RESET search_path;
DROP SCHEMA regress_memory_traps CASCADE;

-- The functions leave the caller's settings as they were.
SET search_path = pg_temp, public;
SET work_mem = '5MB';
SELECT memory.init();
SELECT count(*) FROM memory.recall_recent(user_id => 'ann');
SELECT current_setting('search_path') AS search_path, current_setting('work_mem') AS work_mem, current_user = session_user AS "the same user";
