// The log of a session as a whole: copied to a fork, deleted. Both need a live Spi and the lock of
// the session.
#pragma once

#include "sessions/sessions.h"

namespace memory::conversations {

// Copies the messages of path '' up to a number, with ids and episodes of their own, to a session
// that has none. They belong to no run there.
void copy_log(const access::Tenant &tenant, const sessions::Locked &original, const pg_uuid_t &fork,
              std::string_view fork_name, std::int64_t upto);

// Deletes all messages of a session with what remembers its calls, and all its episodes, those that
// are in no log included.
void delete_log(const access::Tenant &tenant, const sessions::Found &session,
                std::string_view session_id);

// The same of one path. False when there was nothing.
bool delete_path(const access::Tenant &tenant, const sessions::Found &session,
                 std::string_view path);

} // namespace memory::conversations
