// Sessions for other rooms: the row that stands for a session, made where it is missing, and the
// lock that every write into a session takes first.
#pragma once

#include "access/scope.h"

#include "pg/arrays.h"
#include "pg/given.h"
#include "pg/spi.h"

#include <vector>

namespace memory::sessions {

using access::longest_name;

// Those that a call is about; nothing: it is about all.
using Names = std::optional<std::span<const std::string_view>>;

// What rows of other tables know a session by.
struct Found {
    pg_uuid_t key;
    pg_uuid_t store; // whose bytes its checkpoints are in: its own key, or the original's of a fork
};

// The same with the row locked until the transaction ends.
struct Locked : Found {
    std::int64_t last_seq; // of path '', with the numbers that were taken
};

// A name, where one is given: an error when it is empty, or has more than longest_name bytes.
std::optional<std::string_view> name_if_given(const pg::Given<std::string_view> &given);

// The same of a name that must be given.
std::string_view checked_name(const pg::Given<std::string_view> &given);

// The session of a call that writes: the argument, or the setting memory.session_id. An error where
// there is neither.
std::string_view written_session(const pg::Given<std::string_view> &session);

// Makes the session where it is missing, notes that it is written now, and locks it. What its last
// writer has committed is seen by the next statement, not by this one: so lock first, and act in
// statements of their own with SnapshotOf::now. Above READ COMMITTED a writer that has had to wait
// for another's commit gets 40001. Several sessions are locked in the order of their names, or two
// transactions may wait for each other. `agent` is kept where the session has none. With `numbers`
// the next ones of path '' are taken for so many messages, in the same statement. Needs a live Spi.
Locked lock(const access::Tenant &tenant, std::string_view session,
            std::optional<std::string_view> agent, std::int64_t numbers = 0);

// Locks the session of this name as it is, if there is one; the caller may delete it. Needs a live
// Spi.
std::optional<Locked> lock_existing(const access::Tenant &tenant, std::string_view session);

// The same of several, in the order of their names; to write into them, not to delete them.
std::pmr::vector<Locked> lock_existing(const access::Tenant &tenant, const Names &names,
                                       std::pmr::memory_resource *memory);

// The same to delete them, or what they have.
std::pmr::vector<Locked> lock_to_delete(const access::Tenant &tenant, const Names &names,
                                        std::pmr::memory_resource *memory);

// The same of those that have messages of these ids, in the order of their names.
std::pmr::vector<Locked> lock_sessions_of(const access::Tenant &tenant,
                                          std::span<const pg_uuid_t> ids,
                                          std::pmr::memory_resource *memory);

// Raises the version of a session that something was dropped from, so that a program that keeps a
// copy knows. It is no write into the session: updated_at stays. Needs a live Spi and its lock.
void note_drop(const access::Tenant &tenant, const Found &session);

// The session of this name, if there is one; for reading. Needs a live Spi.
std::optional<Found> find(pg::SnapshotOf snapshot, const access::Tenant &tenant,
                          std::string_view session);

} // namespace memory::sessions
