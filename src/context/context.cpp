// memory.context(): a question in, a section of a prompt out.
#include "access/call.h"
#include "context/session.h"
#include "conversations/tables.h"
#include "episodes/tables.h"
#include "facts/tables.h"
#include "models/comparison.h"
#include "pg/encoding.h"
#include "pg/memory.h"
#include "recall/request.h"
#include "sessions/tables.h"

namespace memory::context {

std::string_view prompt_for(const Question &question) {
    if (question.max_tokens == 0)
        return {};
    pg::ContextResource memory(CurrentMemoryContext);
    const Conversation said = conversation(question, &memory);
    const Memories episodes = recalled(question, said.episodes, &memory);
    const Memories facts = current_facts(question, &memory);
    const std::pmr::string prompt = prompt::packed({.pinned = {},
                                                    .recalled = episodes,
                                                    .summary = said.summary,
                                                    .facts = facts,
                                                    .messages = said.messages},
                                                   question.max_tokens, &memory);
    return pg::from_utf8(pg::copied_text(prompt));
}

void require_rooms() {
    schema::require(schema::Need::to_read, facts::room);
    schema::require(schema::Need::to_read, sessions::room);
    schema::require(schema::Need::to_read, conversations::room);
}

MEMORY_CALL(memory_context, "query text, max_tokens bigint, session_id text, user_id text,"
                            " embedding vector, half_life interval") {
    Question question;
    question.query = text::unless_blank(text::checked_query(call.text("query").optional()));
    question.max_tokens = call.bigint("max_tokens").between(0, INT64_MAX);
    question.embedding = models::checked_embedding(call.vector("embedding"));
    question.half_life = recall::length_of(call.interval("half_life"));
    const auto session = call.text("session_id");
    if (session)
        sessions::checked_name(session);
    require_rooms();
    access::Reading reading(call, episodes::room);
    question.tenant = reading.tenant();
    if (session)
        ask_about(question, session.required(), std::nullopt);
    return call.result(prompt_for(question));
}

} // namespace memory::context
