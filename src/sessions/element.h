// One element of the argument `messages`: what the log knows of it beside the JSON itself.
#pragma once

#include "sessions/message_text.h"

namespace memory::sessions {

// Views live as long as the jsonb, or in the memory context that was current when it was read.
struct Element : MessageText {
    std::optional<std::string_view> key;    // a wrapper's
    std::optional<pg::Instant> occurred_at; // a wrapper's

    // Whether an episode stands beside it.
    bool recallable() const noexcept { return content && !content->empty(); }
};

// An element with an object under "message" is a wrapper: role, content, key and occurred_at beside
// it win over what the message itself says. An error, with the place "messages[n]", when it is no
// object, or key or occurred_at are not as they must be.
Element read_element(std::size_t n, const pg::JsonValue &element);

// The message of a wrapper; nothing where the element is none.
std::optional<pg::JsonValue> wrapped_in(const pg::JsonValue &element);

// The value under a name in an object; nothing where it is missing or null.
std::optional<pg::JsonValue> member(const pg::JsonValue &object, std::string_view name);

// One of the five roles that a word means.
std::string_view role_of(std::string_view word);

} // namespace memory::sessions
