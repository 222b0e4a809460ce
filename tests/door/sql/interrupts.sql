-- A loop in C++ can be interrupted, with its objects.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all

SET statement_timeout = '50ms';
SELECT door.spin();
RESET statement_timeout;
SELECT door.live_objects();
-- Asked for at once, and raised at the next check.
SELECT door.cancel_myself();
SELECT door.live_objects(), door.error_in_flight();
-- In a transaction block that goes on.
BEGIN;
SAVEPOINT here;
SET LOCAL statement_timeout = '50ms';
SELECT door.spin();
ROLLBACK TO here;
SELECT door.live_objects();
COMMIT;
-- A handler that wants to can catch it.
SELECT sqlstate, message FROM door.diagnose('SELECT door.cancel_myself()');
-- When nothing interrupts, nothing happens.
SELECT door.check_for_interrupts(1000000);
SELECT * FROM door.leftovers;
