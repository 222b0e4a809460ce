// Who may do jobs is asked before anything else is done.
#include "jobs/worker.h"

#include "access/owned_tables.h"

namespace memory::jobs {

namespace {

Oid owner_for_worker() {
    access::check_may_do_jobs();
    return access::tables_owner();
}

} // namespace

AsWorker::AsWorker()
    : owner_(owner_for_worker(), SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS) {}

} // namespace memory::jobs
