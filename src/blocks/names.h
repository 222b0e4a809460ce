// Names of blocks: what a call may say, and the locks that keep the names of a user apart.
#pragma once

#include "access/scope.h"
#include "blocks/editing/path.h"
#include "pg/given.h"

namespace memory::blocks {

// A name that must be given: an error when it is too long, or no path.
std::string_view checked_name(const pg::Given<std::string_view> &given);

// The names below a directory are those from `from` on that are less than `to`, in bytes. In the
// current memory context.
struct Below {
    explicit Below(std::string_view directory);

    std::string_view from;
    std::string_view to;
};

// Until the transaction ends no other call makes, changes, renames or deletes a block of one of
// these names, nor one below or above it. What others have committed is seen by the next statement
// with SnapshotOf::now; above READ COMMITTED a caller that has had to wait for that gets 40001.
// Comes before every other lock of a call. Needs a live Spi.
void lock_names(const access::Tenant &tenant, std::initializer_list<std::string_view> names);

// The same for which blocks are pinned, and in which order. Comes behind lock_names, and before the
// rows of blocks.
void lock_places(const access::Tenant &tenant);

// An error unless a block of this name can be made: no other one has it, or lies above or below it.
// Needs the lock of the name.
void check_free(const access::Tenant &tenant, std::string_view name);

// Behind the last one that is pinned. Needs the lock of places.
std::int64_t next_place(const access::Tenant &tenant);

} // namespace memory::blocks
