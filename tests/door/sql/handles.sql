-- What PostgreSQL lends is given back: at the end, after an exception, and after an error.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all

-- Everything can be held and let go. A handle that forgot would be told by a WARNING at commit: "buffer
-- refcount leak", "relcache reference leak", "Snapshot reference leak".
SELECT what, door.fail_holding(what, 'nothing') FROM unnest(string_to_array(door.holdings(), ',')) AS what;
SELECT * FROM door.leftovers;

-- An exception that ends in C++: the destructors have given everything back, the transaction commits.
BEGIN;
SELECT what, door.outlive_holding(what, 'error') FROM unnest(string_to_array(door.holdings(), ',')) AS what;
SELECT page_is_free FROM door.leftovers;
COMMIT;

-- An error of PostgreSQL that a handler catches: its subtransaction has given everything back.
BEGIN;
SELECT what, sqlstate FROM unnest(string_to_array(door.holdings(), ',')) AS what,
       door.diagnose(format('SELECT door.fail_holding(%L, ''postgres'')', what));
SELECT page_is_free FROM door.leftovers;
COMMIT;

-- One that attempt() ends.
BEGIN;
SELECT what, door.attempt_holding(what, 'postgres') FROM unnest(string_to_array(door.holdings(), ',')) AS what;
SELECT page_is_free FROM door.leftovers;
COMMIT;

-- A relation's lock stays until the transaction ends, as everywhere in PostgreSQL, and no longer.
BEGIN;
SELECT door.fail_holding('everything', 'nothing');
SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'door.things'::regclass AND mode = 'RowShareLock';
COMMIT;
SELECT * FROM door.leftovers;

-- Buffers of temporary tables have no locks; pages of them can be held all the same.
CREATE TEMP TABLE brief AS SELECT 1 AS id;
SELECT what, door.fail_holding(what, 'nothing', 'brief'), door.attempt_holding(what, 'postgres', 'brief')
FROM unnest('{pinned page,shared page,locked page,slot}'::text[]) AS what;
SELECT door.page_is_free('brief');
