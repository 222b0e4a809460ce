-- Items: JSON under a path and a key.

CREATE TYPE memory.item AS (
    path text[],
    key text,
    value jsonb,
    version bigint,
    created_at timestamptz,
    updated_at timestamptz,
    expires_at timestamptz,
    user_id text
);
COMMENT ON TYPE memory.item IS 'An item as functions return it: JSON under a path and a key.';
COMMENT ON COLUMN memory.item.path IS 'Where it is: names from the outermost to the innermost.';
COMMENT ON COLUMN memory.item.key IS 'Its name on the path.';
COMMENT ON COLUMN memory.item.value IS 'The JSON.';
COMMENT ON COLUMN memory.item.version IS '1 at first, and one more with every put.';
COMMENT ON COLUMN memory.item.created_at IS 'When it was put first.';
COMMENT ON COLUMN memory.item.updated_at IS 'When it was put last.';
COMMENT ON COLUMN memory.item.expires_at IS 'When it expires: from then on no call returns it. NULL: never.';
COMMENT ON COLUMN memory.item.user_id IS 'Whose item this is; NULL for the anonymous user.';

CREATE FUNCTION memory.put_item(path text[], key text, value jsonb, user_id text DEFAULT NULL, ttl interval DEFAULT NULL,
    texts text[] DEFAULT NULL, embeddings vector[] DEFAULT NULL, expected_version bigint DEFAULT NULL)
    RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_put_item';
COMMENT ON FUNCTION memory.put_item(text[], text, jsonb, text, interval, text[], vector[], bigint) IS
'Puts a value under a path and a key, in the place of what is there, with its texts, vectors and ttl, and returns its version. With expected_version it does so only where the item has this version: 40001 when it has another, or is not there. expected_version 0 puts a new item, and is 23505 when there is one.';

CREATE FUNCTION memory.put_items(items jsonb, user_id text DEFAULT NULL) RETURNS SETOF bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_put_items';
COMMENT ON FUNCTION memory.put_items(jsonb, text) IS
'Puts a JSON array of objects whose keys are the names of memory.put_item''s arguments, all or nothing, and returns their versions in order. Of one item that is there twice the last wins. An element''s own user_id comes before the argument.';

CREATE FUNCTION memory.item(path text[], key text, user_id text DEFAULT NULL) RETURNS SETOF memory.item
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 1
    AS 'MODULE_PATHNAME', 'memory_item';
COMMENT ON FUNCTION memory.item(text[], text, text) IS
'The item of this user under this path and key; no row when there is none, or it has expired.';

CREATE FUNCTION memory.items(prefix text[] DEFAULT '{}', query text DEFAULT NULL, embedding vector DEFAULT NULL,
    filter jsonb DEFAULT NULL, keys text[] DEFAULT NULL, k bigint DEFAULT 10, skip bigint DEFAULT 0,
    alpha float8 DEFAULT NULL, min_relevance float8 DEFAULT 0, user_id text DEFAULT NULL)
    RETURNS TABLE (path text[], key text, value jsonb, version bigint, created_at timestamptz, updated_at timestamptz,
        expires_at timestamptz, user_id text, score float8, relevance float8)
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 10
    AS 'MODULE_PATHNAME', 'memory_items';
COMMENT ON FUNCTION memory.items(text[], text, vector, jsonb, text[], bigint, bigint, float8, float8, text) IS
'The items of this user whose paths begin with a prefix: those that answer a query or an embedding best, as memory.recall_scored ranks episodes, or without both those that were put last. A prefix is of whole names. Prefix, keys and filter apply before k.';

CREATE FUNCTION memory.item_paths(prefix text[] DEFAULT NULL, suffix text[] DEFAULT NULL, depth bigint DEFAULT NULL,
    k bigint DEFAULT 100, skip bigint DEFAULT 0, user_id text DEFAULT NULL)
    RETURNS TABLE (path text[], items bigint, updated_at timestamptz)
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 100
    AS 'MODULE_PATHNAME', 'memory_item_paths';
COMMENT ON FUNCTION memory.item_paths(text[], text[], bigint, bigint, bigint, text) IS
'The paths on which this user has items, in their order: those that begin with a prefix and end with a suffix, in which * is any one name; with depth, their first names, each once.';

CREATE FUNCTION memory.delete_items(prefix text[] DEFAULT NULL, keys text[] DEFAULT NULL, filter jsonb DEFAULT NULL,
    before timestamptz DEFAULT NULL, exact boolean DEFAULT false, user_id text DEFAULT NULL)
    RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_delete_items';
COMMENT ON FUNCTION memory.delete_items(text[], text[], jsonb, timestamptz, boolean, text) IS
'Deletes the items of this user that meet every condition given, with their vectors, and returns how many. It needs one condition; prefix ''{}'' is all. With exact, those on the path itself.';

CREATE FUNCTION memory.touch_items(prefix text[], keys text[] DEFAULT NULL, user_id text DEFAULT NULL) RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_touch_items';
COMMENT ON FUNCTION memory.touch_items(text[], text[], text) IS
'Starts the ttl of items again, and returns of how many: those under the prefix that have one and have not expired. Version and updated_at stay.';

CREATE FUNCTION memory_internal.place_key(path text[], key text) RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 100
    AS 'MODULE_PATHNAME', 'memory_place_key';
COMMENT ON FUNCTION memory_internal.place_key(text[], text) IS
'Where an item stands among those of its user, as indexes of memory.items know it: in the order of paths and keys. LEAKPROOF: it refuses nothing, so that an index serves under row security.';

CREATE FUNCTION memory_internal.place_order(path text[], key text) RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100
    AS 'MODULE_PATHNAME', 'memory_place_key';
COMMENT ON FUNCTION memory_internal.place_order(text[], text) IS
'The same as memory_internal.place_key under another name: by this one an index of memory.items is in order, and no item is looked for.';

CREATE FUNCTION memory_internal.item_text(value jsonb, texts text[]) RETURNS text
    LANGUAGE C IMMUTABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_item_text';
COMMENT ON FUNCTION memory_internal.item_text(jsonb, text[]) IS
'What an item is recalled by: the texts, or where they are NULL all strings among the values, each on lines of its own; NULL where there is nothing. The expression of index memory.items_by_text.';

CREATE FUNCTION memory_internal.path_matches(path text[], prefix text[], suffix text[]) RETURNS boolean
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_path_matches';
COMMENT ON FUNCTION memory_internal.path_matches(text[], text[], text[]) IS
'Whether a path begins with a prefix and ends with a suffix, in which * is any one name.';

CREATE FUNCTION memory_internal.embed_item() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_embed_item';
COMMENT ON FUNCTION memory_internal.embed_item() IS
'Trigger function: makes the vectors of an item where the database embeds by itself.';
