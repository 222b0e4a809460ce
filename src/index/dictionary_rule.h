// Which dictionary a query that is compared with a text means, when it does not say: that of the
// recall index of the text's column. So `@@@` matches the same rows whether a plan uses the index
// or not.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "nodes/pathnodes.h"
}

namespace memory::index {

// Whether the queries that a path looks up in its index mean the dictionary of another one.
bool means_other_dictionary(const IndexPath *path);

} // namespace memory::index
