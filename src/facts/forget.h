// Facts that are deleted, not only no longer believed: with their sources, and with what only they
// had, which are lines and vectors. Needs a live Spi.
#pragma once

#include "access/scope.h"
#include "pg/arrays.h"

#include <vector>

namespace memory::facts {

// How many rows of which table went.
struct Erased {
    std::int64_t facts;
    std::int64_t sources;
    std::int64_t vectors;
    std::int64_t lines;
};

struct ErasedRejections {
    std::int64_t rejections;
    std::int64_t lines;
};

using Ids = std::pmr::vector<pg_uuid_t>;

// Lock lines as writers do, in the same order: all of the user, those that have versions which come
// from one of these episodes, and those of these versions.
void lock_all_lines(const access::Tenant &tenant);
void lock_lines_from(const access::Tenant &tenant, std::span<const pg_uuid_t> episodes);
void lock_lines_of(const access::Tenant &tenant, std::span<const pg_uuid_t> versions);

// The versions that come from some of these episodes, and from no other.
Ids derived_from(const access::Tenant &tenant, std::span<const pg_uuid_t> episodes,
                 std::pmr::memory_resource *memory);
// All versions that say what this one says, of whatever time; none if there is no such version, or
// if it was known only at `before` or later.
Ids saying_the_same(const access::Tenant &tenant, const pg_uuid_t &version,
                    const std::optional<pg::Instant> &before, std::pmr::memory_resource *memory);
// Those that have been known since before this time.
Ids known_before(const access::Tenant &tenant, pg::Instant before,
                 std::pmr::memory_resource *memory);

// Deletes versions whose lines are locked. A line stays while something on it was rejected.
Erased erase(const access::Tenant &tenant, std::span<const pg_uuid_t> versions);

// Deletes what was rejected before this time, with lines that have nothing else, while all lines
// are locked.
ErasedRejections erase_rejections(const access::Tenant &tenant, pg::Instant before);

} // namespace memory::facts
