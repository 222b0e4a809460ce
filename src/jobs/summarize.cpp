// The task summarize: what a session was about.
#include "jobs/sql.h"
#include "jobs/summary_due.h"
#include "jobs/work.h"

#include "conversations/policy.h"
#include "conversations/summary.h"
#include "episodes/settings.h"
#include "models/tasks.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "pg/statement.h"

namespace memory::jobs {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(queue_if_due, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target)
    SELECT $1, $2, 'summarize', 'session', $3
    WHERE ($4::int8 - coalesce((SELECT u.upto FROM memory.summaries u
                          WHERE {tenant:u} AND u.session = $3), 0)) >= $5::int8
    ON CONFLICT (namespace, user_id, task, thing, target) DO NOTHING)"_sql);

// As set_summary() locks it.
MEMORY_STATEMENT(lock_session, R"(
    SELECT 1 FROM memory.sessions s WHERE {tenant:s} AND s.key = $3 FOR NO KEY UPDATE)"_sql);

MEMORY_STATEMENT(find_session, R"(
    SELECT s.agent_id, s.last_seq FROM memory.sessions s WHERE {tenant:s} AND s.key = $3)"_sql);

// The summary so far, and the messages since that have a text: up to number $4, and no more than a
// model has room for.
MEMORY_STATEMENT(find_messages, R"(
    SELECT jsonb_build_object('session_id', s.session_id, 'summary', u.summary,
            'topics', coalesce(u.topics, '{}'), 'messages', l.messages), l.upto
    FROM memory.sessions s
        LEFT JOIN memory.summaries u ON {tenant:u} AND u.session = s.key,
        LATERAL (
            SELECT jsonb_agg(jsonb_build_object('seq', n.seq, 'role', n.role,
                'content', pg_catalog.left(n.content, 4000), 'occurred_at', {utc:n.occurred_at})
                ORDER BY n.seq) AS messages, max(n.seq) AS upto
            FROM (
                SELECT m.seq, m.role, m.occurred_at, c.content
                FROM memory.messages m,
                    LATERAL (SELECT memory_internal.message_content(m.message) AS content) c
                WHERE {tenant:m} AND m.session = $3 AND m.path = '' AND m.seq > coalesce(u.upto, 0)
                    AND ($4::int8 IS NULL OR m.seq <= $4) AND c.content <> ''
                ORDER BY m.seq LIMIT 200) n) l
    WHERE {tenant:s} AND s.key = $3 AND l.messages IS NOT NULL)"_sql);

bool is_kept(const Job &job) {
    const pg::Rows rows = find_session.run(SnapshotOf::now, {job.tenant, job.target});
    if (rows.empty())
        return false;
    const auto found = rows.find<pg::Text>(0, 0);
    const auto agent = found ? std::optional(pg::copied_text(*found)) : std::nullopt;
    return conversations::policy_of(SnapshotOf::now, job.tenant, agent).save_summary;
}

std::optional<Payload> payload(const Job &job, const Model &) {
    if (!is_kept(job))
        return std::nullopt;
    const pg::Rows rows = find_messages.run(SnapshotOf::now, {job.tenant, job.target, job.upto});
    if (rows.empty())
        return std::nullopt;
    const auto [document, upto] = rows.get<pg::Json, pg::Int8>(0);
    return Payload{pg::copied(pg::Document{document}), upto};
}

void lock(const Job &job) { lock_session.run(SnapshotOf::now, {job.tenant, job.target}); }

std::string_view summary_in(const Answer &answer) {
    const pg::JsonValue value = member_of(answer, "summary");
    const std::optional<std::string_view> summary = value.string();
    if (!summary)
        throw_shape("summary", "a string", value.described());
    return pg::Given<std::string_view>({"result.summary"}, summary)
        .not_empty()
        .at_most(episodes::max_content(), "memory.max_content is the limit.")
        .required();
}

// Those of the answer, or those that were there.
std::pmr::vector<std::string_view> topics_in(const Answer &answer, const Payload &payload,
                                             std::pmr::memory_resource *memory) {
    auto topics = pg::json_root(answer.result->jsonb).member("topics");
    if (!topics || topics->is_null())
        topics = pg::json_root(payload.document.jsonb).member("topics");
    if (!topics->is_array())
        throw_shape("topics", "an array", topics->described());
    std::pmr::vector<std::string_view> texts(memory);
    pg::JsonWalk walk(*topics);
    while (const auto topic = walk.next_element()) {
        const std::optional<std::string_view> text = topic->string();
        if (!text)
            throw_shape("topics", "an array of strings", "one with something else");
        texts.push_back(pg::copied_text(*text));
    }
    return texts;
}

Dropped take(const Job &job, const Model &, const Payload &payload, const Answer &answer) {
    refuse_embedding(answer);
    const std::string_view summary = summary_in(answer);
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::vector<std::string_view> topics = topics_in(answer, payload, &memory);
    conversations::put_summary(job.tenant, {job.target, summary, *payload.upto, topics});
    const pg::Rows rows = find_session.run(SnapshotOf::now, {job.tenant, job.target});
    const std::int64_t last_seq = rows.get<pg::Int8>(0, 1);
    queue_summary(job.tenant, job.target, last_seq,
                  models::asked_for(job.tenant.name_space).messages_a_summary);
    return 0;
}

} // namespace

bool queue_summary(const access::Tenant &tenant, const pg_uuid_t &session, std::int64_t last_seq,
                   std::int64_t every) {
    return !queue_if_due.run(SnapshotOf::now, {tenant, session, last_seq, every}).empty();
}

constinit const Work summarizing{nullptr, payload, lock, take};

} // namespace memory::jobs
