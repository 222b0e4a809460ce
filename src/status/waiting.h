// What waits, in memory.status: expired things for a sweep, jobs for a worker, failed ones for a
// decision.
#pragma once

#include "status/report.h"

namespace memory::status {

// Where all tables are as their descriptions say. Need a live Spi, and act by the rights of the
// caller.
void add_expired(pg::ResultSet &rows);
void add_jobs(pg::ResultSet &rows);

} // namespace memory::status
