-- Memory contexts as the memory of C++ objects.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\set ECHO all

-- Any size at any alignment.
SELECT door.serves_alignments();
SELECT door.serves_more_than_palloc();
-- What cannot be had is std::bad_alloc, not a jump over the frame's objects.
SELECT bytes, alignment, door.allocation_ends_in(bytes, alignment)
FROM (VALUES (9223372036854775807, 8), (9223372036854775807, 64), (4611686018427387904, 1), (4611686018427387904, 4096),
             (8, 4611686018427387904), (9223372036854775800, 16)) AS v (bytes, alignment);
SELECT door.fail('exhausted context');
SELECT door.live_objects();
-- What is given back is used again.
SELECT door.growth_by_containers() < 200000 AS stays_small;
SELECT door.same_context_is_equal();

-- make_in(): the object dies with its context, however that ends.
SELECT door.make_in('statement') AS living;
SELECT door.live_objects();
BEGIN;
SELECT door.make_in('transaction') AS living;
SELECT door.live_objects();
COMMIT;
SELECT door.live_objects();
BEGIN;
SELECT door.make_in('transaction') AS living;
SELECT door.fail('postgres');
ROLLBACK;
SELECT door.live_objects();
BEGIN;
SAVEPOINT here;
SELECT door.make_in('subtransaction') AS living;
ROLLBACK TO here;
SELECT door.live_objects();
COMMIT;
-- One whose constructor fails has never been.
SELECT door.make_in('transaction', 'error');
SELECT door.make_in('transaction', 'int');
SELECT door.make_in('transaction', 'postgres');
SELECT door.live_objects();
-- Over-aligned objects are aligned, and die at a reset.
SELECT door.make_wide();
