// How many jobs are done.
#pragma once

#include "jobs/rules/task.h"
#include "jobs/work.h"

namespace memory::jobs {

// Counts one, and what was left out of its answer. Backends count in rows of their own, so that
// they do not wait for each other. Needs a live Spi.
void count_done(std::string_view name_space, Task task, Dropped dropped);

} // namespace memory::jobs
