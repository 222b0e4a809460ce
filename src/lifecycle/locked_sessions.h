// Sessions that a call has locked in order to forget of them, and how many rows they have lost when
// it is done.
#pragma once

#include "lifecycle/receipt.h"
#include "lifecycle/rows.h"
#include "sessions/sessions.h"

namespace memory::lifecycle {

// A writer of a session has its row locked, so that what is counted twice differs by what
// this call has deleted: by its own statements, by triggers and by cascades.
class LockedSessions {
  public:
    LockedSessions(const access::Tenant &tenant, std::span<const sessions::Locked> sessions,
                   std::pmr::memory_resource *memory);

    std::span<const pg_uuid_t> keys() const noexcept { return keys_; }

    // Last. Returns how many rows they are.
    std::int64_t count_lost(Receipt &receipt) const;

  private:
    std::int64_t count(const schema::Table &table) const;

    access::Tenant tenant_;
    Ids keys_;
    Ids stores_;
    std::pmr::vector<std::int64_t> counts_; // in the order of each_table_of_users()
};

} // namespace memory::lifecycle
