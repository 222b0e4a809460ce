-- Moving a user: out as lines, and in (docs/moving.md).

CREATE FUNCTION memory.export_user(user_id text DEFAULT NULL) RETURNS SETOF jsonb
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 10000 AS 'MODULE_PATHNAME', 'memory_export_user';
COMMENT ON FUNCTION memory.export_user(text) IS
    'All that a user has in the namespace, a row of a table in each line: the same rows give the same lines in the same order. memory.import_user() writes them.';

CREATE FUNCTION memory.import_user(lines jsonb[], user_id text DEFAULT NULL) RETURNS jsonb
    LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'memory_import_user';
COMMENT ON FUNCTION memory.import_user(jsonb[], text) IS
    'Writes lines of memory.export_user(), all or none. Rows that are there already as the lines have them are left alone, so that a call can be repeated; another row with the key of one is an error. Returns how many rows of each table were written, and how many were there.';

CREATE FUNCTION memory.export_markdown(user_id text DEFAULT NULL) RETURNS TABLE (path text, body text)
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 100 AS 'MODULE_PATHNAME', 'memory_export_markdown';
COMMENT ON FUNCTION memory.export_markdown(text) IS
    'What is known of a user as files of Markdown, to read and to edit: SOUL.md is the block soul, MEMORY.md has current facts and notes that last, memory/YYYY-MM-DD.md the other episodes of a day (UTC), and blocks with a / in their names are as they are. memory.import_markdown() reads them again; memory.export_user() is the complete export.';

CREATE FUNCTION memory.import_markdown(path text, body text, user_id text DEFAULT NULL) RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'memory_import_markdown';
COMMENT ON FUNCTION memory.import_markdown(text, text, text) IS
    'Reads a file of memory.export_markdown() that may have been edited, or one that was written by hand: an edited line revises its memory, a new line adds one, and nothing is deleted. All or nothing; returns how many memories were changed, which is 0 for what is there already. 40001 where a memory has changed since its file was exported, and was edited in the file, too.';
