// What of a message is recalled, for functions that keep messages (sessions/shapes has the rules).
#pragma once

#include "pg/json.h"

namespace memory::sessions {

struct MessageText {
    std::string_view role; // user, assistant, system, tool or other
    std::optional<std::string_view> content;
};

// Any JSON value will do. The content is in the current memory context.
MessageText message_text(const pg::JsonValue &message);

// The value that stands under `name` with a message, of a wrapper before what is wrapped in it:
// its occurred_at, its key. Nothing where it is missing or null. A string can be read, of another
// value only what it is (`described()`).
std::optional<pg::JsonValue> noted(const pg::JsonValue &message, std::string_view name);

} // namespace memory::sessions
