-- The functions of door_test.so and the tables that they work on. Every test includes this file, so
-- that each can be run alone.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS door, memory CASCADE;
CREATE SCHEMA door;

-- What is held, failed on and locked.
CREATE TABLE door.things (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text CONSTRAINT name_is_short CHECK (length(name) < 10) UNIQUE
);
CREATE TYPE door.pair AS (id int, name text);
INSERT INTO door.things (name) VALUES ('one');
VACUUM door.things;

-- fail.cpp, hold.cpp, usage.cpp
CREATE FUNCTION door.fail(how text) RETURNS bool LANGUAGE c AS 'door_test', 'door_fail';
CREATE FUNCTION door.live_objects() RETURNS int LANGUAGE c AS 'door_test', 'door_live_objects';
CREATE FUNCTION door.error_in_flight() RETURNS bool LANGUAGE c AS 'door_test', 'door_error_in_flight';
CREATE FUNCTION door.fail_holding(what text, how text, "on" regclass DEFAULT 'door.things') RETURNS bool
    LANGUAGE c AS 'door_test', 'door_fail_holding';
CREATE FUNCTION door.outlive_holding(what text, how text, "on" regclass DEFAULT 'door.things') RETURNS bool
    LANGUAGE c AS 'door_test', 'door_outlive_holding';
CREATE FUNCTION door.holdings() RETURNS text LANGUAGE c AS 'door_test', 'door_holdings';
CREATE FUNCTION door.note_usage() RETURNS text LANGUAGE c AS 'door_test', 'door_note_usage';
CREATE FUNCTION door.growth() RETURNS bigint LANGUAGE c AS 'door_test', 'door_growth';
CREATE FUNCTION door.page_is_free("of" regclass DEFAULT 'door.things') RETURNS bool
    LANGUAGE c AS 'door_test', 'door_page_is_free';
CREATE FUNCTION door.interrupts_held_off() RETURNS int LANGUAGE c AS 'door_test', 'door_interrupts_held_off';

-- through.cpp
CREATE FUNCTION door.execute(sql text) RETURNS bool LANGUAGE c AS 'door_test', 'door_execute';
CREATE FUNCTION door.call(function regprocedure) RETURNS bool LANGUAGE c AS 'door_test', 'door_call';
CREATE FUNCTION door.descend(depth int, how text) RETURNS bool LANGUAGE c AS 'door_test', 'door_descend';
CREATE FUNCTION door.fail_in_comparator(how text) RETURNS bool LANGUAGE c AS 'door_test', 'door_fail_in_comparator';
CREATE FUNCTION door.warn() RETURNS bool LANGUAGE c AS 'door_test', 'door_warn';
CREATE FUNCTION door.spin() RETURNS bool LANGUAGE c AS 'door_test', 'door_spin';
CREATE FUNCTION door.check_for_interrupts(times int) RETURNS int
    LANGUAGE c AS 'door_test', 'door_check_for_interrupts';
CREATE FUNCTION door.cancel_myself() RETURNS bool LANGUAGE c AS 'door_test', 'door_cancel_myself';

-- destructors.cpp
CREATE FUNCTION door.fail_then_destructor(how text) RETURNS bool
    LANGUAGE c AS 'door_test', 'door_fail_then_destructor';
CREATE FUNCTION door.fail_in_destructor(how text) RETURNS bool
    LANGUAGE c AS 'door_test', 'door_fail_in_destructor';
CREATE FUNCTION door.failing_destructors(number int) RETURNS bool
    LANGUAGE c AS 'door_test', 'door_failing_destructors';
CREATE FUNCTION door.calls_after() RETURNS int LANGUAGE c AS 'door_test', 'door_calls_after';
CREATE FUNCTION door.attempt_failing_destructor(how text) RETURNS text
    LANGUAGE c AS 'door_test', 'door_attempt_failing_destructor';
CREATE FUNCTION door.destructor_fails_under_lock("of" regclass DEFAULT 'door.things') RETURNS bool
    LANGUAGE c AS 'door_test', 'door_destructor_fails_under_lock';

-- attempts.cpp
CREATE FUNCTION door.attempt(sql text) RETURNS text LANGUAGE c AS 'door_test', 'door_attempt';
CREATE FUNCTION door.attempt_nested(first text, "inner" text, last text) RETURNS text
    LANGUAGE c AS 'door_test', 'door_attempt_nested';
CREATE FUNCTION door.attempt_holding(what text, how text, "on" regclass DEFAULT 'door.things') RETURNS text
    LANGUAGE c AS 'door_test', 'door_attempt_holding';
CREATE FUNCTION door.growth_by_attempts(times int, what text, how text, "on" regclass DEFAULT 'door.things')
    RETURNS bigint LANGUAGE c AS 'door_test', 'door_growth_by_attempts';
CREATE FUNCTION door.attempt_under_lock("on" regclass DEFAULT 'door.things') RETURNS text
    LANGUAGE c AS 'door_test', 'door_attempt_under_lock';
CREATE FUNCTION door.fail_at(place text, how text) RETURNS bool LANGUAGE c AS 'door_test', 'door_fail_at';
CREATE FUNCTION door.execute_at(place text, sql text) RETURNS bool LANGUAGE c AS 'door_test', 'door_execute_at';
CREATE FUNCTION door.attempt_naming_under_lock("on" regclass DEFAULT 'door.things') RETURNS text
    LANGUAGE c AS 'door_test', 'door_attempt_naming_under_lock';

-- resources.cpp
CREATE FUNCTION door.serves_alignments() RETURNS bool LANGUAGE c AS 'door_test', 'door_serves_alignments';
CREATE FUNCTION door.allocation_ends_in(bytes bigint, alignment bigint) RETURNS text
    LANGUAGE c AS 'door_test', 'door_allocation_ends_in';
CREATE FUNCTION door.serves_more_than_palloc() RETURNS bool
    LANGUAGE c AS 'door_test', 'door_serves_more_than_palloc';
CREATE FUNCTION door.growth_by_containers() RETURNS bigint LANGUAGE c AS 'door_test', 'door_growth_by_containers';
CREATE FUNCTION door.same_context_is_equal() RETURNS bool LANGUAGE c AS 'door_test', 'door_same_context_is_equal';
CREATE FUNCTION door.make_in(context text, how text DEFAULT 'nothing') RETURNS int
    LANGUAGE c AS 'door_test', 'door_make_in';
CREATE FUNCTION door.make_wide() RETURNS bool LANGUAGE c AS 'door_test', 'door_make_wide';

-- statements.cpp
CREATE FUNCTION door.newest_name() RETURNS text LANGUAGE c AS 'door_test', 'door_newest_name';
CREATE FUNCTION door.type_of(value anyelement) RETURNS text LANGUAGE c AS 'door_test', 'door_type_of';
CREATE FUNCTION door.other_parameter_count() RETURNS bool LANGUAGE c AS 'door_test', 'door_other_parameter_count';
CREATE FUNCTION door.turn(n int) RETURNS int LANGUAGE c AS 'door_test', 'door_turn';
CREATE FUNCTION door.turn(n text) RETURNS int LANGUAGE c AS 'door_test', 'door_turn';
CREATE FUNCTION door.growth_by_statements(times int) RETURNS bigint
    LANGUAGE c AS 'door_test', 'door_growth_by_statements';
CREATE FUNCTION door.rows_of(sql text) RETURNS SETOF door.pair LANGUAGE c AS 'door_test', 'door_rows_of';
CREATE FUNCTION door.text_at(sql text, "row" bigint, "column" int) RETURNS text LANGUAGE c AS 'door_test', 'door_text_at';
CREATE FUNCTION door.uuid_of(sql text) RETURNS uuid LANGUAGE c AS 'door_test', 'door_uuid_of';
CREATE FUNCTION door.write(sql text, rows bigint) RETURNS bigint LANGUAGE c AS 'door_test', 'door_write';

-- binding.cpp
CREATE FUNCTION door.binding(sql text) RETURNS TABLE ("table" text, bound text)
    LANGUAGE c AS 'door_test', 'door_binding';

-- values.cpp
CREATE FUNCTION door.rewritten(document jsonb) RETURNS text LANGUAGE c AS 'door_test', 'door_rewritten';
CREATE FUNCTION door.described(document jsonb) RETURNS text LANGUAGE c AS 'door_test', 'door_described';
CREATE FUNCTION door.json_string(document jsonb) RETURNS text LANGUAGE c AS 'door_test', 'door_json_string';
CREATE FUNCTION door.json_real(document jsonb) RETURNS real LANGUAGE c AS 'door_test', 'door_json_real';
CREATE FUNCTION door.same_text(value text) RETURNS text LANGUAGE c AS 'door_test', 'door_same_text';
CREATE FUNCTION door.text_size(value text) RETURNS int LANGUAGE c AS 'door_test', 'door_text_size';
CREATE FUNCTION door.text_of_size(bytes bigint) RETURNS text LANGUAGE c AS 'door_test', 'door_text_of_size';
CREATE FUNCTION door.literal() RETURNS text LANGUAGE c AS 'door_test', 'door_literal';
CREATE FUNCTION door.new_ids(number int) RETURNS SETOF uuid LANGUAGE c AS 'door_test', 'door_new_ids';
CREATE FUNCTION door.tell_row() RETURNS trigger LANGUAGE c AS 'door_test', 'door_tell_row';

-- timing.cpp
CREATE FUNCTION door.nanoseconds(what text, times int DEFAULT 1000000) RETURNS float8
    LANGUAGE c AS 'door_test', 'door_nanoseconds';

-- Everything that a statement's error says, as a handler sees it; '(none)' where it succeeds.
CREATE TYPE door.diagnosis AS (
    sqlstate text, message text, detail text, hint text, context text,
    in_schema text, in_table text, in_column text, "constraint" text, datatype text
);
CREATE FUNCTION door.diagnose(sql text) RETURNS door.diagnosis LANGUAGE plpgsql AS $$
DECLARE
    said door.diagnosis;
BEGIN
    EXECUTE sql;
    said.message := '(none)';
    RETURN said;
EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
    GET STACKED DIAGNOSTICS
        said.sqlstate = RETURNED_SQLSTATE, said.message = MESSAGE_TEXT, said.detail = PG_EXCEPTION_DETAIL,
        said.hint = PG_EXCEPTION_HINT, said.context = PG_EXCEPTION_CONTEXT,
        said.in_schema = SCHEMA_NAME, said.in_table = TABLE_NAME, said.in_column = COLUMN_NAME,
        said."constraint" = CONSTRAINT_NAME, said.datatype = PG_DATATYPE_NAME;
    RETURN said;
END $$;

-- The same in a line.
CREATE FUNCTION door.refused(sql text) RETURNS text LANGUAGE sql AS
    $$ SELECT concat_ws(' ', sqlstate, message, nullif(detail, ''), nullif('(' || hint || ')', '()')) FROM door.diagnose(sql) $$;

-- After all of it: nothing of ours is left alive, locked, pinned or in flight.
CREATE VIEW door.leftovers AS
    SELECT door.live_objects() AS live_objects, door.error_in_flight() AS error_in_flight,
           door.page_is_free() AS page_is_free, door.interrupts_held_off() AS interrupts_held_off,
           current_user = session_user AS ourselves,
           (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND database IS NOT NULL
               AND relation IN ('door.things'::regclass, 'door.things_pkey'::regclass)
               AND mode <> 'AccessShareLock') AS locks;
SET client_min_messages = notice;
\set ON_ERROR_STOP off
