-- verify_index() computes an index's expressions and predicate, which are its owner's code: it does so as
-- the owner, whatever role looks, and nothing that the code sets stays.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
CREATE ROLE regress_indexer;
CREATE SCHEMA indexer AUTHORIZATION regress_indexer;
SET ROLE regress_indexer;
CREATE TABLE indexer.notes (tenant int, body text);
CREATE FUNCTION indexer.prepared(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RAISE WARNING 'computed as %', current_user;
    PERFORM set_config('memory.agent_id', 'planted', false);
    RETURN $1;
END $$;
INSERT INTO indexer.notes VALUES (1, 'a note');
SET client_min_messages = error;
CREATE INDEX notes_recall ON indexer.notes USING recall (tenant, indexer.prepared(body));
SET client_min_messages = warning;
RESET ROLE;
SELECT session_user = current_user AS as_before;
SELECT * FROM memory.verify_index('indexer.notes_recall');
SELECT session_user = current_user AS as_before, current_setting('memory.agent_id') AS "nothing is set";
-- As in VACUUM, the code may not become another role.
CREATE OR REPLACE FUNCTION indexer.prepared(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    PERFORM set_config('role', 'none', false);
    RETURN $1;
END $$;
SELECT * FROM memory.verify_index('indexer.notes_recall');
SELECT session_user = current_user AS as_before;
DROP SCHEMA indexer CASCADE;
DROP ROLE regress_indexer;
