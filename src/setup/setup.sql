-- The tables of memory are the user's own, not members of the extension: init() makes them.

CREATE FUNCTION memory.init(dimensions bigint DEFAULT NULL, partitions bigint DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_init';
COMMENT ON FUNCTION memory.init(bigint, bigint) IS
'Creates the tables of memory that are missing, owned by the caller. Run it after CREATE EXTENSION and after ALTER EXTENSION memory UPDATE. It may be run again, and in two sessions at once. With dimensions, it also declares how many dimensions the embeddings of the current model (memory.embedding_model) have, and makes their index; an admin may do that, too, and no more. With partitions, given before the first row, every table of users is hash-partitioned by namespace and user.';

CREATE FUNCTION memory.set_dictionary(dictionary regdictionary) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_set_dictionary';
COMMENT ON FUNCTION memory.set_dictionary(regdictionary) IS
'Sets the dictionary by which the words of episodes and facts are found ("german_stem"), and builds their recall indexes anew; NULL is the default, English stems. Does nothing where it is set. For the owner and admins. Calls that read or write the tables wait meanwhile.';
