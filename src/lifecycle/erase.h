// Episodes that are deleted for good, with all that was made of them alone. Needs a live Spi.
#pragma once

#include "access/scope.h"
#include "lifecycle/receipt.h"

namespace memory::lifecycle {

// Deletes these episodes and the messages of these ids, but for those with messages in other
// sessions than `sessions`, which are locked: they have been written since. With them goes what
// belongs to the episodes; facts that come from no other episode; and summaries that cover one of
// the messages. Messages, summaries and what else sessions have are not added to the receipt: the
// holder of the lock of the sessions counts them (locked_sessions.h).
void erase_episodes(const access::Tenant &tenant, std::span<const pg_uuid_t> meant,
                    std::span<const pg_uuid_t> sessions, Receipt &receipt,
                    std::pmr::memory_resource *memory);

// Deletes versions of facts whose lines are locked.
void erase_facts(const access::Tenant &tenant, std::span<const pg_uuid_t> versions,
                 Receipt &receipt);

} // namespace memory::lifecycle
