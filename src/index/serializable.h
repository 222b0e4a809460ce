// What serializable transactions have read of an index: tenants as a whole. Predicate locks are on
// pages by their numbers, and a tenant has none that stays its own, so its number is a hash of its
// key.
#pragma once

#include "index/directory.h"
#include "pg/call.h"

extern "C" {
#include "common/hashfn.h"
#include "storage/predicate.h"
}

namespace memory::index {

inline BlockNumber predicate_page(Key key) noexcept {
    const auto *bytes = reinterpret_cast<const unsigned char *>(key.data());
    return hash_bytes(bytes, static_cast<int>(key.size())) & MaxBlockNumber >> 1;
}

// For every search of a tenant, before it reads.
inline void note_search(Relation index, Key key, Snapshot snapshot) {
    pg::call([=] { PredicateLockPage(index, predicate_page(key), snapshot); });
}

// For every row that is added to a tenant, before it is.
inline void check_for_searches(Relation index, Key key) {
    pg::call([=] { CheckForSerializableConflictIn(index, nullptr, predicate_page(key)); });
}

} // namespace memory::index
