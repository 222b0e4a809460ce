// Tables of runs, summaries, profiles and policies, for the list in tables.cpp.
#pragma once

#include "schema/table.h"

namespace memory::conversations {

// What belongs to a session goes with it.
inline constexpr char of_session[] =
    "FOREIGN KEY (session, user_id, namespace) REFERENCES memory.sessions (key, user_id, namespace)"
    " ON DELETE CASCADE";
inline constexpr char with_session[] = "Deleted together with its session.";
inline constexpr schema::Column session_column{"session", schema::Type::uuid, "NOT NULL",
                                               "The session, by its key in memory.sessions."};

inline constexpr schema::Column run_columns[] = {
    {"run_id", schema::Type::name, "NOT NULL", "The name that the application gave it.",
     schema::Holds::words},
    session_column,
    {"agent_id", schema::Type::name, "",
     "The agent that runs. Default: the setting memory.agent_id.", schema::Holds::words,
     "memory_internal.default_agent_id()"},
    {"status", schema::Type::name, "NOT NULL DEFAULT 'running'",
     "running, completed, paused, cancelled or error.", schema::Holds::payload},
    {"state", schema::Type::jsonb, "NOT NULL DEFAULT '{}'", "The state of the run.",
     schema::Holds::words},
    {"requirements", schema::Type::jsonb, "NOT NULL DEFAULT '[]'",
     "What it waits for: an array of objects, or an object.", schema::Holds::words},
    {"created_at", schema::Type::instant, "NOT NULL DEFAULT now()", "When it was saved first."},
    {"updated_at", schema::Type::instant, "NOT NULL DEFAULT now()",
     "When it was saved last; it never goes back."},
};

// Without statistics, indexes that begin with the same columns are equally good to the planner. So
// only statements that list runs by their time have the condition of the first one.
inline constexpr schema::Part run_indexes[] = {
    {"runs_by_creation",
     "(namespace, user_id, created_at DESC, run_id) WHERE created_at > '-infinity'",
     "The newest runs of a user."},
    {"runs_by_session", "(session, user_id, namespace, created_at DESC, run_id)",
     "The newest runs of a session."},
};

inline constexpr schema::Part run_constraints[] = {
    {"runs_namespace_user_id_session_fkey", of_session, with_session}};

// The updates of a run are heap-only: what they change is in no index.
inline constexpr schema::Table runs_table{
    .name = "runs",
    .rows = schema::Rows::of_users,
    .comment = "Runs of agents: how far each has come, and what it waits for.",
    .columns = run_columns,
    .key = "run_id",
    .key_comment = "One run by its name, within its user.",
    .rules = R"(,
    CONSTRAINT names_not_empty CHECK (namespace <> '' AND run_id <> ''),
    CONSTRAINT run_id_at_most_1024_bytes CHECK (octet_length(run_id) <= 1024),
    CONSTRAINT ids_at_most_512_bytes CHECK (octet_length(namespace) <= 512
        AND octet_length(user_id) <= 512 AND octet_length(agent_id) <= 512),
    CONSTRAINT status_is_known CHECK (status IN ('running', 'completed', 'paused', 'cancelled',
        'error')),
    CONSTRAINT requirements_are_objects CHECK (jsonb_typeof(requirements) = 'object'
        OR jsonb_typeof(requirements) = 'array'
            AND NOT jsonb_path_exists(requirements, 'strict $[*] ? (@.type() <> "object")')),
    CONSTRAINT times_finite CHECK (isfinite(created_at) AND isfinite(updated_at)))",
    .storage = "WITH (fillfactor = 70)",
    .indexes = run_indexes,
    .constraints = run_constraints,
    .of = schema::Of::session,
};

inline constexpr schema::Column summary_columns[] = {
    session_column,
    {"summary", schema::Type::text, "NOT NULL CHECK (summary <> '')", "What was said so far.",
     schema::Holds::words},
    {"upto", schema::Type::int8, "NOT NULL CHECK (upto >= 0)",
     "The number of the last message that it covers, of path ''."},
    {"topics", schema::Type::texts, "NOT NULL DEFAULT '{}'", "What it is about.",
     schema::Holds::words},
    {"updated_at", schema::Type::instant, "NOT NULL DEFAULT now() CHECK (isfinite(updated_at))",
     "When it was set."},
};

inline constexpr schema::Part summary_constraints[] = {
    {"summaries_namespace_user_id_session_fkey", of_session, with_session}};

// Of a session, whose row knows nothing of it: a summary is made of a session, and is no write
// into it.
inline constexpr schema::Table summaries_table{
    .name = "summaries",
    .rows = schema::Rows::of_users,
    .comment = "Summaries of sessions, one of each.",
    .columns = summary_columns,
    .key = "session",
    .key_comment = "The summary of a session.",
    .constraints = summary_constraints,
    .of = schema::Of::session,
};

// Of profiles and policies; part of their keys.
inline constexpr schema::Column agent_column{
    "agent_id", schema::Type::name, "NOT NULL DEFAULT '' CHECK (octet_length(agent_id) <= 512)",
    "The agent that it is for; '' is the one for the user, whichever the agent.",
    schema::Holds::words};

inline constexpr schema::Column profile_columns[] = {
    agent_column,
    {"traits", schema::Type::jsonb, "NOT NULL CHECK (jsonb_typeof(traits) = 'object')",
     "What is known of the user, by name.", schema::Holds::words},
    {"updated_at", schema::Type::instant, "NOT NULL DEFAULT now() CHECK (isfinite(updated_at))",
     "When it was set last."},
};

inline constexpr schema::Table profiles_table{
    .name = "profiles",
    .rows = schema::Rows::of_users,
    .comment = "Profiles of users: what is known of them, as an agent is told.",
    .columns = profile_columns,
    .key = "agent_id",
    .key_comment = "The profile of a user, and those that agents have.",
};

// NULL: the policy says nothing of it.
inline constexpr schema::Column policy_columns[] = {
    agent_column,
    {"save_history", schema::Type::flag, "", "Whether messages of completed runs are kept."},
    {"save_summary", schema::Type::flag, "", "Whether summaries are kept."},
    {"save_profile", schema::Type::flag, "", "Whether profiles are kept."},
    {"load_history", schema::Type::flag, "", "Whether messages are loaded into prompts."},
    {"load_summary", schema::Type::flag, "", "Whether summaries are loaded into prompts."},
    {"load_profile", schema::Type::flag, "", "Whether profiles are loaded into prompts."},
    {"tool_messages", schema::Type::flag, "", "Whether messages of tools are loaded, too."},
    {"last_runs", schema::Type::int8, "CHECK (last_runs >= 1)",
     "Of how many runs messages are loaded, the newest."},
};

inline constexpr schema::Table policies_table{
    .name = "policies",
    .rows = schema::Rows::of_users,
    .comment = "What is kept of conversations, and what of it is loaded.",
    .columns = policy_columns,
    .key = "agent_id",
    .key_comment = "The policy of a user, and those for agents.",
};

} // namespace memory::conversations
