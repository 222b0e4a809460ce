// memory.context(): a question in, a section of a prompt out.
#include "access/call.h"
#include "blocks/tables.h"
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

namespace {

pg::Error over_budget(const prompt::PinnedTooLong &pinned, const prompt::Memory &largest,
                      std::int64_t max_tokens) {
    const pg::Quoted name(pg::from_utf8(largest.id));
    return pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                     "pinned blocks take %zu tokens, and max_tokens is %lld", pinned.tokens,
                     static_cast<long long>(max_tokens))
        .detail("The largest is block \"%.*s\", with %zu tokens.", name.length, name.text,
                pinned.largest_tokens)
        .hint("Shorten it, or take it out of prompts: memory.set_block with pinned => false.");
}

// Without a budget nothing is too long.
std::pmr::string packed(const prompt::Contents &contents, const Question &question,
                        std::pmr::memory_resource *memory) {
    try {
        return prompt::packed(contents, question.max_tokens, memory);
    } catch (const prompt::PinnedTooLong &pinned) {
        throw over_budget(pinned, contents.pinned[pinned.largest], question.max_tokens.value_or(0));
    }
}

} // namespace

std::string_view prompt_for(const Question &question) {
    pg::ContextResource memory(CurrentMemoryContext);
    const Memories blocks = pinned(question, &memory);
    if (question.max_tokens == 0 && blocks.empty())
        return {};
    const Conversation said = conversation(question, &memory);
    const Memories episodes = recalled(question, said.episodes, &memory);
    const Memories facts = current_facts(question, &memory);
    const std::pmr::string prompt = packed({.pinned = blocks,
                                            .recalled = episodes,
                                            .summary = said.summary,
                                            .facts = facts,
                                            .messages = said.messages},
                                           question, &memory);
    return pg::from_utf8(pg::copied_text(prompt));
}

void require_rooms() {
    schema::require(schema::Need::to_read, facts::room);
    schema::require(schema::Need::to_read, sessions::room);
    schema::require(schema::Need::to_read, conversations::room);
    schema::require(schema::Need::to_read, blocks::room);
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
