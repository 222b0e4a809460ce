// The tables of blocks: what they say, and what they said before (docs/blocks.md).
//
// A row is updated with every edit. What an edit changes is in no index, so that the update is
// heap-only while the page has room.
#include "blocks/tables.h"

#include "blocks/sql.h"
#include "pg/statement.h"

namespace memory::blocks {

namespace {

using schema::Column;
using schema::Holds;
using schema::Part;
using schema::Rows;
using schema::Table;
using schema::Type;

constexpr Column agent{
    "agent_id",   Type::name,
    "",           "The agent that wrote last. Default: the setting memory.agent_id.",
    Holds::words, "memory_internal.default_agent_id()"};
constexpr Column session{
    "session_id", Type::name,
    "",           "The session that wrote last. Default: the setting memory.session_id.",
    Holds::words, "memory_internal.default_session_id()"};

constexpr Column block_columns[] = {
    {"name", Type::name, "NOT NULL", "Its name: segments joined by /.", Holds::words},
    {"key", Type::uuid, "NOT NULL",
     "What its history knows it by, whatever its name; unique per user.", Holds::keys,
     "memory_internal.default_id()"},
    {"content", Type::text, "NOT NULL DEFAULT ''", "What it says.", Holds::words},
    {"chars", Type::int8, "NOT NULL GENERATED ALWAYS AS (length(content)) STORED",
     "How many characters the content has.", Holds::payload},
    {"version", Type::int8, "NOT NULL DEFAULT 1 CHECK (version >= 1)",
     "One more with every call that changes what it says or what is said of it.", Holds::payload},
    {"place", Type::int8, "CHECK (place >= 0)",
     "Orders the blocks that are pinned in the prompt; numbers may be missing, and functions "
     "count 0, 1, 2. NULL: not pinned."},
    {"char_limit", Type::int8, "CHECK (char_limit >= 1)",
     "The most characters that the content may have. NULL: no limit.", Holds::payload},
    {"read_only", Type::flag, "NOT NULL DEFAULT false",
     "Whether functions refuse to change it, but for memory.set_block with read_only.",
     Holds::payload},
    {"metadata", Type::jsonb, "NOT NULL DEFAULT '{}'", "A JSON object of the application's.",
     Holds::words},
    {"updated_at", Type::instant, "NOT NULL DEFAULT now()",
     "When it was written last; it never goes back."},
    agent,
    session,
};

// Partial, so that without statistics the planner takes it for statements about pinned blocks only.
constexpr Part block_indexes[] = {
    {"blocks_pinned", "(namespace, user_id, place, name) WHERE place IS NOT NULL",
     "The blocks of a user that are pinned in the prompt."},
};

// Led by the key, so that without statistics the planner does not take it for the tenant's.
constexpr Part block_constraints[] = {
    {"blocks_user_key_key", "UNIQUE (key, user_id, namespace)",
     "One block by its key, within its user."},
};

constexpr Part block_triggers[] = {
    {"memory_version_made",
     "AFTER INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION memory_internal.note_block_version()",
     "The history of a block begins with its first text."},
    {"memory_version_changed",
     "AFTER UPDATE OF content ON {table} FOR EACH ROW"
     " EXECUTE FUNCTION memory_internal.note_block_version()",
     "What a change took away is kept, whatever statement makes it."},
};

constexpr Column version_columns[] = {
    {"block", Type::uuid, "NOT NULL", "The block, by its key in memory.blocks."},
    {"version", Type::int8, "NOT NULL CHECK (version >= 1)",
     "The version of the block that has this text."},
    {"kept_before", Type::int8, "NOT NULL CHECK (kept_before >= 0)",
     "The text before it began with as many characters of this one,", Holds::payload},
    {"taken", Type::text, "NOT NULL", "went on with these,", Holds::words},
    {"kept_behind", Type::int8, "NOT NULL CHECK (kept_behind >= 0)",
     "and ended with as many characters of this one.", Holds::payload},
    {"updated_at", Type::instant, "NOT NULL CHECK (isfinite(updated_at))",
     "When this text was written."},
    agent,
    session,
};

constexpr Part version_constraints[] = {
    {"block_versions_namespace_user_id_block_fkey",
     "FOREIGN KEY (block, user_id, namespace) REFERENCES memory.blocks (key, user_id, namespace)"
     " ON DELETE CASCADE",
     "History goes with its block."},
};

constexpr Table tables[] = {
    {
        .name = "blocks",
        .rows = Rows::of_users,
        .comment = "Named texts of users: pinned in the prompt, or kept as files.",
        .columns = block_columns,
        .key = "name",
        .key_comment = "One block by its name, within its user.",
        .rules = R"(,
    CONSTRAINT namespace_not_empty CHECK (namespace <> ''),
    CONSTRAINT name_is_a_path CHECK ((CASE WHEN starts_with(name, '/') THEN substr(name, 2)
        ELSE name END || '/') !~ '(^|/)[.]{0,2}/'),
    CONSTRAINT name_at_most_1024_bytes CHECK (octet_length(name) <= 1024),
    CONSTRAINT ids_at_most_512_bytes CHECK (octet_length(namespace) <= 512
        AND octet_length(user_id) <= 512 AND octet_length(agent_id) <= 512),
    CONSTRAINT session_id_at_most_1024_bytes CHECK (octet_length(session_id) <= 1024),
    CONSTRAINT files_have_no_place CHECK (place IS NULL OR strpos(name, '/') = 0),
    CONSTRAINT content_within_limit CHECK (length(content) <= char_limit),
    CONSTRAINT updated_at_finite CHECK (isfinite(updated_at)),
    CONSTRAINT metadata_is_object CHECK (jsonb_typeof(metadata) = 'object'))",
        .storage = "WITH (fillfactor = 70)",
        .indexes = block_indexes,
        .constraints = block_constraints,
        .triggers = block_triggers,
    },
    {
        .name = "block_versions",
        .rows = Rows::of_users,
        .comment = "The history of blocks: one row per change of a text, with what it took away.",
        .columns = version_columns,
        .key = "block, version",
        .key_comment = "The texts of a block in their order.",
        .rules = R"(,
    CONSTRAINT ids_at_most_512_bytes CHECK (octet_length(agent_id) <= 512),
    CONSTRAINT session_id_at_most_1024_bytes CHECK (octet_length(session_id) <= 1024))",
        .constraints = version_constraints,
    },
};

// Of any user.
MEMORY_STATEMENT(find_named_user, "{named_user:blocks}"_sql);

} // namespace

constinit const schema::Room room{"blocks", tables, nullptr, &find_named_user};

} // namespace memory::blocks
