// Large merges in a process of their own: a background worker that ends when nothing is due.
//
// It is a help, and nothing depends on it: what it would merge, INSERTs merge when the segments
// have become many all the same (segment/merge_policy.h), or VACUUM.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "storage/block.h"
#include "utils/relcache.h"
}

namespace memory::index {

// Whether another process can open the index as it is here: not if it is temporary, or made or
// written anew by this transaction.
bool can_merge_apart(Relation index);

// Asks the postmaster for a process that merges segments of the tenant, if this backend's last one
// has ended. Does not wait; where there is no slot for a background worker, nothing happens.
void start_merging_apart(Relation index, BlockNumber root);

} // namespace memory::index
