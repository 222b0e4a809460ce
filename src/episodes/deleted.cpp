// What goes with an episode that is deleted, by whatever statement: its messages in the log, and
// its part in a merger. What was merged into it is recalled again.
#include "episodes/sql.h"
#include "pg/statement.h"
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

// The table has no foreign keys for it: they would ask for each episode that is deleted, and most
// users have no mergers.
MEMORY_STATEMENT(drop_mergers, R"(
    DELETE FROM memory.merged_episodes m
    WHERE {tenant:m} AND (m.episode_id = ANY ($3) OR m.kept = ANY ($3))
        AND EXISTS (SELECT FROM memory.merged_episodes x WHERE {tenant:x}))"_sql,
                 pg::Statement::once);

// Not in the list either.
constinit pg::Statement restore(R"(
    UPDATE memory.episodes e SET expires_at = NULL FROM deleted d
    WHERE e.namespace = d.namespace AND e.user_id = d.user_id AND e.id = d.episode_id
        AND {merged:e})"_sql);

} // namespace

// What was written again meanwhile, under the same id, is another episode.
MEMORY_FUNCTION(memory_restore_merged_episodes) {
    const pg::Spi spi;
    pg::show_deleted_rows(arguments, {"merged_episodes"});
    restore.run(pg::SnapshotOf::now, {});
    return Datum{0};
}

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
    for (const Deleted &one : deleted) {
        if (!sessions::lock_sessions_of(one.tenant, one.ids, &memory).empty())
            sessions::drop(one.tenant, one.ids);
        drop_mergers.run(pg::SnapshotOf::now, {one.tenant, one.ids});
    }
    return Datum{0};
}

} // namespace memory::episodes
