// memory.notify_jobs.
#include "jobs/settings.h"

#include "pg/backend.h"

namespace memory::jobs {

namespace {

constinit bool notify_jobs = false;

} // namespace

void define_settings() {
    DefineCustomBoolVariable(
        "memory.notify_jobs", "Whether a write that queues a job notifies channel memory_jobs.",
        "Off, because commits with a NOTIFY wait for each other, and cannot be prepared.",
        &notify_jobs, false, PGC_USERSET, 0, nullptr, nullptr, nullptr);
}

bool notifies() noexcept { return notify_jobs; }

} // namespace memory::jobs
