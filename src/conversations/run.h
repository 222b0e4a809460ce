// What functions about runs have in common.
#pragma once

#include "sessions/sessions.h"

namespace memory::conversations {

inline constexpr std::string_view running = "running";
inline constexpr std::string_view completed = "completed";

// A status that there is; nothing where none is given.
pg::Given<std::string_view> checked_status(const pg::Given<std::string_view> &status);

// A list of them, not empty. `argument` is its name; a literal.
sessions::Names checked_statuses(const char *argument, const sessions::Names &statuses);

} // namespace memory::conversations
