-- An embedding without a model.

CREATE FUNCTION memory.hash_embedding(text, dimensions bigint DEFAULT 384) RETURNS vector
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_hash_embedding';
COMMENT ON FUNCTION memory.hash_embedding(text, bigint) IS
'A unit vector of a text''s words and character n-grams, by feature hashing: the same on every machine and in every version. Texts that share words or parts of words are near; it knows nothing of meaning. A text without words gives the first unit vector.';
