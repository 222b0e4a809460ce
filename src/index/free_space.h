// The free space map of an index: the pages that are not in use. It is not in the WAL, and it is no
// more than a hint; the pages themselves say that they are free.
#pragma once

#include "index/page.h"

namespace memory::index {

// Makes the map long enough for a page that the index is to get, while there is room for that: on a
// full disk freed pages would be of no use. For every page, though only the first of each 4,069
// does anything.
void prepare_map(Relation index, BlockNumber block);

// Makes a locked page a free one, in the record that `write` is.
void mark_free(PageWrite &write, const LockedPage &page);

// Tells the map of a free page, which searches of it find after IndexFreeSpaceMapVacuum(). It does
// nothing when the map is too short for that and cannot grow: the next VACUUM tells it again. The
// page is not to be locked.
void note_free(Relation index, BlockNumber block);

// The same, found at once.
void offer(Relation index, BlockNumber block);

} // namespace memory::index
