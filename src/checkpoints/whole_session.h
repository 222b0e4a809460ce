// Checkpoints of a session that is forked, or loses a path. (With the row of a session they go by a
// trigger.) Both need a live Spi and the lock of the session, and lock its store.
#pragma once

#include "sessions/sessions.h"

namespace memory::checkpoints {

// Copies the checkpoints of all paths, with their parts and writes, to a fork, which has the
// original's store: those that were first written up to checkpoint `upto` of path ''. An error when
// there is no such checkpoint.
void copy_to_fork(const access::Tenant &tenant, const sessions::Found &original,
                  const pg_uuid_t &fork, const std::optional<std::string_view> &upto);

// Locks all stores of the user, in the order that writers take, before all of its sessions go.
void lock_stores(const access::Tenant &tenant);

// Drops those of one path; false when there is nothing.
bool drop_path(const access::Tenant &tenant, const sessions::Found &session, std::string_view path);

} // namespace memory::checkpoints
