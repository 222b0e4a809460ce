// Which documents a snapshot sees.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "storage/itemptr.h"
#include "utils/snapshot.h"
}

namespace memory::index {

// What the heap says of one document.
enum class Seen : std::uint8_t {
    yes,
    no,   // not by this snapshot
    never // by no snapshot any more: the index may forget it
};

struct Looked {
    ItemPointerData tid;
    Seen seen;
};

// Whether the visibility map may answer for the heap. It may when VACUUM has not taken the
// documents from the index meanwhile: of a row that is gone, the map would say that it is visible.
enum class Trust : std::uint8_t { map_and_heap, heap };

// Fills in `seen` for documents in the order of their tids. Heap pages that the visibility map
// answers for are not read; each of the others is pinned once.
void look_up(Relation heap, Snapshot snapshot, Trust trust, std::span<Looked> documents);

// The visibility map, asked about ranges of a table's pages. Keeps a page of the map pinned.
class VisibilityMap {
  public:
    explicit VisibilityMap(Relation heap) : heap_(heap) {}
    ~VisibilityMap();
    VisibilityMap(const VisibilityMap &) = delete;
    VisibilityMap &operator=(const VisibilityMap &) = delete;

    // Whether all rows of the pages from `first` to `last` are visible to all. Never wrongly true,
    // under the same condition as Trust.
    bool all_visible(BlockNumber first, BlockNumber last);

  private:
    Relation heap_;
    Buffer page_ = InvalidBuffer;
};

} // namespace memory::index
