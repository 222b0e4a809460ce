// Taking checkpoints away, and then what nothing needs any more.
#pragma once

#include "checkpoints/store.h"
#include "sessions/sessions.h"

namespace memory::checkpoints {

// Of this path all but the newest `keep`. Needs a live Spi and the store's lock, as does what
// follows.
void keep_newest(const Store &store, const Path &path, std::int64_t keep,
                 std::pmr::memory_resource *memory);

// Of these sessions, which are locked in the order of their names, all that were written before
// this time. Locks their stores. Needs a live Spi.
void prune_before(const access::Tenant &tenant, std::span<const sessions::Locked> locked,
                  pg::Instant before, std::pmr::memory_resource *memory);
// The same of all but the newest `keep` of each path.
void prune_to(const access::Tenant &tenant, std::span<const sessions::Locked> locked,
              std::int64_t keep, std::pmr::memory_resource *memory);

// The bytes of the store from number `from` on that no checkpoint and no part of any of its
// sessions needs. A version that was written against one of them is written anew, against the
// nearest one below that stays, or as a keyframe.
void drop_unneeded(const Store &store, std::int64_t from, std::pmr::memory_resource *memory);

} // namespace memory::checkpoints
