// Joins vectors of items with the items.
#include "items/vectors.h"

#include "items/sql.h"

extern "C" {
#include "utils/snapmgr.h"
}

namespace memory::items {

namespace {

// $12 model.
MEMORY_STATEMENT(find_vectors, R"(
    SELECT i.id, i.updated_at, v.embedding
    FROM memory.items i
        JOIN memory.item_embeddings v ON v.namespace = i.namespace AND v.user_id = i.user_id
            AND v.item = i.id
    WHERE {chosen:i} AND {not_expired:i} AND v.model = $12)"_sql,
                 pg::Statement::for_each_values);

// $12 model, $13 places of row versions in one relation, $14: a table that inherits from ours is
// not read.
MEMORY_STATEMENT(find_placed, R"(
    SELECT r.id, r.updated_at, v.embedding FROM unnest($13::tid[]) w (place)
    CROSS JOIN LATERAL (
        SELECT e.item, e.embedding FROM memory.item_embeddings e
        WHERE {tenant:e} AND e.model = $12 AND e.tableoid = $14 AND e.ctid = w.place OFFSET 0) v
    CROSS JOIN LATERAL (
        SELECT i.id, i.updated_at FROM memory.items i
        WHERE {chosen:i} AND {not_expired:i} AND i.id = v.item OFFSET 0) r)"_sql,
                 pg::Statement::once);

// $3 model, $4 items that the request is about.
MEMORY_STATEMENT(find_vectors_of, R"(
    SELECT i.id, i.updated_at, v.embedding
    FROM memory.items i CROSS JOIN LATERAL (
        SELECT e.embedding FROM memory.item_embeddings e
        WHERE {tenant:e} AND e.item = i.id AND e.model = $3 OFFSET 0) v
    WHERE {tenant:i} AND i.id = ANY ($4))"_sql,
                 pg::Statement::once);

} // namespace

rank::NewerThenId order_of(const pg_uuid_t &id, TimestampTz updated_at) {
    return {updated_at, std::to_array(id.data)};
}

ItemVectors::ItemVectors(const Request &request, std::string_view model, rank::Gathered &found,
                         std::pmr::memory_resource *memory)
    : RowVectors(request.tenant, "item_embeddings", "item_embeddings_by_code", GetActiveSnapshot(),
                 memory),
      request_(request), model_(model), found_(found) {}

models::StoredVectors::Stored ItemVectors::stored(const pg::Row &row) {
    const auto [id, updated_at, vector] = row.get<pg::Uuid, pg::Time, pg::Vectors>();
    const rank::NewerThenId order = order_of(id, updated_at);
    found_.know(order);
    return {order.id, &vector};
}

void ItemVectors::visit_at(std::span<const codec::Tid> places, std::size_t, const Visitor &visit) {
    visit_rows(
        find_placed, visit,
        [&] {
            return pg::Values{request_.tenant, request_.choice, model_, versions_at(places),
                              table()};
        },
        [this](const pg::Row &row) { return stored(row); });
}

void ItemVectors::visit_of(std::span<const rank::RowId> ids, const Visitor &visit) {
    visit_rows(
        find_vectors_of, visit,
        [&] {
            pg::ContextResource memory(CurrentMemoryContext);
            std::pmr::vector<pg_uuid_t> items(&memory);
            for (const rank::RowId &id : ids)
                std::ranges::copy(id, items.emplace_back().data);
            return pg::Values{request_.tenant, model_, std::span<const pg_uuid_t>(items)};
        },
        [this](const pg::Row &row) { return stored(row); });
}

void ItemVectors::visit_all(const Visitor &visit) {
    visit_rows(
        find_vectors, visit,
        [&] {
            return pg::Values{request_.tenant, request_.choice, model_};
        },
        [this](const pg::Row &row) { return stored(row); });
}

} // namespace memory::items
