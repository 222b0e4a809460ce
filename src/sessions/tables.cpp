// The table of sessions: the row that writers of a session lock, and what is known of it.
//
// Every write into a session updates its row. updated_at is in an index all the same, so that these
// updates are not heap-only: without it the newest twenty of an application that has one user would
// be found by reading all of them.
#include "sessions/tables.h"

#include "pg/statement.h"
#include "sessions/sql.h"

namespace memory::sessions {

namespace {

using schema::Column;
using schema::Holds;
using schema::Part;
using schema::Rows;
using schema::Table;
using schema::Type;

constexpr Column session_columns[] = {
    {"session_id", Type::name, "NOT NULL", "The name that the application gave it.", Holds::words},
    {"key", Type::uuid, "NOT NULL", "What rows of other tables know it by; unique per user.",
     Holds::keys, "memory_internal.default_id()"},
    {"store", Type::uuid, "",
     "The key of the session whose store has the bytes of its checkpoints: of the original, for a "
     "fork. NULL: its own."},
    {"agent_id", Type::name, "",
     "The agent that it belongs to: the first that wrote into it, or as memory.set_session said. "
     "Default: the setting memory.agent_id.",
     Holds::words, "memory_internal.default_agent_id()"},
    {"version", Type::int8, "NOT NULL DEFAULT 1 CHECK (version >= 1)",
     "One more with every memory.set_session, and with all that drops some of what it has."},
    {"created_at", Type::instant, "NOT NULL DEFAULT now()", "When it was written into first."},
    {"updated_at", Type::instant, "NOT NULL DEFAULT now()",
     "When it was written into last; it never goes back."},
    {"metadata", Type::jsonb, "NOT NULL DEFAULT '{}'",
     "A JSON object of the application's, for filters.", Holds::words},
};

constexpr Part session_indexes[] = {
    {"sessions_by_update", "(namespace, user_id, updated_at DESC, session_id)",
     "The sessions of a user that were written into last."},
    {"sessions_by_store", "(store, user_id, namespace) WHERE store IS NOT NULL",
     "The forks of a session."},
};

// Led by the key, so that without statistics the planner does not take it for the tenant's.
constexpr Part session_constraints[] = {
    {"sessions_user_key_key", "UNIQUE (key, user_id, namespace)",
     "One session by its key, within its user."},
};

constexpr Part session_triggers[] = {
    {"memory_checkpoints_dropped",
     "AFTER DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION memory_internal.drop_checkpoints()",
     "Checkpoints, their parts, writes and bytes go with their session."},
};

constexpr Table tables[] = {
    {
        .name = "sessions",
        .rows = Rows::of_users,
        .comment = "Sessions: conversations and runs of agents. Writers of a session queue on its "
                   "row.",
        .columns = session_columns,
        .key = "session_id",
        .key_comment = "One session by its name, within its user.",
        .rules = R"(,
    CONSTRAINT names_not_empty CHECK (namespace <> '' AND session_id <> ''),
    CONSTRAINT session_id_at_most_1024_bytes CHECK (octet_length(session_id) <= 1024),
    CONSTRAINT ids_at_most_512_bytes CHECK (octet_length(namespace) <= 512
        AND octet_length(user_id) <= 512 AND octet_length(agent_id) <= 512),
    CONSTRAINT times_finite CHECK (isfinite(created_at) AND isfinite(updated_at)),
    CONSTRAINT metadata_is_object CHECK (jsonb_typeof(metadata) = 'object'))",
        .storage = "WITH (fillfactor = 80)",
        .indexes = session_indexes,
        .constraints = session_constraints,
        .triggers = session_triggers,
    },
};

// Of any user.
MEMORY_STATEMENT(find_named_user, "{named_user:sessions}"_sql);

} // namespace

constinit const schema::Room room{"sessions", tables, nullptr, &find_named_user};

} // namespace memory::sessions
