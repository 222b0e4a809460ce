// Pages that have been lost: to a segment that was never published, because the server or the
// statement ended before, or free and not in the free space map, because that map is not in the
// WAL.
#pragma once

#include "index/page.h"

namespace memory::index {

struct Reclaimed {
    BlockNumber free = 0;  // pages, in all
    BlockNumber newly = 0; // of those, the ones that were a lost segment's
};

// Reads all pages in their order and frees those without an owner. Pages of a segment are filled
// under its tenant's lock, which is held until the segment is published. So a page that no run of
// the tenant has, while this backend holds that lock, is lost.
Reclaimed reclaim(Relation index, BufferAccessStrategy strategy);

} // namespace memory::index
