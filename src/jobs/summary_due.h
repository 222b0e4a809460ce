// When a session needs a summary.
#pragma once

#include "access/scope.h"

namespace memory::jobs {

// Queues one where the session, which is locked, has had `every` messages up to number `last_seq`
// since its last; false where it has not, or one is queued already. Needs a live Spi.
bool queue_summary(const access::Tenant &tenant, const pg_uuid_t &session, std::int64_t last_seq,
                   std::int64_t every);

} // namespace memory::jobs
