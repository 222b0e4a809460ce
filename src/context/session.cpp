// Reads a session's summary and its newest messages.
#include "context/session.h"

#include "context/sql.h"
#include "conversations/log.h"
#include "pg/encoding.h"
#include "pg/statement.h"
#include "rank/arm.h"

namespace memory::context {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(find_session, R"(
    SELECT {found:s}, s.agent_id FROM memory.sessions s WHERE {named:s})"_sql);

MEMORY_STATEMENT(find_summary, R"(
    SELECT u.summary FROM memory.summaries u WHERE {tenant:u} AND u.session = $3)"_sql);

// Of these episodes those that memory.get knows.
MEMORY_STATEMENT(find_live, R"(
    SELECT e.id, e.id::text FROM memory.episodes e
    WHERE {tenant:e} AND e.id = ANY ($3) AND {not_expired:e})"_sql,
                 pg::Statement::once);

using Names = rank::Positions<rank::RowId>;

// What is said in the conversation: calls of tools and instructions of programs are not.
bool is_shown(const conversations::Logged &message) {
    return message.content && prompt::speaker_of(message.role) != prompt::Speaker::unknown;
}

void add_messages(Conversation &to, const Question &question, const sessions::Found &session,
                  std::pmr::memory_resource *memory) {
    const std::pmr::vector<conversations::Logged> newest = conversations::newest_messages(
        SnapshotOf::caller, question.tenant, session, considered(question), memory);
    for (const conversations::Logged &message : newest)
        if (is_shown(message))
            to.episodes.push_back(message.id);
    if (to.episodes.empty())
        return;
    const pg::Rows rows = find_live.run(SnapshotOf::caller,
                                        {question.tenant, std::span<const pg_uuid_t>(to.episodes)});
    Names names(memory);
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        names.put(std::to_array(rows.get<pg::Uuid>(row, 0).data), row);
    for (std::size_t n = newest.size(); n-- > 0;) {
        const conversations::Logged &message = newest[n];
        if (!is_shown(message))
            continue;
        if (const auto row = names.find(std::to_array(message.id.data)))
            to.messages.push_back({.id = pg::copied_text(rows.get<pg::Text>(*row, 1)),
                                   .kind = "",
                                   .text = pg::to_utf8(*message.content),
                                   .speaker = prompt::speaker_of(message.role)});
    }
}

void add_summary(Conversation &to, const Question &question, const Session &session) {
    const pg::Rows rows =
        find_summary.run(SnapshotOf::caller, {question.tenant, session.found->key});
    if (!rows.empty())
        to.summary.push_back({.id = pg::to_utf8(session.name),
                              .kind = "summary",
                              .text = pg::to_utf8(pg::copied_text(rows.get<pg::Text>(0)))});
}

Session session_named(const access::Tenant &tenant, std::string_view name) {
    const pg::Rows rows = find_session.run(SnapshotOf::caller, {tenant, name});
    if (rows.empty())
        return {name, std::nullopt, std::nullopt};
    const auto [key, store, agent] = rows.get<pg::Uuid, pg::Uuid, std::optional<pg::Text>>(0);
    return {name, sessions::Found{key, store},
            agent ? std::optional(pg::copied_text(*agent)) : std::nullopt};
}

} // namespace

conversations::Policy ask_about(Question &question, std::string_view session,
                                std::optional<std::string_view> agent) {
    question.session = session_named(question.tenant, session);
    conversations::Policy policy = conversations::policy_of(
        SnapshotOf::caller, question.tenant, agent ? agent : question.session->agent);
    question.summary = policy.load_summary;
    question.history = policy.load_history;
    return policy;
}

Conversation conversation(const Question &question, std::pmr::memory_resource *memory) {
    Conversation found(memory);
    if (!question.session || !question.session->found)
        return found;
    if (question.summary)
        add_summary(found, question, *question.session);
    if (question.history)
        add_messages(found, question, *question.session->found, memory);
    return found;
}

} // namespace memory::context
