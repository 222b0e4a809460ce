-- Models: which one does which task in a namespace.

CREATE FUNCTION memory.use_model(task text, model text, url text DEFAULT NULL, options jsonb DEFAULT '{}') RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_use_model';
COMMENT ON FUNCTION memory.use_model(text, text, text, jsonb) IS
'Says which model does a task in the namespace of the session: embed, extract, summarize or profile. Model "hash" embeds inside the database: episodes and items as they are written, queries as they are asked. For the owner of the tables and admins.';

CREATE FUNCTION memory.drop_model(task text) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_drop_model';
COMMENT ON FUNCTION memory.drop_model(text) IS
'Ends what memory.use_model has said for a task in the namespace of the session. Vectors that are stored stay. For the owner of the tables and admins.';

CREATE FUNCTION memory.used_models()
    RETURNS TABLE (namespace text, task text, model text, url text, options jsonb, waiting bigint, failed bigint, done bigint)
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 10
    AS 'MODULE_PATHNAME', 'memory_used_models';
COMMENT ON FUNCTION memory.used_models() IS
'What memory.use_model has said, in all namespaces, and how many jobs of each task wait, have failed and are done (0: jobs are still to come).';

CREATE FUNCTION memory_internal.embeds_here(namespace text) RETURNS boolean
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_embeds_here';
COMMENT ON FUNCTION memory_internal.embeds_here(text) IS
'Whether the database embeds the episodes and items of a namespace by itself (memory.use_model): the WHEN condition of triggers on memory.episodes and memory.items.';
