// What a message of an agent framework says, and whose it is: OpenAI chat and Responses, Anthropic,
// LangChain, Vercel's UIMessage, ADK, pydantic-ai, agno, and lines of a Claude Code transcript. The
// table of shapes is in docs/conversations.md, "What of a message is recalled".
#pragma once

#include "json/json.h"

namespace memory::sessions::shapes {

enum class Role : std::uint8_t { user, assistant, system, tool, other };

// "user", "assistant", …
std::string_view name_of(Role role) noexcept;

struct Message {
    Role role = Role::other;
    // Its text parts, each on lines of its own; nothing where all are blank, and nothing of a tool
    // or of what has no known shape.
    std::optional<std::pmr::string> text;

    // Of what a user and an assistant say. Views `text`.
    std::optional<std::string_view> recalled() const noexcept;
};

// Any JSON value will do. Looks a fixed number of levels into it, however deep it is.
Message read(const json::Value &message, json::Reader &reader, std::pmr::memory_resource *memory);

// The value under `name`, of a wrapper before what is wrapped in it: what is noted of the message,
// like its occurred_at and its key. Nothing where it is missing or null.
std::optional<json::Value> noted(const json::Value &message, std::string_view name,
                                 json::Reader &reader);

} // namespace memory::sessions::shapes
