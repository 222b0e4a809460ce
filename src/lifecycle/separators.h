// What the separators of a B-tree still say.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "utils/relcache.h"
}

namespace memory::lifecycle {

// Whether an index has a key column that can hold what users say: one without a fixed length. Ids,
// times and numbers are no words.
bool has_words(Relation index);

// Whether a separator of a B-tree has words that no entry has any more: it was a row's key when its
// page was split, and stays when the row goes. Takes share locks, a page at a time.
bool has_old_separators(Relation index);

} // namespace memory::lifecycle
