// Rows that were there before their model: they are looked through, a thousand at a time.
#pragma once

#include "jobs/work.h"

namespace memory::jobs {

// Queues a look through all episodes, facts and items of every user of the namespace. Writers must
// be locked out, so that each of their rows is either there already or queues its job by itself.
void queue_fill(std::string_view name_space);

// Whether a job is such a look.
bool is_to_fill(const Job &job);

// Goes on with it, until there are rows that have no vector by the model: queues jobs of these.
// False where there is none.
bool fill(const Job &job, const Model &model);

} // namespace memory::jobs
