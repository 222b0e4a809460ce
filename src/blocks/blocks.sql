-- Blocks: named texts, pinned in the prompt or kept as files.

CREATE TYPE memory.block AS (
    name text,
    content text,
    version bigint,
    place bigint,
    char_limit bigint,
    read_only boolean,
    metadata jsonb,
    chars bigint,
    updated_at timestamptz,
    agent_id text,
    session_id text,
    user_id text
);
COMMENT ON TYPE memory.block IS 'A block as functions return it: a named text; or, from memory.blocks with depth, a directory.';
COMMENT ON COLUMN memory.block.name IS 'Its name: segments joined by /.';
COMMENT ON COLUMN memory.block.content IS 'What it says. NULL where that was not asked for, and of a directory.';
COMMENT ON COLUMN memory.block.version IS '1 at first, and one more with every call that changes what it says or what is said of it. NULL for a directory.';
COMMENT ON COLUMN memory.block.place IS 'Its place among the blocks that are pinned: 0, 1, 2 and so on. NULL where it is not pinned.';
COMMENT ON COLUMN memory.block.char_limit IS 'The most characters that the content may have. NULL: no limit.';
COMMENT ON COLUMN memory.block.read_only IS 'Whether functions refuse to change it.';
COMMENT ON COLUMN memory.block.metadata IS 'A JSON object of the application''s.';
COMMENT ON COLUMN memory.block.chars IS 'How many characters the content has; of a directory, the sum of what is in it.';
COMMENT ON COLUMN memory.block.updated_at IS 'When it was written last; of a directory, when any of what is in it was.';
COMMENT ON COLUMN memory.block.agent_id IS 'The agent that wrote last, by the setting memory.agent_id.';
COMMENT ON COLUMN memory.block.session_id IS 'The session that wrote last, by the setting memory.session_id.';
COMMENT ON COLUMN memory.block.user_id IS 'The user; NULL for the anonymous one.';

CREATE FUNCTION memory.set_block(name text, content text, user_id text DEFAULT NULL, pinned boolean DEFAULT NULL,
    char_limit bigint DEFAULT NULL, read_only boolean DEFAULT NULL, metadata jsonb DEFAULT NULL,
    expected_version bigint DEFAULT NULL)
    RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_set_block';
COMMENT ON FUNCTION memory.set_block(text, text, text, boolean, bigint, boolean, jsonb, bigint) IS
'Writes what a block says, and returns its version; makes it where it is missing. What is NULL stays as it was. A call that changes nothing leaves the version as it is. With expected_version it writes only where the block has this version: 40001 when it has another, or is not there. expected_version 0 makes a new block, and is 23505 when there is one.';

CREATE FUNCTION memory.append_block(name text, content text, separator text DEFAULT '', user_id text DEFAULT NULL)
    RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_append_block';
COMMENT ON FUNCTION memory.append_block(text, text, text, text) IS
'Puts text behind what a block says, and returns its version; makes it where it is missing. The separator comes between the two where the block is not empty. Any number of appends at once lose nothing.';

CREATE FUNCTION memory.edit_block(name text, new text, old text DEFAULT NULL, line bigint DEFAULT NULL,
    user_id text DEFAULT NULL, expected_version bigint DEFAULT NULL)
    RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_edit_block';
COMMENT ON FUNCTION memory.edit_block(text, text, text, bigint, text, bigint) IS
'Replaces the one place where old stands in a block, or inserts lines behind a line, and returns its version. An error (22023) where old is missing or stands more than once, which the DETAIL says with its lines, where there is no such line, and where there is no block. A line feed is added only where lines would run together.';

CREATE FUNCTION memory.block(name text, user_id text DEFAULT NULL) RETURNS SETOF memory.block
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 1
    AS 'MODULE_PATHNAME', 'memory_block';
COMMENT ON FUNCTION memory.block(text, text) IS
'The block of this name; no row when there is none, or the name is one of a directory. Blocks of other users are not found.';

CREATE FUNCTION memory.blocks(prefix text DEFAULT NULL, depth bigint DEFAULT NULL, pinned boolean DEFAULT NULL,
    with_content boolean DEFAULT true, user_id text DEFAULT NULL)
    RETURNS SETOF memory.block
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 20
    AS 'MODULE_PATHNAME', 'memory_blocks';
COMMENT ON FUNCTION memory.blocks(text, bigint, boolean, boolean, text) IS
'The blocks of this user, or those of a name and below it: those that are pinned by their places, then the others by name, byte by byte. With depth what lies deeper is one row of its directory, without a version, with the characters of all that is in it.';

CREATE FUNCTION memory.delete_block(name text, recursive boolean DEFAULT false, user_id text DEFAULT NULL) RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_delete_block';
COMMENT ON FUNCTION memory.delete_block(text, boolean, text) IS
'Deletes a block with its history, or with recursive a directory with all that is in it, and returns how many blocks these were: 0 where there is none of this name. A directory without recursive is an error (22023).';

CREATE FUNCTION memory.rename_block(name text, new_name text, user_id text DEFAULT NULL) RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_rename_block';
COMMENT ON FUNCTION memory.rename_block(text, text, text) IS
'Gives a block another name, or a directory with all that is in it, and returns how many blocks were renamed. Versions, history and, where neither name has a /, the place stay. A name that is taken is 23505; a directory that would lie in itself is 22023.';

CREATE FUNCTION memory.move_block(name text, place bigint, user_id text DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_move_block';
COMMENT ON FUNCTION memory.move_block(text, bigint, text) IS
'Moves a pinned block to another place among the pinned ones; those between move up.';

CREATE FUNCTION memory.render_blocks(user_id text DEFAULT NULL) RETURNS text
    LANGUAGE C STABLE PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_render_blocks';
COMMENT ON FUNCTION memory.render_blocks(text) IS
'The pinned blocks of this user in their order, each between its name in angle brackets; empty where there is none. Texts stand there as they are: memory.context fences them.';

CREATE FUNCTION memory.block_history(name text, k bigint DEFAULT 20, user_id text DEFAULT NULL)
    RETURNS TABLE (version bigint, content text, updated_at timestamptz, agent_id text, session_id text)
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 20
    AS 'MODULE_PATHNAME', 'memory_block_history';
COMMENT ON FUNCTION memory.block_history(text, bigint, text) IS
'What a block said, newest first: one row for its first text and for every change of it, the present one included.';

CREATE FUNCTION memory_internal.block_directory(name text, segments bigint) RETURNS text
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_block_directory';
COMMENT ON FUNCTION memory_internal.block_directory(text, bigint) IS
'The directory that the first so many segments of a name lead to; NULL where the name has no more.';

CREATE FUNCTION memory_internal.note_block_version() RETURNS trigger
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_note_block_version';
COMMENT ON FUNCTION memory_internal.note_block_version() IS
'Trigger function: keeps what a change of a block took away.';
