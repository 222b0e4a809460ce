-- Sessions: conversations and runs of agents.

CREATE FUNCTION memory_internal.name_key(name text) RETURNS text
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_name_key';
COMMENT ON FUNCTION memory_internal.name_key(text) IS
'What keys of tables hold of a name that a caller makes up: the name itself up to 64 bytes, # and the SHA-256 of a longer one.';
