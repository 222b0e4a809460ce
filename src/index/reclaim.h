// Pages that have been lost: to a segment that was never published, because the server or the
// statement ended before, or free without anybody's knowing, because the free space map is not in
// the WAL.
#pragma once

#include "index/page.h"

namespace memory::index {

struct Reclaimed {
    BlockNumber free = 0;  // pages, in all
    BlockNumber newly = 0; // of those, the ones that were a lost segment's
};

// Reads all pages in their order and frees what belongs to nobody. Who fills pages of a segment
// holds its tenant's lock until the segment is published, so what no run of the tenant has while
// that lock is ours is lost.
Reclaimed reclaim(Relation index, BufferAccessStrategy strategy);

} // namespace memory::index
