// memory.load_session(): what an agent needs to go on with a session.
#include "access/call.h"
#include "context/session.h"
#include "context/sql.h"
#include "episodes/tables.h"
#include "pg/statement.h"

namespace memory::context {

namespace {

// $3 the session, $4 the user as an argument, $5 the agent or '', $6 whether messages are loaded,
// $7 of how many runs, $8 with those of tools, $9 whether the summary is, $10 the profile, $11 the
// prompt. What has expired is left out. An agent that has no profile of its own gets the user's.
MEMORY_STATEMENT(load, R"(
    SELECT jsonb_build_object(
        'messages', coalesce((SELECT jsonb_agg(m.message ORDER BY m.seq)
            FROM memory.messages(session_id => $3, user_id => $4, runs => $7, tool_messages => $8,
                k => CASE WHEN $7::bigint IS NULL THEN 20 END) m
            WHERE $6 AND NOT EXISTS (SELECT FROM memory.episodes e
                WHERE {tenant:e} AND e.id = m.id AND NOT {not_expired:e})), '[]'::jsonb),
        'summary', (SELECT u.summary FROM memory.summaries u WHERE {tenant:u} AND $9
            AND u.session = (SELECT s.key FROM memory.sessions s WHERE {named:s})),
        'profile', (SELECT p.traits FROM memory.profiles p
            WHERE {tenant:p} AND p.agent_id = ANY (ARRAY[$5, '']) AND $10
            ORDER BY p.agent_id DESC LIMIT 1),
        'metadata', (SELECT s.metadata FROM memory.sessions s WHERE {named:s}),
        'prompt', $11::text))"_sql);

} // namespace

MEMORY_CALL(memory_load_session, "session_id text, user_id text, agent_id text") {
    Question question;
    const std::string_view session = sessions::checked_name(call.text("session_id"));
    const std::optional<std::string_view> agent = call.text("agent_id").at_most(access::longest_id);
    question.max_tokens = usual_tokens;
    require_rooms();
    access::Reading reading(call, episodes::room);
    question.tenant = reading.tenant();
    const conversations::Policy policy = ask_about(question, session, agent);
    const std::string_view prompt = prompt_for(question);
    const std::string_view user = question.tenant.user;
    const pg::Rows rows = load.run(
        pg::SnapshotOf::caller,
        {question.tenant, session, user.empty() ? std::nullopt : std::optional(user),
         agent.value_or(question.session->agent.value_or("")), policy.load_history,
         policy.last_runs, policy.tool_messages, policy.load_summary, policy.load_profile, prompt});
    return call.result(pg::Document{rows.get<pg::Json>(0)});
}

} // namespace memory::context
