// The right to do jobs, and what one who has it acts as.
#pragma once

#include "pg/handles.h"

namespace memory::jobs {

// While it lives, statements are run as the owner of the tables, past row security: a worker has no
// right on any table. An error where the caller may not do jobs: has no 'worker' access, is no
// admin and not the owner.
class AsWorker {
  public:
    AsWorker();

  private:
    pg::ActingAs owner_;
};

} // namespace memory::jobs
