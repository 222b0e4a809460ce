// Deleting items for good, under their locks, in the order of their places, as memory.put_items()
// takes them.
#include "items/erase.h"

#include "items/sql.h"
#include "pg/memory.h"
#include "pg/statement.h"

namespace memory::items {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(lock_chosen, R"(
    SELECT i.id FROM memory.items i WHERE {chosen:i} ORDER BY {place:i} FOR UPDATE)"_sql,
                 pg::Statement::for_each_values);

// $3 how many, here and below.
MEMORY_STATEMENT(lock_expired, R"(
    SELECT i.id FROM memory.items i
    WHERE {tenant:i} AND i.id = ANY (ARRAY(
        SELECT e.id FROM memory.items e WHERE {tenant:e} AND {expired:e}
        ORDER BY e.expires_at LIMIT $3))
    ORDER BY {place:i} FOR UPDATE)"_sql,
                 pg::Statement::for_each_values);

// $4 of how many the newest stay.
MEMORY_STATEMENT(lock_older, R"(
    SELECT i.id FROM memory.items i
    WHERE {tenant:i} AND i.id = ANY (ARRAY(
        SELECT e.id FROM memory.items e WHERE {tenant:e} {newest:e} OFFSET $4 LIMIT $3))
    ORDER BY {place:i} FOR UPDATE)"_sql,
                 pg::Statement::for_each_values);

// $3 ids.
MEMORY_STATEMENT(delete_vectors, R"(
    DELETE FROM memory.item_embeddings v WHERE {tenant:v} AND v.item = ANY ($3))"_sql,
                 pg::Statement::for_each_values);
MEMORY_STATEMENT(delete_items, R"(
    DELETE FROM memory.items i WHERE {tenant:i} AND i.id = ANY ($3))"_sql,
                 pg::Statement::for_each_values);

Erased erase_locked(const access::Tenant &tenant, const pg::Rows &rows) {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<pg_uuid_t> ids(&memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        ids.push_back(rows.get<pg::Uuid>(row));
    if (ids.empty())
        return {};
    const auto vectors =
        static_cast<std::int64_t>(delete_vectors.run(SnapshotOf::now, {tenant, ids}).size());
    delete_items.write({tenant, ids}, "items", ids.size());
    return {static_cast<std::int64_t>(ids.size()), vectors};
}

} // namespace

Erased erase(const access::Tenant &tenant, const Choice &choice) {
    return erase_locked(tenant, lock_chosen.run(SnapshotOf::now, {tenant, choice}));
}

Erased erase_expired(const access::Tenant &tenant, std::int64_t most) {
    return erase_locked(tenant, lock_expired.run(SnapshotOf::now, {tenant, most}));
}

Erased erase_older(const access::Tenant &tenant, std::int64_t keep, std::int64_t most) {
    return erase_locked(tenant, lock_older.run(SnapshotOf::now, {tenant, most, keep}));
}

} // namespace memory::items
