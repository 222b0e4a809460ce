// Sessions for other rooms: the row that stands for a session, made where it is missing, and the
// lock that all who write into a session take first.
#pragma once

#include "access/scope.h"

#include "pg/given.h"
#include "pg/spi.h"

namespace memory::sessions {

// The longest name that a caller may make up, in bytes: of a session, a path, a checkpoint, a part.
inline constexpr std::size_t longest_name = 1024;

// What rows of other tables know a session by.
struct Found {
    pg_uuid_t key;
    pg_uuid_t store; // whose bytes its checkpoints are in: its own key, or the original's of a fork
};

// The same with the row locked until the transaction ends.
struct Locked : Found {};

// A name that is given, is not empty, and has at most longest_name bytes; an error otherwise.
std::string_view checked_name(const pg::Given<std::string_view> &given);

// The session of a call that writes: the argument, or the setting memory.session_id. An error where
// there is neither.
std::string_view written_session(const pg::Given<std::string_view> &session);

// Makes the session where it is missing, notes that it is written now, and locks it. What its last
// writer has committed is seen by the next statement, not by this one: so lock first, and act in
// statements of their own with SnapshotOf::now. Above READ COMMITTED a writer that has had to wait
// for another's commit gets 40001. Several sessions are locked in the order of their names, or two
// transactions may wait for each other. `agent` is kept where the session has none. Needs a live
// Spi.
Locked lock(const access::Tenant &tenant, std::string_view session,
            std::optional<std::string_view> agent);

// The session of this name, if there is one; for reading. Needs a live Spi.
std::optional<Found> find(pg::SnapshotOf snapshot, const access::Tenant &tenant,
                          std::string_view session);

} // namespace memory::sessions
