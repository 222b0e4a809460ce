// Taking checkpoints away, and then what nothing needs any more.
#pragma once

#include "checkpoints/store.h"

namespace memory::checkpoints {

// Of this path all but the newest `keep`. Needs a live Spi and the store's lock, as does what
// follows.
void keep_newest(const Store &store, const Path &path, std::int64_t keep,
                 std::pmr::memory_resource *memory);

// The bytes of the store from number `from` on that no checkpoint and no part of any of its
// sessions needs. A version that was written against one of them is written anew, against the
// nearest one below that stays, or as a keyframe.
void drop_unneeded(const Store &store, std::int64_t from, std::pmr::memory_resource *memory);

} // namespace memory::checkpoints
