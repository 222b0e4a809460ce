// Our tables and their indexes, by their names; and whether the caller may read one whole.
#pragma once

#include "pg/backend.h"

namespace memory::access {

// Errors when it is missing; that of an index says what to run.
Oid table_named(const char *name);
Oid index_named(const char *name);
AttrNumber column(Relation table, const char *name);
Oid primary_key(Relation table);

// Whether the caller may read every row of every user: has the right to, and no policy applies.
bool readable_whole(Oid table);

} // namespace memory::access
