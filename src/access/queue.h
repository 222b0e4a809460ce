// Calls for one user that must not run side by side.
#pragma once

#include "access/scope.h"

namespace memory::access {

// Waits until no other transaction is in this queue of the tenant's, and stays in it until this one
// ends; `table` names the queue, and is one of ours. Users whose hashes share 48 bits queue
// together. What others have committed meanwhile is seen by statements from now on, as the
// isolation level allows (pg/stale.h). Does nothing in a read-only transaction, which the first
// statement refuses.
void queue(const Tenant &tenant, const char *table);

} // namespace memory::access
