// Pages as they would be if only what is in use had ever been written to them.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "utils/relcache.h"
}

namespace memory::lifecycle {

// Whose pages: it says what on a page is in use.
enum class Pages {
    heap,     // rows, by their line pointers
    recall,   // what is outside of the hole, unless the page is free
    standard, // what is outside of the hole
};

struct Blanked {
    std::int64_t pages = 0;     // written
    std::int64_t dead_rows = 0; // of a heap, found on its pages, and left there
};

// Zeroes what is not in use on all pages that a relation has. Each page is locked exclusively for
// as long as it takes to copy it, and changed by a WAL record of its own.
Blanked blank(Relation relation, Pages pages);

} // namespace memory::lifecycle
