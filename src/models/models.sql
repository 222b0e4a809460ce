-- Models: which one does which task in a namespace.

CREATE FUNCTION memory_internal.embeds_here(namespace text) RETURNS boolean
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_embeds_here';
COMMENT ON FUNCTION memory_internal.embeds_here(text) IS
'Whether the database embeds the episodes, facts and items of a namespace by itself (memory.use_model): the WHEN condition of triggers on their tables.';

CREATE FUNCTION memory_internal.asks_models(namespace text) RETURNS boolean
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_asks_models';
COMMENT ON FUNCTION memory_internal.asks_models(text) IS
'Whether models outside of the database are asked about episodes, facts and items of a namespace (memory.use_model): the WHEN condition of triggers that queue jobs.';

CREATE FUNCTION memory_internal.asks_summaries(namespace text) RETURNS boolean
    LANGUAGE C STABLE STRICT PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_asks_summaries';
COMMENT ON FUNCTION memory_internal.asks_summaries(text) IS
'Whether a model is asked for summaries of sessions in a namespace (memory.use_model): the WHEN condition of a trigger on memory.sessions.';

CREATE FUNCTION memory_internal.tasks_changed() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_tasks_changed';
COMMENT ON FUNCTION memory_internal.tasks_changed() IS
'Trigger function: tells all sessions that models do other tasks (memory.use_model), or have other dimensions.';
