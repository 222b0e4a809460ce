-- Words of every language.

CREATE FUNCTION memory.tokens(text, dictionary regdictionary DEFAULT NULL)
    RETURNS TABLE (token text, ordinal bigint, start_offset bigint, end_offset bigint)
    LANGUAGE C STABLE PARALLEL SAFE ROWS 30
    AS 'MODULE_PATHNAME', 'memory_tokens';
COMMENT ON FUNCTION memory.tokens(text, regdictionary) IS
'The terms by which a text is indexed and searched, each with the unit of the text that it stands for. Several terms may share a unit: an identifier whole and in parts. A dictionary serves its own script; other scripts keep their defaults. NULL has no rows.';

CREATE FUNCTION memory_internal.chain_init(internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_chain_init';
COMMENT ON FUNCTION memory_internal.chain_init(internal) IS 'Init function of text search template memory.chain.';
CREATE FUNCTION memory_internal.chain_lexize(internal, internal, internal, internal) RETURNS internal
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_chain_lexize';
COMMENT ON FUNCTION memory_internal.chain_lexize(internal, internal, internal, internal) IS 'Lexize function of text search template memory.chain.';
CREATE TEXT SEARCH TEMPLATE memory.chain (INIT = memory_internal.chain_init, LEXIZE = memory_internal.chain_lexize);
COMMENT ON TEXT SEARCH TEMPLATE memory.chain IS
'Dictionaries that are asked one after another, until one knows the word: synonyms and stop words before a stemmer. Option: dictionaries, their names, divided by commas; outside pg_catalog with their schema.';

CREATE FUNCTION memory.highlight(text, query text, start_tag text DEFAULT '<b>', end_tag text DEFAULT '</b>',
    max_fragments bigint DEFAULT 0, dictionary regdictionary DEFAULT NULL, fragment_length bigint DEFAULT 240)
    RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_highlight';
COMMENT ON FUNCTION memory.highlight(text, text, text, text, bigint, regdictionary, bigint) IS
'The text with tags around what the query''s words find in it; with max_fragments, only its best fragments, in the order of the text: those around the places with the most different words of the query. Nothing is escaped: escape the text before if the result goes into HTML.';

CREATE FUNCTION memory.clean_json(text) RETURNS jsonb
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_clean_json';
COMMENT ON FUNCTION memory.clean_json(text) IS
'JSON text as jsonb, without the characters that jsonb cannot hold: \u0000 and halves of surrogate pairs that stand alone, in strings and in keys. An error where the text is no JSON. NULL is NULL.';
