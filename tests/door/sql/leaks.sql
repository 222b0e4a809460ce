-- Errors through frames of C++ leave no memory, lock, pin or object behind.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all

\setenv PGDATABASE :DBNAME

-- 10,000 statements that end in an error, each at top level: every kind of thing held, every kind of
-- failure. What is printed is what is not an ERROR: warnings of leaks would be seen.
\! psql -Xqt -v VERBOSITY=terse <"$PG_ABS_SRCDIR/many_errors.sql" 2>&1 | grep -v '^ERROR: '

-- The measure itself: errors that jump past C++ objects, without the door, are seen to leak.
\! psql -Xqt -v VERBOSITY=terse <"$PG_ABS_SRCDIR/jumps.sql" 2>&1 | grep -v '^ERROR: '

-- 10,000 errors that an EXCEPTION block catches: the same transaction goes on each time, and C++ adds
-- nothing to what plpgsql itself leaves in memory until the block ends.
CREATE FUNCTION door.growth_by_caught(statements text[], times int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    caught int := 0;
BEGIN
    FOR i IN 1 .. times + 500 LOOP
        IF i = 500 THEN
            PERFORM door.note_usage();
        END IF;
        BEGIN
            EXECUTE statements[1 + i % cardinality(statements)];
        EXCEPTION WHEN OTHERS THEN
            caught := caught + 1;
        END;
    END LOOP;
    ASSERT caught = times + 500;
    RETURN door.growth();
END $$;
SELECT door.growth_by_caught(array_agg(format('SELECT door.fail_holding(%L, %L)', what, how)), 10000)
       - door.growth_by_caught('{SELECT 1 / 0}', 10000) < 50000 AS memory_is_as_before
FROM unnest(string_to_array(door.holdings(), ',')) AS what,
     unnest('{postgres,catalog,sql,error,int,bad_alloc,exhausted context,long error}'::text[]) AS how;
SELECT * FROM door.leftovers;

-- 10,000 errors that attempt() ends, in one frame.
SELECT what, how, door.growth_by_attempts(10000, what, how) < 50000 AS memory_is_as_before
FROM (VALUES ('containers', 'postgres'), ('containers', 'error'), ('relation', 'catalog'),
             ('pinned page', 'postgres'), ('locked page', 'postgres'), ('locked page', 'error'),
             ('fresh snapshot', 'postgres'), ('snapshot', 'error'), ('spi', 'sql'),
             ('statement', 'sql'), ('temporary context', 'postgres'), ('switched context', 'error'),
             ('switched context', 'postgres')) AS v (what, how);
SELECT * FROM door.leftovers;
