// Checkpoints, the parts they consist of, the writes that belong to them, and the bytes of all
// (docs/checkpoints.md).
#include "checkpoints/tables.h"

#include "checkpoints/settings.h"

namespace memory::checkpoints {

namespace {

using schema::Column;
using schema::Holds;
using schema::Part;
using schema::Rows;
using schema::Table;
using schema::Type;

constexpr Column session{"session", Type::uuid, "NOT NULL",
                         "The session, by its key in memory.sessions."};
constexpr Column path{"path", Type::name, "NOT NULL DEFAULT ''",
                      "'' is the session's own; others are of sub-agents.", Holds::words};

constexpr Column store_columns[] = {
    {"store", Type::uuid, "NOT NULL", "The key of the session that the store was made for."},
    {"last_number", Type::int8, "NOT NULL",
     "The greatest number that was given; writers lock this row."},
};

constexpr Column checkpoint_columns[] = {
    session,
    {"place", Type::int8, "NOT NULL", "The order of first writing within the store."},
    path,
    {"id", Type::name, "NOT NULL", "Its name, within session and path.", Holds::words},
    {"parent", Type::name, "", "The name of the one it follows, which need not be there.",
     Holds::words},
    {"created_at", Type::instant, "NOT NULL DEFAULT now()", "When it was first written."},
    {"metadata", Type::jsonb, "NOT NULL DEFAULT '{}'",
     "A JSON object of the application's, for filters.", Holds::words},
    {"refs", Type::jsonb, "NOT NULL DEFAULT '{}'",
     "The parts it consists of: for each name the version.", Holds::words},
    {"state", Type::int8, "NOT NULL", "The number of its state in memory.checkpoint_bytes."},
};

constexpr Column part_columns[] = {
    session,
    {"number", Type::int8, "NOT NULL", "The number of its data in memory.checkpoint_bytes."},
    path,
    {"name", Type::name, "NOT NULL", "The name of the part.", Holds::words},
    {"version", Type::name, "NOT NULL", "The version, as checkpoints refer to it.", Holds::words},
    {"type", Type::text, "NOT NULL", "What its data are, in the application's words.",
     Holds::words},
    {"has_data", Type::flag, "NOT NULL", "Whether there are any; a part may be known to be empty."},
};

constexpr Column write_columns[] = {
    session,
    {"number", Type::int8, "NOT NULL", "The order of writing within the store."},
    path,
    {"checkpoint", Type::name, "NOT NULL", "The checkpoint's id; it may come later.", Holds::words},
    {"task", Type::name, "NOT NULL", "The task that wrote it.", Holds::words},
    {"idx", Type::int8, "NOT NULL", "Its place among the task's."},
    {"task_path", Type::text, "NOT NULL DEFAULT ''", "Where the task stands.", Holds::words},
    {"name", Type::text, "NOT NULL", "What is written to.", Holds::words},
    {"type", Type::text, "", "What data are, in the application's words.", Holds::words},
    {"data", Type::bytes, "", "What is written.", Holds::words},
};

constexpr Column bytes_columns[] = {
    {"store", Type::uuid, "NOT NULL", "The store."},
    {"number", Type::int8, "NOT NULL", "Given by the store, never again."},
    {"chain", Type::int8s, "NOT NULL DEFAULT '{}'",
     "The numbers from its keyframe to the version before it; empty: it is a keyframe.",
     Holds::payload},
    {"size", Type::int8, "NOT NULL", "Of the version, in bytes."},
    {"checksum", Type::int8, "NOT NULL", "XXH64 of the version."},
    {"data", Type::bytes, "NOT NULL",
     "The version itself, or the delta that makes it of the one before it.", Holds::words},
};

constexpr Part checkpoint_indexes[] = {
    {"checkpoints_by_name",
     "(session, (memory_internal.name_key(path)), (memory_internal.name_key(id)), user_id,"
     " namespace)",
     "One checkpoint by its name.", schema::Index::unique},
    {"checkpoints_by_place", "(session, (memory_internal.name_key(path)), place)",
     "The newest of a path."},
    {"checkpoints_by_id", "((memory_internal.name_key(id)), user_id, namespace)",
     "Of all sessions by id alone."},
};

constexpr Part part_indexes[] = {
    {"checkpoint_parts_by_name",
     "(session, (memory_internal.name_key(path)), (memory_internal.name_key(name)),"
     " (memory_internal.name_key(version)), user_id, namespace)",
     "One part by its name and version.", schema::Index::unique},
};

constexpr Part write_indexes[] = {
    {"checkpoint_writes_by_task",
     "(session, (memory_internal.name_key(path)), (memory_internal.name_key(checkpoint)),"
     " (memory_internal.name_key(task)), idx, user_id, namespace)",
     "The writes of a checkpoint.", schema::Index::unique},
};

constexpr Table tables[] = {
    {
        .name = "checkpoint_stores",
        .rows = Rows::of_users,
        .comment = "What a session and its forks share: the lock of their writers, and numbers.",
        .columns = store_columns,
        .key = "store",
        .key_comment = "One store, within its user.",
        .of = schema::Of::store,
    },
    {
        .name = "checkpoints",
        .rows = Rows::of_users,
        .comment = "The state of an agent at one step: a name, what it follows, and what it "
                   "consists of.",
        .columns = checkpoint_columns,
        .key = "session, place",
        .key_comment = "The checkpoints of a session in the order of writing.",
        .rules = R"(,
    CONSTRAINT names_at_most_1024_bytes CHECK (octet_length(path) <= 1024
        AND octet_length(id) <= 1024 AND octet_length(parent) <= 1024 AND id <> ''),
    CONSTRAINT metadata_is_object CHECK (jsonb_typeof(metadata) = 'object'),
    CONSTRAINT refs_is_object CHECK (jsonb_typeof(refs) = 'object'))",
        .indexes = checkpoint_indexes,
        .word_indexes = "checkpoints\\_by\\_%",
        .of = schema::Of::session,
    },
    {
        .name = "checkpoint_parts",
        .rows = Rows::of_users,
        .comment = "Named, versioned pieces of states, each stored once.",
        .columns = part_columns,
        .key = "session, number",
        .key_comment = "The parts of a session in the order of writing.",
        .rules = R"(,
    CONSTRAINT names_at_most_1024_bytes CHECK (octet_length(path) <= 1024
        AND octet_length(name) <= 1024 AND octet_length(version) <= 1024 AND name <> ''))",
        .indexes = part_indexes,
        .word_indexes = "checkpoint\\_parts\\_by\\_%",
        .of = schema::Of::session,
    },
    {
        .name = "checkpoint_writes",
        .rows = Rows::of_users,
        .comment = "What tasks have written on the way to the next checkpoint.",
        .columns = write_columns,
        .key = "session, number",
        .key_comment = "The writes of a session in the order of writing.",
        .rules = R"(,
    CONSTRAINT names_at_most_1024_bytes CHECK (octet_length(path) <= 1024
        AND octet_length(checkpoint) <= 1024 AND octet_length(task) <= 1024
        AND checkpoint <> '' AND task <> ''))",
        .indexes = write_indexes,
        .word_indexes = "checkpoint\\_writes\\_by\\_%",
        .of = schema::Of::session,
    },
    {
        .name = "checkpoint_bytes",
        .rows = Rows::of_users,
        .comment = "Versions of states and parts: keyframes, and deltas that lead from them.",
        .columns = bytes_columns,
        .key = "store, number",
        .key_comment = "The versions of a store in the order of writing.",
        .of = schema::Of::store,
    },
};

} // namespace

constinit const schema::Room room{"checkpoints", tables, define_settings};

} // namespace memory::checkpoints
