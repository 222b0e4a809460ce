-- Destructors that meet an error: it is raised in the end, and only one is.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all
SELECT pg_backend_pid() AS backend \gset

-- An error in a destructor, when nothing else is wrong, is the function's error.
SELECT door.fail_in_destructor('postgres');
SELECT door.fail_then_destructor('nothing');
-- A C++ exception in a release() too, of whatever type.
SELECT door.fail_in_destructor('error');
SELECT door.fail_in_destructor('int');

-- Under an exception of ours, the destructor's error is the one that PostgreSQL has: it is raised.
SELECT door.fail_then_destructor('error');
SELECT door.fail_then_destructor('int');
-- Under an error of PostgreSQL the destructor does nothing.
SELECT door.fail_then_destructor('postgres');
SELECT * FROM door.leftovers;

-- After such an error the frame's next call() ends it: 100 failing destructors in a row raise the first
-- one's error, and nothing is called any more.
SELECT door.failing_destructors(100);
SELECT door.calls_after();
SELECT door.destructor_fails_under_lock();
SELECT door.calls_after();

-- attempt() returns the destructor's error, and what it undid is undone.
SELECT how, door.attempt_failing_destructor(how) FROM unnest('{nothing,error,int,bad_alloc,postgres}'::text[]) AS how;

-- A handler of plpgsql sees the destructor's error as any other.
SELECT sqlstate, message, detail FROM door.diagnose('SELECT door.fail_then_destructor(''error'')');
SELECT sqlstate, message, detail FROM door.diagnose('SELECT door.failing_destructors(100)');

SELECT pg_backend_pid() = :backend AS same_backend;
SELECT * FROM door.leftovers;
