// What goes with an episode that is deleted, by whatever statement: its messages in the log.
#include "episodes/sql.h"
#include "pg/trigger.h"
#include "sessions/log.h"

namespace memory::episodes {

namespace {

// Not in the list of statements: `deleted` is there while the trigger runs.
constinit pg::Statement find_deleted(R"(
    SELECT d.namespace, d.user_id, array_agg(d.id) FROM deleted d
    GROUP BY d.namespace, d.user_id ORDER BY d.namespace, d.user_id)"_sql);

struct Deleted {
    access::Tenant tenant;
    std::span<const pg_uuid_t> ids;
};

} // namespace

MEMORY_FUNCTION(memory_drop_messages_of_episodes) {
    const pg::Spi spi;
    pg::show_deleted_rows(arguments, {"episodes"});
    const pg::Rows rows = find_deleted.run(pg::SnapshotOf::caller, {});
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Deleted> deleted(&memory);
    for (std::uint64_t n = 0; n < rows.size(); ++n) {
        const auto [name_space, user, ids] = rows.get<pg::Text, pg::Text, pg::Uuids>(n);
        deleted.push_back({{pg::copied_text(name_space), pg::copied_text(user)}, ids});
    }
    for (const Deleted &one : deleted)
        if (!sessions::lock_sessions_of(one.tenant, one.ids, &memory).empty())
            sessions::drop(one.tenant, one.ids);
    return Datum{0};
}

} // namespace memory::episodes
