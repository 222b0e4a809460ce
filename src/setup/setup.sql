-- The tables of memory are the user's own, not members of the extension: init() makes them.

CREATE FUNCTION memory.init(dimensions bigint DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_init';
COMMENT ON FUNCTION memory.init(bigint) IS
'Creates what is missing of the tables of memory, owned by the caller. Run it after CREATE EXTENSION and after ALTER EXTENSION memory UPDATE; running it again, or in two sessions at once, does no harm. With dimensions, embeddings of the current model (memory.embedding_model) must have that many, and get an index; that, and no more, an admin may ask for, too.';
