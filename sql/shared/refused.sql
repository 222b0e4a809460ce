\set ECHO none
-- What a statement is refused with, as one line; it leaves nothing behind.
--     \getenv source PG_ABS_SRCDIR
--     \i :source/sql/shared/refused.sql
CREATE FUNCTION pg_temp.refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; hint text;
BEGIN
    EXECUTE statement;
    RETURN 'was not refused';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' ', state, message, '(' || nullif(hint, '') || ')');
END $$;
\set ECHO all
