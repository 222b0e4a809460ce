// More pages at the end of a relation, for callers that can go on without them: want of room is an
// answer, not an error.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "storage/block.h"
}

namespace memory::pg {

struct Extended {
    BlockNumber block; // a page of zeros, neither pinned nor locked
    int error;         // or else why there is none: ENOSPC, EDQUOT, or EFBIG for a limit on sizes
};

// Adds a page to a relation. May be called while pages are locked.
Extended extend(Relation relation);

// Makes a fork beside the main one at least so many pages long, the new ones zeros; false if there
// is no room.
bool extend_fork(Relation relation, ForkNumber fork, BlockNumber pages);

} // namespace memory::pg
