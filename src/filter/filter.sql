-- The filter language of every function that takes a filter (docs/filter.md), for statements.

CREATE FUNCTION memory_internal.passes_filter(value jsonb, filter jsonb) RETURNS boolean
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10
    AS 'MODULE_PATHNAME', 'memory_passes_filter';
COMMENT ON FUNCTION memory_internal.passes_filter(jsonb, jsonb) IS
'Whether a value passes a filter as the functions of schema memory take it. They use it for the parts that @> and @@ cannot decide.';
