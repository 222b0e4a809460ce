-- Words of every language.

CREATE FUNCTION memory.tokens(text, dictionary regdictionary DEFAULT NULL)
    RETURNS TABLE (token text, ordinal int, start_offset int, end_offset int)
    LANGUAGE C STABLE PARALLEL SAFE ROWS 30
    AS 'MODULE_PATHNAME', 'memory_tokens';
COMMENT ON FUNCTION memory.tokens(text, regdictionary) IS
'The terms that a text is indexed and searched by, with the unit of the text that each stands for (several may share one: an identifier whole and in parts) and where it is: characters from start_offset, counted from 0, to before end_offset. A dictionary serves its own script; other scripts keep their defaults. Without a text, no rows.';
