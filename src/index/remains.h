// What an index still has of rows that VACUUM has taken from it. It cannot be read, but it is in
// the file.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "storage/block.h"
#include "storage/bufpage.h"
#include "utils/relcache.h"
}

namespace memory::index {

// Whether there are tenants without a document, segments with dead documents, or retired pages:
// only REINDEX is sure to end those. Takes share locks, a page at a time.
bool has_remains(Relation index);

// Whether nothing on a page of the index is in use.
bool is_free_page(Page page, BlockNumber block);

} // namespace memory::index
