-- Past one database (docs/scale.md).

-- Not strict: the anonymous user, NULL, has a shard, too.
CREATE FUNCTION memory.shard_of(user_id text, shards bigint) RETURNS bigint
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'memory_shard_of';
COMMENT ON FUNCTION memory.shard_of(text, bigint) IS
    'Which of so many databases has a user, from 0: the first 64 bits of SHA-256 of the name in UTF-8, modulo the number of databases, a power of two. The same in every version, and on every client that calculates it. NULL is the anonymous user.';
