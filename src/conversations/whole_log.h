// The log of a session that is forked, or loses a path. (With the row of a session it goes by a
// trigger.) Both need a live Spi and the lock of the session.
#pragma once

#include "sessions/sessions.h"

namespace memory::conversations {

// Copies the messages of path '' up to a number, with ids and episodes of their own, to a session
// that has none. They belong to no run there.
void copy_log(const access::Tenant &tenant, const sessions::Locked &original, const pg_uuid_t &fork,
              std::string_view fork_name, std::int64_t upto);

// Drops the messages of one path with their episodes, and forgets its numbers. False when there is
// nothing.
bool drop_path(const access::Tenant &tenant, const sessions::Found &session, std::string_view path);

} // namespace memory::conversations
