-- attempt() ends an error and undoes its work; naming() tells where it happened.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all
CREATE TABLE door.written (what text);

-- A success stays; a failure is undone and returned.
SELECT door.attempt('INSERT INTO door.written VALUES (''kept'')');
SELECT door.attempt('INSERT INTO door.written VALUES (''undone''); SELECT 1 / 0');
SELECT door.attempt('INSERT INTO door.things (name) VALUES (''one'')');
SELECT what FROM door.written;

-- In a transaction of several statements, the others' work stays.
BEGIN;
INSERT INTO door.written VALUES ('before');
SELECT door.attempt('INSERT INTO door.written VALUES (''undone''); SELECT nonsense');
INSERT INTO door.written VALUES ('after');
COMMIT;
SELECT what FROM door.written;

-- Exceptions of ours are returned too; those of another type are not ours to end, and go on.
SELECT door.attempt_holding('everything', 'error');
SELECT door.attempt_holding('everything', 'derived error');
SELECT door.attempt_holding('everything', 'int');
SELECT door.attempt_holding('everything', 'bad_alloc');
SELECT door.attempt('SELECT door.fail(''int'')');
SELECT * FROM door.leftovers;

-- Attempts in attempts: each undoes its own work.
TRUNCATE door.written;
SELECT door.attempt_nested('INSERT INTO door.written VALUES (''a'')', 'INSERT INTO door.written VALUES (''b''); SELECT 1 / 0',
                           'INSERT INTO door.written VALUES (''c'')');
SELECT door.attempt_nested('INSERT INTO door.written VALUES (''d'')', 'INSERT INTO door.written VALUES (''e'')', 'SELECT nonsense');
SELECT door.attempt($$SELECT door.attempt('INSERT INTO door.written VALUES (''f''); SELECT 1/0'); INSERT INTO door.written VALUES ('g')$$);
SELECT what FROM door.written ORDER BY what;

-- What must not be held up goes on, with all that it says, and the transaction can end: a cancel, a
-- shutdown, a serialization failure, a deadlock.
CREATE FUNCTION door.raise(state text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION USING ERRCODE = state, MESSAGE = 'raised', DETAIL = 'the detail', HINT = 'the hint', TABLE = 'the table'; END $$;
SELECT name, d.sqlstate, d.message, d.detail, d.hint, d.in_table
FROM (VALUES ('57014', 'query_canceled'), ('57P01', 'admin_shutdown'), ('57P02', 'crash_shutdown'), ('40001', 'serialization_failure'),
             ('40P01', 'deadlock_detected')) AS v (state, name),
     door.diagnose(format('SELECT door.attempt(%L)', format('SELECT door.raise(%L)', state))) AS d;
-- And of those that may be ended, one of each neighbouring class.
SELECT state, door.attempt(format('SELECT door.raise(%L)', state)) FROM unnest('{40002,55P03,58030,53200,XX000,P0001}'::text[]) AS state;

SET statement_timeout = '100ms';
SELECT door.attempt('INSERT INTO door.written VALUES (''undone''); SELECT pg_sleep(60)');
-- No block was opened: the session has no failed transaction to roll back.
RESET statement_timeout;
SELECT door.attempt_nested('SELECT 1', 'SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(60)', 'SELECT 1');
SELECT count(*) AS undone FROM door.written WHERE what = 'undone';

-- A session that is told to end does so from inside an attempt, and takes nobody with it.
\setenv PGDATABASE :DBNAME
\! psql -Xqtc "SELECT door.attempt('SELECT pg_terminate_backend(pg_backend_pid()); SELECT pg_sleep(60)')" 2>&1 | grep '^FATAL: '

-- Inside a block, a savepoint is still there to go back to.
BEGIN;
INSERT INTO door.written VALUES ('before the savepoint');
SAVEPOINT here;
SELECT door.attempt('SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(60)');
ROLLBACK TO here;
INSERT INTO door.written VALUES ('after the savepoint');
COMMIT;
SELECT what FROM door.written WHERE what LIKE '%savepoint' ORDER BY what DESC;

-- Undoing releases every page lock of the backend, so an attempt under one is refused.
SELECT door.attempt_under_lock();
SELECT * FROM door.leftovers;

-- naming(): the place before the message; all else is as it was.
\x on
SELECT * FROM door.diagnose($$SELECT door.execute_at('episodes[3].name', 'INSERT INTO door.things (name) VALUES (''much too long'')')$$);
SELECT * FROM door.diagnose($$SELECT door.fail_at('episodes[3]', 'error')$$);
\x off
SELECT length(message) AS whole FROM door.diagnose($$SELECT door.execute_at('there', 'DO ''BEGIN RAISE EXCEPTION USING MESSAGE = repeat(''''x'''', 2000); END''')$$);
SELECT door.execute_at('nowhere', 'SELECT 1');
-- A cancel has no place.
SELECT message FROM door.diagnose($$SELECT door.execute_at('there', 'SELECT door.raise(''57014'')')$$);
-- Exceptions of other types go on as they are.
SELECT message FROM door.diagnose($$SELECT door.fail_at('there', 'int')$$);
-- Under a page's lock nothing is swallowed, so the session can still be cancelled afterwards.
SELECT door.attempt_naming_under_lock();
SELECT * FROM door.leftovers;
