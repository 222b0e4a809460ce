-- Moving a user: out as lines, and in (docs/moving.md).

CREATE FUNCTION memory.export_user(user_id text DEFAULT NULL) RETURNS SETOF jsonb
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 10000 AS 'MODULE_PATHNAME', 'memory_export_user';
COMMENT ON FUNCTION memory.export_user(text) IS
    'All that a user has in the namespace, a row of a table in each line: the same rows give the same lines in the same order. memory.import_user() writes them.';

CREATE FUNCTION memory.import_user(lines jsonb[], user_id text DEFAULT NULL) RETURNS jsonb
    LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'memory_import_user';
COMMENT ON FUNCTION memory.import_user(jsonb[], text) IS
    'Writes lines of memory.export_user(), all or none. Rows that are there already as the lines have them are left alone, so that a call can be repeated; another row with the key of one is an error. Returns how many rows of each table were written, and how many were there.';
