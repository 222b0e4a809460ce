-- Words of every language.

CREATE FUNCTION memory.tokens(text, dictionary regdictionary DEFAULT NULL)
    RETURNS TABLE (token text, ordinal bigint, start_offset bigint, end_offset bigint)
    LANGUAGE C STABLE PARALLEL SAFE ROWS 30
    AS 'MODULE_PATHNAME', 'memory_tokens';
COMMENT ON FUNCTION memory.tokens(text, regdictionary) IS
'The terms that a text is indexed and searched by, with the unit of the text that each stands for (several may share one: an identifier whole and in parts) and where it is: characters from start_offset, counted from 0, to before end_offset. A dictionary serves its own script; other scripts keep their defaults. Without a text, no rows.';

CREATE FUNCTION memory.highlight(text, query text, start_tag text DEFAULT '<b>', end_tag text DEFAULT '</b>',
    max_fragments bigint DEFAULT 0)
    RETURNS text
    LANGUAGE C STABLE STRICT PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_highlight';
COMMENT ON FUNCTION memory.highlight(text, text, text, text, bigint) IS
'The text with the tags around what the query''s words find in it; with max_fragments, only its best fragments, in the order of the text. The text itself is returned as it is: nothing is escaped, so escape it before if it goes into HTML.';
