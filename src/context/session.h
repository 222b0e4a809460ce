// What a session adds to a prompt.
#pragma once

#include "context/sources.h"
#include "conversations/policy.h"

namespace memory::context {

// The question is about this session, as far as the policy of the agent allows; without an agent,
// that of the session's own. Returns that policy. Needs a live Spi, as all that follows.
conversations::Policy ask_about(Question &question, std::string_view session,
                                std::optional<std::string_view> agent);

struct Conversation {
    explicit Conversation(std::pmr::memory_resource *memory)
        : summary(memory), messages(memory), episodes(memory) {}

    Memories summary;
    Memories messages;                    // newest first
    std::pmr::vector<pg_uuid_t> episodes; // that are left to the messages
};

// What the question asks for of its session.
Conversation conversation(const Question &question, std::pmr::memory_resource *memory);

} // namespace memory::context
