// The tables of sessions: the row that writers of a session lock and what is known of it, and the
// log of its messages (docs/conversations.md).
//
// Every write into a session updates its row. updated_at is in an index, so that the newest twenty
// of an application that has one user are not found by reading all of them; what moves with every
// message is in none, so that such an update is heap-only where updated_at stays.
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
    {"last_seq", Type::int8, "NOT NULL DEFAULT 0 CHECK (last_seq >= 0)",
     "The last number that was given to a message of path ''; no number is given twice."},
    {"messages", Type::int8, "NOT NULL DEFAULT 0 CHECK (messages >= 0)",
     "How many messages path '' has."},
    {"created_at", Type::instant, "NOT NULL DEFAULT now()", "When it was written into first."},
    {"updated_at", Type::instant, "NOT NULL DEFAULT now()",
     "When it was written into last; it never goes back. Late by a second at most where no other "
     "session of the user was written into since."},
    {"metadata", Type::jsonb, "NOT NULL DEFAULT '{}'",
     "A JSON object of the application's, for filters.", Holds::words},
};

constexpr Part session_indexes[] = {
    {"sessions_by_update",
     "((memory_internal.name_key(user_id)), (memory_internal.name_key(namespace)),"
     " updated_at DESC, session_id)",
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
    {"memory_jobs_queued",
     "AFTER INSERT OR UPDATE OF last_seq ON {table} FOR EACH ROW"
     " WHEN (NEW.last_seq > 0 AND memory_internal.asks_summaries(NEW.namespace))"
     " EXECUTE FUNCTION memory_internal.queue_summary()",
     "Queues summaries of sessions, by models outside of the database (memory.use_model)."},
    {"memory_log_dropped",
     "AFTER DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION memory_internal.drop_log()",
     "The log of a session goes with it."},
    {"memory_checkpoints_dropped",
     "AFTER DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION memory_internal.drop_checkpoints()",
     "Checkpoints, their parts, writes and bytes go with their session."},
};

constexpr Column session{"session", Type::uuid, "NOT NULL",
                         "The session, by its key in memory.sessions."};
constexpr Column path{"path", Type::name, "NOT NULL DEFAULT ''",
                      "'' is the conversation; others are of sub-agents.", Holds::words};

constexpr Column path_columns[] = {
    session,
    path,
    {"last_seq", Type::int8, "NOT NULL CHECK (last_seq >= 0)",
     "The last number that was given to one of its messages."},
    {"messages", Type::int8, "NOT NULL CHECK (messages >= 0)", "How many messages it has."},
};

constexpr Column message_columns[] = {
    session,
    path,
    {"seq", Type::int8, "NOT NULL CHECK (seq > 0)", "Its number within session and path."},
    {"id", Type::uuid, "NOT NULL",
     "The id of its episode, where it has one. The messages of one memory.remember share theirs.",
     Holds::keys, "memory_internal.default_id()"},
    {"key", Type::name, "",
     "The name that the application gave it (key_field); unique within session and path.",
     Holds::words},
    {"role", Type::name, "NOT NULL CHECK (role = ANY ('{user,assistant,system,tool,other}'))",
     "The speaker: user, assistant, system, tool or other.", Holds::payload},
    {"message", Type::jsonb, "NOT NULL", "The message as it was given.", Holds::words},
    {"run_id", Type::name, "", "The run that it belongs to.", Holds::words},
    {"occurred_at", Type::instant, "NOT NULL DEFAULT now()", "When it happened."},
};

constexpr Column operation_columns[] = {
    session,
    {"operation", Type::name, "NOT NULL", "The name that the application gave the call.",
     Holds::words},
    {"digest", Type::bytes, "NOT NULL", "The SHA-256 of its path and messages.", Holds::payload},
    {"seqs", Type::int8s, "NOT NULL", "The numbers that it returned.", Holds::payload},
    {"ids", Type::uuids, "NOT NULL", "The ids that it returned.", Holds::payload},
};

// Led by what tells most, so that without statistics the planner takes none of them for the
// tenant's.
constexpr Part message_indexes[] = {
    {"messages_by_key",
     "(session, (memory_internal.name_key(path)), (memory_internal.name_key(key)), user_id,"
     " namespace) WHERE key IS NOT NULL",
     "One message by its key.", schema::Index::unique},
    {"messages_by_id", "(id, user_id, namespace)", "The messages of an episode."},
    {"messages_by_run",
     "(session, (memory_internal.name_key(run_id)), seq) WHERE run_id IS NOT NULL",
     "The messages of a run."},
    {"messages_by_time",
     "((memory_internal.name_key(user_id)), (memory_internal.name_key(namespace)), occurred_at)",
     "The newest messages of a user."},
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
        .word_indexes = "sessions\\_by\\_%",
        .forgotten_when = "t.key = ANY ($3)"_sql.text,
    },
    {
        .name = "session_paths",
        .rows = Rows::of_users,
        .comment = "Numbers of the messages of sub-agents; those of the conversation are in "
                   "memory.sessions.",
        .columns = path_columns,
        .key = "session, path",
        .key_comment = "One path of a session.",
        .rules = R"(,
    CONSTRAINT path_from_1_to_1024_bytes CHECK (octet_length(path) >= 1
        AND octet_length(path) <= 1024))",
        .storage = "WITH (fillfactor = 80)",
        .of = schema::Of::session,
    },
    {
        .name = "messages",
        .rows = Rows::of_users,
        .comment = "The messages of sessions in their order. What of them is recalled is in the "
                   "episode of the same id.",
        .columns = message_columns,
        .key = "session, path, seq",
        .key_comment = "The messages of a path in their order.",
        .rules = R"(,
    CONSTRAINT names_at_most_1024_bytes CHECK (octet_length(path) <= 1024
        AND octet_length(key) <= 1024 AND octet_length(run_id) <= 1024 AND key <> ''
        AND run_id <> ''),
    CONSTRAINT occurred_at_finite CHECK (isfinite(occurred_at)),
    CONSTRAINT message_is_object CHECK (jsonb_typeof(message) = 'object'))",
        .indexes = message_indexes,
        .word_indexes = "messages\\_by\\_%",
        .of = schema::Of::session,
    },
    {
        .name = "session_operations",
        .rows = Rows::of_users,
        .comment = "Calls of memory.add_messages that had a name, so that a retry changes nothing.",
        .columns = operation_columns,
        .key = "session, operation",
        .key_comment = "One call by its name, within its session.",
        .rules = R"(,
    CONSTRAINT operation_from_1_to_1024_bytes CHECK (octet_length(operation) >= 1
        AND octet_length(operation) <= 1024))",
        .of = schema::Of::session,
    },
};

// Of any user.
MEMORY_STATEMENT(find_named_user, "{named_user:sessions}"_sql);

} // namespace

constinit const schema::Room room{"sessions", tables, nullptr, &find_named_user};

} // namespace memory::sessions
