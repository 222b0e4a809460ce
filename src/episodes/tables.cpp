// The tables of episodes, their earlier versions, and what changes beside them.
//
// Rules that hold whatever a setting says are CHECK constraints: they hold in COPY, in UPDATE and
// in a restore. Rules that depend on settings (memory.max_content, memory.anonymous) are an AFTER
// trigger with a WHEN condition: a restore creates triggers last, so a dump taken under a larger
// limit always loads, and its rows can change in what the rules are not about; and unlike a BEFORE
// trigger it leaves COPY its multi-row inserts, and costs a row that passes nothing but the
// condition.
#include "episodes/tables.h"

#include "episodes/settings.h"
#include "episodes/sql.h"
#include "models/columns.h"
#include "pg/statement.h"

namespace memory::episodes {

namespace {

using schema::Column;
using schema::Holds;
using schema::Part;
using schema::Rows;
using schema::Table;
using schema::Type;

constexpr Column episode_columns[] = {
    {"id", Type::uuid, "NOT NULL", "UUIDv7, or the caller's own; unique per user.", Holds::keys,
     "memory_internal.default_id()"},
    {"session_id", Type::name, "",
     "The conversation it belongs to. Default: the setting memory.session_id.", Holds::words,
     "memory_internal.default_session_id()"},
    {"agent_id", Type::name, "", "The agent that wrote it. Default: the setting memory.agent_id.",
     Holds::words, "memory_internal.default_agent_id()"},
    {"kind", Type::text, "NOT NULL DEFAULT 'episodic'",
     "Free text; short_term, long_term, episodic, semantic and procedural have retention "
     "defaults.",
     Holds::words},
    {"role", Type::text, "",
     "The speaker: user, assistant, tool, system, or another value of the application.",
     Holds::words},
    {"content", Type::text, "NOT NULL", "The text to recall; empty only where there is a response.",
     Holds::words},
    {"response", Type::text, "", "The answer to content, recalled together with it.", Holds::words},
    {"occurred_at", Type::instant, "NOT NULL DEFAULT now()",
     "When it happened, as given by the application."},
    {"recorded_at", Type::instant, "NOT NULL DEFAULT now()", "When it was written."},
    {"expires_at", Type::instant, "",
     "When the episode expires: from then on no call returns it. NULL: never."},
    {"importance", Type::float8, "NOT NULL DEFAULT 1.0",
     "Between 0 and 1; multiplies the score of a recall."},
    {"metadata", Type::jsonb, "NOT NULL DEFAULT '{}'",
     "A JSON object of the application's, for filters.", Holds::words},
    {"transcript", Type::jsonb, "",
     "The whole exchange behind a turn, as JSON, returned as it was given.", Holds::words},
};

constexpr Part episode_indexes[] = {
    {"episodes_by_time", "(namespace, user_id, occurred_at DESC, id DESC)",
     "The newest episodes of a user first.", schema::Index::before_key},
    {"episodes_lasting", "(namespace, user_id, occurred_at DESC, id DESC) WHERE kind <> 'episodic'",
     "Episodes of kinds whose scores do not fade in a prompt, the newest of a user first.",
     schema::Index::before_key},
    {"episodes_by_session",
     "(namespace, user_id, session_id, occurred_at, id) WHERE session_id IS NOT NULL",
     "The episodes of a session, oldest first."},
    {"episodes_by_expiry", "(namespace, user_id, expires_at) WHERE expires_at IS NOT NULL",
     "The episodes of a user that expire, the earliest first."},
    {"episodes_by_text",
     "USING recall (namespace, user_id, (memory_internal.episode_text(content, response)))",
     "Ranked text search among the episodes of a user."},
};

constexpr Part episode_triggers[] = {
    {"memory_settings_obeyed",
     "AFTER INSERT OR UPDATE OF user_id, content, response ON {table}"
     " FOR EACH ROW WHEN (NOT memory_internal.obeys_settings(NEW.user_id, NEW.content, "
     "NEW.response))"
     " EXECUTE FUNCTION memory_internal.refuse_episode()",
     "Refuses rows over memory.max_content, and anonymous rows while memory.anonymous is deny."},
    {"memory_vector_made",
     "AFTER INSERT OR UPDATE OF content, response ON {table}"
     " FOR EACH ROW WHEN (memory_internal.embeds_here(NEW.namespace))"
     " EXECUTE FUNCTION memory_internal.embed_episode()",
     "Embeds episodes where the namespace's model is the database's own (memory.use_model)."},
    {"memory_jobs_queued",
     "AFTER INSERT OR UPDATE OF namespace, user_id, id, content, response ON {table}"
     " FOR EACH ROW WHEN (memory_internal.asks_models(NEW.namespace))"
     " EXECUTE FUNCTION memory_internal.queue_episode()",
     "Queues what models outside of the database are to make of episodes (memory.use_model)."},
    {"memory_end_set",
     "AFTER INSERT ON {table} FOR EACH ROW WHEN (NEW.expires_at IS NULL"
     " AND memory_internal.kind_ends(NEW.namespace, NEW.kind))"
     " EXECUTE FUNCTION memory_internal.set_end()",
     "Says when episodes expire whose kind lives for a time only (memory.set_retention)."},
    {"memory_messages_dropped",
     "AFTER DELETE ON {table} REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT"
     " EXECUTE FUNCTION memory_internal.drop_messages_of_episodes()",
     "Drops the messages of deleted episodes from the logs of their sessions."},
};

constexpr Column revision_columns[] = {
    {"episode_id", Type::uuid, "NOT NULL", "The episode."},
    {"revision", Type::int4, "NOT NULL", "1 is the text it was first remembered with."},
    {"content", Type::text, "NOT NULL", "The text of that version.", Holds::words},
    {"response", Type::text, "", "The response of that version.", Holds::words},
    {"recorded_at", Type::instant, "NOT NULL", "When that version was written."},
    {"revised_at", Type::instant, "NOT NULL", "When it was replaced."},
};

constexpr Column embedding_columns[] = {
    {"episode_id", Type::uuid, "NOT NULL", "The episode."},
    models::model_column,
    models::vector_column,
};

constexpr Column usage_columns[] = {
    {"episode_id", Type::uuid, "NOT NULL", "The episode."},
    {"accesses", Type::int8, "NOT NULL DEFAULT 0 CHECK (accesses >= 0)", "How often it was used."},
    {"accessed_at", Type::instant, "", "When it was used last."},
    {"reinforced_at", Type::instant, "", "When memory.reinforce was called for it last."},
    {"weight", Type::float8, "CHECK (weight >= 0 AND weight <= 1)",
     "What it counted then, from 0 to 1: since then it fades again."},
};

// What belongs to an episode goes with it.
constexpr char of_episode[] =
    "FOREIGN KEY (namespace, user_id, episode_id) REFERENCES memory.episodes ON DELETE CASCADE";
constexpr char with_episode[] = "Deleted together with its episode.";
constexpr const char *shown_episode = "({not_expired:t} OR {merged:t})"_sql.text;
constexpr const char *of_shown_episode = R"(EXISTS (SELECT FROM memory.episodes e
    WHERE {tenant:e} AND e.id = t.episode_id AND ({not_expired:e} OR {merged:e})))"_sql.text;

constexpr Part revision_constraints[] = {
    {"episode_revisions_namespace_user_id_episode_id_fkey", of_episode, with_episode}};
constexpr Part embedding_constraints[] = {
    {"embeddings_namespace_user_id_episode_id_fkey", of_episode, with_episode}};
constexpr Part embedding_indexes[] = {models::codes_named("embeddings_by_code")};

constexpr Column merged_columns[] = {
    {"episode_id", Type::uuid, "NOT NULL", "The episode that is not recalled any more."},
    {"kept", Type::uuid, "NOT NULL CHECK (kept <> episode_id)",
     "The episode that is recalled in its place."},
    {"similarity", Type::float8, "NOT NULL CHECK (similarity >= 0 AND similarity <= 1)",
     "How similar the two were."},
    {"merged_at", Type::instant, "NOT NULL DEFAULT now()", "When they were merged."},
};

constexpr Part merged_indexes[] = {
    {"merged_episodes_by_kept", "(kept, user_id, namespace)", "What was merged into an episode."},
};

constexpr Part merged_triggers[] = {
    {"memory_merged_restored",
     "AFTER DELETE ON {table} REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT"
     " EXECUTE FUNCTION memory_internal.restore_merged_episodes()",
     "What is not merged any more is recalled again."},
};

constexpr Part usage_constraints[] = {
    {"usage_namespace_user_id_episode_id_fkey", of_episode, with_episode}};

constexpr Table tables[] = {
    {
        .name = "episodes",
        .rows = Rows::of_users,
        .comment = "What happened: messages, turns and notes, each of one user in one namespace. "
                   "Text is append-only (memory.revise makes a new version); INSERT and COPY are "
                   "the bulk path.",
        .columns = episode_columns,
        .key = "id",
        .key_comment = "One episode by its id, within its user.",
        .rules = R"(,
    CONSTRAINT namespace_not_empty CHECK (namespace <> ''),
    CONSTRAINT ids_at_most_512_bytes CHECK (octet_length(namespace) <= 512
        AND octet_length(user_id) <= 512 AND octet_length(agent_id) <= 512),
    CONSTRAINT session_id_from_1_to_1024_bytes CHECK (octet_length(session_id) >= 1
        AND octet_length(session_id) <= 1024),
    CONSTRAINT kind_not_empty CHECK (kind <> ''),
    CONSTRAINT content_or_response CHECK (content <> '' OR coalesce(response, '') <> ''),
    CONSTRAINT occurred_at_finite CHECK (isfinite(occurred_at)),
    CONSTRAINT importance_between_0_and_1 CHECK (importance >= 0 AND importance <= 1),
    CONSTRAINT metadata_is_object CHECK (jsonb_typeof(metadata) = 'object'))",
        .indexes = episode_indexes,
        .triggers = episode_triggers,
        .word_indexes = "episodes\\_by\\_text",
        .shown = shown_episode,
    },
    {
        .name = "episode_revisions",
        .rows = Rows::of_users,
        .comment = "Texts that memory.revise has replaced, oldest first. Deleted together with "
                   "their episode.",
        .columns = revision_columns,
        .key = "episode_id, revision",
        .key_comment = "The versions of an episode.",
        .constraints = revision_constraints,
        .shown = of_shown_episode,
        .of = schema::Of::episode,
    },
    {
        .name = "embeddings",
        .rows = Rows::of_users,
        .comment = "Vectors of episodes, one per embedding model. Narrow, and inline up to about "
                   "2,000 dimensions, so that an exact scan of one user is fast.",
        .columns = embedding_columns,
        .key = "episode_id, model",
        .key_comment = "The vectors of an episode, and all of a user side by side.",
        .storage = models::inline_vectors,
        .indexes = embedding_indexes,
        .constraints = embedding_constraints,
        .triggers = models::vector_triggers,
        .word_indexes = "embeddings\\_nearest\\_%",
        .shown = of_shown_episode,
        .of = schema::Of::episode,
    },
    {
        .name = "usage",
        .rows = Rows::of_users,
        .comment = "How often and when an episode was used, as the application reports it; beside "
                   "the episode, so that counting does not rewrite its text and index entries.",
        .columns = usage_columns,
        .key = "episode_id",
        .key_comment = "The use of an episode.",
        .constraints = usage_constraints,
        .shown = of_shown_episode,
        .of = schema::Of::episode,
    },
    {
        .name = "merged_episodes",
        .rows = Rows::of_users,
        .comment = "Episodes that memory.consolidate has merged into others that say nearly the "
                   "same: they stay as they are, and are not recalled. Deleting a row here brings "
                   "one back; so does deleting the episode that was kept.",
        .columns = merged_columns,
        .key = "episode_id",
        .key_comment = "What an episode was merged into.",
        .indexes = merged_indexes,
        .triggers = merged_triggers,
        .of = schema::Of::episode,
    },
};

// Of any user.
MEMORY_STATEMENT(find_named_user, "{named_user:episodes}"_sql);

} // namespace

constinit const schema::Room room{"episodes", tables, define_settings, &find_named_user};

} // namespace memory::episodes
