// Counting what sessions lose.
#include "lifecycle/locked_sessions.h"

#include "pg/uuid.h"

namespace memory::lifecycle {

LockedSessions::LockedSessions(const access::Tenant &tenant,
                               std::span<const sessions::Locked> sessions,
                               std::pmr::memory_resource *memory)
    : tenant_(tenant), keys_(memory), stores_(memory), counts_(memory) {
    for (const sessions::Locked &session : sessions) {
        keys_.push_back(session.key);
        stores_.push_back(session.store);
    }
    const std::span<const pg_uuid_t> stores = pg::unique_ids(stores_);
    stores_.assign(stores.begin(), stores.end());
    if (!keys_.empty())
        each_table_of_users(
            [this](const schema::Table &table) { counts_.push_back(count(table)); });
}

std::int64_t LockedSessions::count(const schema::Table &table) const {
    switch (table.of) {
    case schema::Of::session:
        return count_of(tenant_, table, keys_);
    case schema::Of::store:
        return count_of(tenant_, table, stores_);
    case schema::Of::user:
    case schema::Of::episode:
        break;
    }
    return 0;
}

std::int64_t LockedSessions::count_lost(Receipt &receipt) const {
    std::int64_t all = 0;
    if (keys_.empty())
        return all;
    auto before = counts_.begin();
    each_table_of_users([&](const schema::Table &table) {
        const std::int64_t lost = *before++ - count(table);
        receipt.add(table.name, lost);
        all += lost;
    });
    return all;
}

} // namespace memory::lifecycle
