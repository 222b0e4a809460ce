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

// Something of the tenant's that has a name and need not be there, and whether calls that share it
// may run side by side.
struct NameLock {
    std::string_view name; // not empty
    bool shared;
};

// The same for names of things in `table`: stays in the queues of all of them. They are entered in
// one order, whatever the order here, so that two calls never wait for each other; of a name that
// is given twice the lock that is not shared counts. A caller that is in queue() of the same table,
// too, enters that one last.
void queue_names(const Tenant &tenant, const char *table, std::span<const NameLock> names);

} // namespace memory::access
