-- What there is, for monitoring (docs/status.md).

CREATE FUNCTION memory_internal.status()
    RETURNS TABLE (thing text, name text, rows bigint, exact boolean, bytes bigint, since timestamptz, problem text)
    LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 100
    AS 'MODULE_PATHNAME', 'memory_status';
COMMENT ON FUNCTION memory_internal.status() IS
'The rows of view memory.status. It checks who asks: what is counted is of all users.';

CREATE VIEW memory.status AS SELECT * FROM memory_internal.status();
COMMENT ON VIEW memory.status IS
'What there is, for monitoring: rows and bytes of each table, bytes of each index, what has expired, jobs that wait or have failed, and what is wrong. It holds nothing that a user has written. For members of pg_monitor, the owner of the tables and admins.';
COMMENT ON COLUMN memory.status.thing IS 'table, index, expired, waiting or failed.';
COMMENT ON COLUMN memory.status.name IS 'Of the table or index; of what has expired, the thing as memory.set_retention calls it; of jobs, their task.';
COMMENT ON COLUMN memory.status.rows IS 'How many, of all users and namespaces. NULL for an index, and where a table is not as memory.init() makes it.';
COMMENT ON COLUMN memory.status.exact IS 'True where rows were counted. False for a table of more than 64 pages: estimated from its size and what VACUUM and ANALYZE have last found.';
COMMENT ON COLUMN memory.status.bytes IS 'On disk. Of a table with TOAST and maps, without its indexes, which have rows of their own.';
COMMENT ON COLUMN memory.status.since IS 'When the first of what has expired did so; when the first of the jobs that wait was, or will be, due. NULL where there are none.';
COMMENT ON COLUMN memory.status.problem IS 'What is wrong, and what mends it. NULL: nothing that is seen without reading the rows.';

-- The function decides who is answered, so that a role that is refused is told whom it is for.
GRANT SELECT ON memory.status TO PUBLIC;
GRANT USAGE ON SCHEMA memory TO pg_monitor;
