// Tables and indexes in memory.status.
#pragma once

#include "status/report.h"

namespace memory::status {

// A line for each table of every room, and behind it one for each of its indexes. Returns whether
// all tables are as their descriptions say, so that statements about them can be run. Needs a live
// Spi, and acts by the rights of the caller.
bool add_relations(pg::ResultSet &rows);

} // namespace memory::status
