// Everything of a user goes: table by table, rows before those that they belong to.
#include "lifecycle/everything.h"

#include "access/queue.h"
#include "checkpoints/whole_session.h"
#include "facts/forget.h"
#include "items/erase.h"
#include "lifecycle/rows.h"
#include "lifecycle/sql.h"
#include "pg/statement.h"
#include "sessions/sessions.h"

namespace memory::lifecycle {

namespace {

// In the order of their ids, as all calls lock them: what belongs to an episode is written under
// its lock.
MEMORY_STATEMENT(lock_all_episodes, R"(
    SELECT FROM memory.episodes e WHERE {tenant:e} ORDER BY e.id FOR UPDATE)"_sql,
                 pg::Statement::once);

} // namespace

void forget_everything(const access::Tenant &tenant, Receipt &receipt,
                       std::pmr::memory_resource *memory) {
    access::queue(tenant, "retention");
    Ids sessions(memory);
    for (const sessions::Locked &session : sessions::lock_to_delete(tenant, std::nullopt, memory))
        sessions.push_back(session.key);
    checkpoints::lock_stores(tenant);
    // Here, as it locks them in the order that writers take; the walk finds none.
    const auto [items, vectors] = items::erase(tenant, {});
    receipt.add("items", items);
    receipt.add("item_embeddings", vectors);
    facts::lock_all_lines(tenant);
    lock_all_episodes.each(pg::SnapshotOf::now, tenant, [](const pg::Row &) {});
    each_table_of_users([&](const schema::Table &table) {
        const Deleted deleted = delete_all(tenant, table, sessions);
        receipt.add(table.name, deleted.rows);
        receipt.add_ids(deleted.ids);
    });
}

} // namespace memory::lifecycle
