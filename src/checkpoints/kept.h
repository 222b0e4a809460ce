// What this backend wrote last, for the next put: an agent's steps mostly come one after the other
// on one connection, and each is written against the one before it.
#pragma once

#include "checkpoints/delta/chain.h"
#include "checkpoints/store.h"

namespace memory::checkpoints {

// Keeps the bytes of a version that was written, in the place of `base`. At most four are kept,
// none of them longer than 2 MB.
void keep_version(const Store &store, std::int64_t number, const delta::Check &check,
                  pg::Bytes bytes, std::optional<std::int64_t> base) noexcept;

// They, if they are kept. `check` is what the version's row says: the transaction that wrote what
// is kept may have been rolled back, and the number given again. Until the next keep_version().
std::optional<pg::Bytes> kept_version(const Store &store, std::int64_t number,
                                      const delta::Check &check) noexcept;

} // namespace memory::checkpoints
