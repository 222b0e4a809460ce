// What frameworks call a role, and the items that stand for a role without naming it.
#pragma once

#include "sessions/shapes/message.h"

namespace memory::sessions::shapes {

// Nothing for a word that is not known. Compared byte by byte.
std::optional<Role> role_of(std::string_view word) noexcept;

// Of an item of OpenAI's Responses that has a type and no role; it has no text. Nothing for what
// is no such item.
std::optional<Role> role_of_item(std::string_view type) noexcept;

} // namespace memory::sessions::shapes
