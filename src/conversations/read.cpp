// memory.messages(): messages of the log, oldest first.
#include "access/page.h"
#include "conversations/sql.h"
#include "conversations/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "sessions/sessions.h"
#include "sessions/tables.h"

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

// What is asked most: the newest of a path. $3 the session, $4 the path. One plan for all, which
// the LIMIT makes one along the primary key; the call says how many rows of it are wanted.
constexpr long most_newest = 1000;
MEMORY_STATEMENT(find_newest, R"(
    SELECT $3::text, {message:m} FROM memory.messages m
    WHERE {of_named:m} AND m.path = $4 ORDER BY m.seq DESC LIMIT 1000)"_sql,
                 pg::Statement::once);

// $3 the session or NULL, $4 the path, $5 k, $6 around, $7 after, $8 before, $9 since, $10 until,
// $11 roles, $12 keys, $13 whether messages of tools count.
constexpr pg::sql::Fragment reading_log[]{
    {"spoken", "($13 OR (m.role <> 'tool' AND (m.role <> 'assistant'"
               " OR coalesce(memory_internal.message_content(m.message), '') <> '')))"},
    {"passes", "m.path = $4 AND ($7::bigint IS NULL OR m.seq > $7)"
               " AND ($8::bigint IS NULL OR m.seq < $8)"
               " AND ($9::timestamptz IS NULL OR m.occurred_at >= $9)"
               " AND ($10::timestamptz IS NULL OR m.occurred_at <= $10)"
               " AND ($11::text[] IS NULL OR m.role = ANY ($11)) AND {any_key:m,$12}"
               " AND {spoken}"},
    // A message is of a run that was neither cancelled nor failed.
    {"of_kept_run", "{0}.run_id IS NOT NULL AND NOT EXISTS (SELECT FROM memory.runs k"
                    " WHERE {tenant:k} AND k.run_id = {0}.run_id"
                    " AND k.status = ANY ('{cancelled,error}'))"},
    // It is of one of the runs $14; the index knows them by their digests.
    {"of_one_run", "memory_internal.name_key(m.run_id) = ANY (ARRAY("
                   "SELECT memory_internal.name_key(r.id) FROM unnest($14::text[]) r (id)))"
                   " AND m.run_id = ANY ($14)"},
    // Of their messages of role system only the first counts.
    {"of_runs", "($14::text[] IS NULL OR ({of_one_run} AND (m.role <> 'system' OR m.seq = ("
                "SELECT min(m.seq) FROM memory.messages m WHERE {of_named:m} AND m.path = $4"
                " AND m.role = 'system' AND {of_one_run}))))"},
    // The messages next to a hit h, in the direction that {0} and {1} say.
    {"next", "SELECT h.session, n.seq FROM hit h CROSS JOIN LATERAL (SELECT m.seq"
             " FROM memory.messages m WHERE {tenant:m} AND m.session = h.session AND m.path = $4"
             " AND m.seq {0} h.seq AND {spoken} ORDER BY m.seq {1} LIMIT $6) n"},
    // Hits and what is around them, where that is asked for. Each is looked up by its key, whatever
    // is known of the table: OFFSET 0 keeps the planner from joining in another order.
    {"shown", "(SELECT h.session, h.seq FROM hit h"
              " UNION {next:<,DESC} UNION {next:>,ASC}) w"
              " CROSS JOIN LATERAL (SELECT m.* FROM memory.messages m WHERE {tenant:m}"
              " AND m.session = w.session AND m.path = $4 AND m.seq = w.seq OFFSET 0) m"},
    // The name of the session of m, in the same way.
    {"its_session", "CROSS JOIN LATERAL (SELECT s.session_id FROM memory.sessions s"
                    " WHERE {tenant:s} AND s.key = m.session AND {alive:s} OFFSET 0) s"},
};
template <pg::SqlText written>
consteval pg::Sql operator""_reading() {
    return pg::compose<written, access::fragments, filter::fragments, sessions::fragments,
                       reading_log>();
}

MEMORY_STATEMENT(find_in_session, R"(
    WITH hit AS MATERIALIZED (
        SELECT m.session, m.seq FROM memory.messages m
        WHERE {of_named:m} AND {passes} AND {of_runs} ORDER BY m.seq DESC LIMIT $5)
    SELECT $3::text, {message:m} FROM {shown} ORDER BY m.seq)"_reading,
                 pg::Statement::for_each_values);

// The runs of the newest messages, $5 at most. They are found from the end on, one after the other.
MEMORY_STATEMENT(find_runs, R"(
    WITH RECURSIVE run AS (
        SELECT l.seq, ARRAY[l.run_id] AS ids
        FROM (SELECT m.seq, m.run_id FROM memory.messages m
              WHERE {of_named:m} AND m.path = $4 AND {of_kept_run:m}
              ORDER BY m.seq DESC LIMIT 1) l
        UNION ALL
        SELECT l.seq, r.ids || l.run_id
        FROM run r CROSS JOIN LATERAL (
            SELECT m.seq, m.run_id FROM memory.messages m
            WHERE {of_named:m} AND m.path = $4 AND m.seq < r.seq AND m.run_id <> ALL (r.ids)
                AND {of_kept_run:m}
            ORDER BY m.seq DESC LIMIT 1) l
        WHERE cardinality(r.ids) < $5)
    SELECT r.ids[cardinality(r.ids)] FROM run r)"_reading,
                 pg::Statement::once);

MEMORY_STATEMENT(find_in_all, R"(
    WITH hit AS MATERIALIZED (
        SELECT m.session, m.seq FROM memory.messages m {its_session}
        WHERE {tenant:m} AND {tenant_by_key:m} AND $3::text IS NULL AND {passes}
        ORDER BY m.occurred_at DESC, s.session_id DESC, m.seq DESC LIMIT $5)
    SELECT s.session_id, {message:m} FROM {shown} {its_session}
    ORDER BY m.occurred_at, s.session_id, m.seq)"_reading,
                 pg::Statement::for_each_values);

constexpr pg::Choice<std::string_view> roles[]{{"user", "user"},
                                               {"assistant", "assistant"},
                                               {"system", "system"},
                                               {"tool", "tool"},
                                               {"other", "other"}};

// What a call asks for.
struct Question {
    std::optional<std::string_view> session_id;
    std::string_view path;
    std::int64_t k;
    std::int64_t around;
    std::optional<std::int64_t> after;
    std::optional<std::int64_t> before;
    std::optional<pg::Instant> since;
    std::optional<pg::Instant> until;
    std::optional<std::span<const std::string_view>> roles;
    std::optional<std::span<const std::string_view>> keys;
    bool tool_messages;
    std::optional<std::int64_t> runs;

    bool is_newest() const {
        return session_id && k <= most_newest && around == 0 && !after && !before && !since &&
               !until && !roles && !keys && tool_messages && !runs;
    }
};

void check_has_session(const Question &question, bool is_given, const char *argument) {
    if (!question.session_id && is_given)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s needs a session_id", argument)
            .hint("Messages and runs are counted within their session; since and until are times.");
}

const pg::Given<std::span<const std::string_view>> &
checked_roles(const pg::Given<std::span<const std::string_view>> &given) {
    for (const std::string_view role : given.or_else({}))
        pg::Given<std::string_view>({"roles"}, role).one_of(roles);
    return given;
}

template <class Call>
Question read_question(const Call &call) {
    const auto session_id = call.text("session_id");
    const Question question{session_id ? std::optional(sessions::checked_name(session_id))
                                       : std::nullopt,
                            call.text("path").at_most(sessions::longest_name).or_else(""),
                            access::row_limit(call.bigint("k")),
                            call.bigint("around").between(0, access::most_rows).or_else(0),
                            call.bigint("after").between(0, INT64_MAX),
                            call.bigint("before").between(0, INT64_MAX),
                            call.instant("since"),
                            call.instant("until"),
                            checked_roles(call.texts("roles")),
                            call.texts("keys"),
                            call.boolean("tool_messages").or_else(true),
                            call.bigint("runs").between(1, access::most_rows)};
    check_has_session(question, question.after.has_value(), "after");
    check_has_session(question, question.before.has_value(), "before");
    check_has_session(question, question.runs.has_value(), "runs");
    return question;
}

void add_newest(access::Reading &reading, const Question &question) {
    const pg::Rows rows =
        find_newest.run(SnapshotOf::caller, {reading.tenant(), *question.session_id, question.path},
                        static_cast<long>(question.k));
    for (std::uint64_t n = rows.size(); n-- > 0;)
        reading.rows().add_row(rows, n, {});
}

using Texts = std::pmr::vector<std::string_view>;

// The ids of the last runs, where they are asked for.
std::optional<Texts> last_runs(const access::Reading &reading, const Question &question,
                               std::pmr::memory_resource *memory) {
    if (!question.runs)
        return std::nullopt;
    const pg::Rows rows = find_runs.run(SnapshotOf::caller, {reading.tenant(), *question.session_id,
                                                             question.path, *question.runs});
    Texts ids(memory);
    for (std::uint64_t n = 0; n < rows.size(); ++n)
        ids.push_back(pg::copied_text(rows.get<pg::Text>(n)));
    return ids;
}

void add_passing(access::Reading &reading, const Question &question) {
    pg::ContextResource memory(CurrentMemoryContext);
    pg::Values values{reading.tenant(), question.session_id, question.path,
                      question.k,       question.around,     question.after,
                      question.before,  question.since,      question.until,
                      question.roles,   question.keys,       question.tool_messages};
    if (question.session_id)
        values.add(last_runs(reading, question, &memory));
    reading.rows().add_from(question.session_id ? find_in_session : find_in_all, SnapshotOf::caller,
                            values);
}

} // namespace

MEMORY_CALL(memory_messages,
            "session_id text, k bigint, user_id text, after bigint, before bigint,"
            " since timestamptz, until timestamptz, runs bigint, roles text[], keys text[],"
            " around bigint, tool_messages boolean, path text") {
    const Question question = read_question(call);
    schema::require(schema::Need::to_read, sessions::room);
    access::Reading reading(call, room);
    if (question.is_newest())
        add_newest(reading, question);
    else
        add_passing(reading, question);
    return call.nothing();
}

} // namespace memory::conversations
