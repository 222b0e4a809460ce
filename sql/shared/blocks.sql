\set ECHO none
-- How many blocks a statement reads, the second time: the first time a backend also reads what it keeps. `once`: of its first run, as of one that writes.
--     \getenv source PG_ABS_SRCDIR
--     \i :source/sql/shared/blocks.sql
CREATE FUNCTION pg_temp.blocks(statement text, once boolean DEFAULT false) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    IF NOT once THEN
        EXECUTE statement;
    END IF;
    EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || statement INTO plan;
    RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::bigint + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::bigint;
END $$;
\set ECHO all
