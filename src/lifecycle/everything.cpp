// Everything of a user goes: table by table, rows before those that they belong to.
#include "lifecycle/everything.h"

#include "checkpoints/whole_session.h"
#include "facts/forget.h"
#include "items/erase.h"
#include "lifecycle/rows.h"
#include "sessions/sessions.h"

namespace memory::lifecycle {

void forget_everything(const access::Tenant &tenant, Receipt &receipt,
                       std::pmr::memory_resource *memory) {
    Ids sessions(memory);
    for (const sessions::Locked &session : sessions::lock_to_delete(tenant, std::nullopt, memory))
        sessions.push_back(session.key);
    checkpoints::lock_stores(tenant);
    facts::lock_all_lines(tenant);
    // Under their locks, in the order that writers take; the walk finds none.
    const auto [items, vectors] = items::erase(tenant, {});
    receipt.add("items", items);
    receipt.add("item_embeddings", vectors);
    each_table_of_users([&](const schema::Table &table) {
        const Deleted deleted = delete_all(tenant, table, sessions);
        receipt.add(table.name, deleted.rows);
        receipt.add_ids(deleted.ids);
    });
}

} // namespace memory::lifecycle
