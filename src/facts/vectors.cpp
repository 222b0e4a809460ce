// Joins vectors of what facts say with the facts that say it.
#include "facts/vectors.h"

#include "facts/sql.h"

extern "C" {
#include "utils/snapmgr.h"
}

namespace memory::facts {

namespace {

// $3 model, $4 valid at, $5 known at, and {0} says as known when.
constexpr pg::sql::Fragment vectors[]{
    {"vectors", R"(
    SELECT f.id, f.valid_from, e.embedding
    FROM memory.facts f
        JOIN memory.fact_embeddings e ON e.namespace = f.namespace AND e.user_id = f.user_id
            AND e.subject_key = f.subject_key AND e.predicate = f.predicate
            AND e.object_key = f.object_key
    WHERE {tenant:f} AND e.model = $3 AND {0} AND {valid_at:f,$4})"},
    // $6 places of row versions in one relation, $7: a table that inherits from ours is not read.
    {"vectors_at", R"(
    SELECT f.id, f.valid_from, v.embedding FROM unnest($6::tid[]) w (place)
    CROSS JOIN LATERAL (
        SELECT e.subject_key, e.predicate, e.object_key, e.embedding
        FROM memory.fact_embeddings e
        WHERE {tenant:e} AND e.model = $3 AND e.tableoid = $7 AND e.ctid = w.place OFFSET 0) v
    CROSS JOIN LATERAL (
        SELECT f.id, f.valid_from FROM memory.facts f
        WHERE {tenant:f} AND f.subject_key = v.subject_key AND f.predicate = v.predicate
            AND f.object_key = v.object_key AND {0} AND {valid_at:f,$4} OFFSET 0) f)"},
};
MEMORY_STATEMENT(find_vectors_now,
                 pg::compose<"{vectors:{known_now:f}}", access::fragments, fragments, vectors>());
MEMORY_STATEMENT(find_vectors_then,
                 pg::compose<"{vectors:{known_at:f,$5}}", access::fragments, fragments, vectors>());
MEMORY_STATEMENT(find_placed_now,
                 pg::compose<"{vectors_at:{known_now:f}}", access::fragments, fragments, vectors>(),
                 pg::Statement::once);
MEMORY_STATEMENT(
    find_placed_then,
    pg::compose<"{vectors_at:{known_at:f,$5}}", access::fragments, fragments, vectors>(),
    pg::Statement::once);

// $3 model, $4 facts that the request is about.
MEMORY_STATEMENT(find_vectors_of, R"(
    SELECT f.id, f.valid_from, v.embedding
    FROM memory.facts f CROSS JOIN LATERAL (
        SELECT e.embedding FROM memory.fact_embeddings e
        WHERE {tenant:e} AND e.subject_key = f.subject_key AND e.predicate = f.predicate
            AND e.object_key = f.object_key AND e.model = $3 OFFSET 0) v
    WHERE {tenant:f} AND f.id = ANY ($4))"_sql,
                 pg::Statement::once);

rank::RowId complement(rank::RowId id) {
    for (std::uint8_t &byte : id)
        byte = static_cast<std::uint8_t>(~byte);
    return id;
}

} // namespace

rank::RowId ranked_id(const pg_uuid_t &id) { return complement(std::to_array(id.data)); }

pg_uuid_t fact_id(const rank::RowId &ranked) {
    pg_uuid_t id;
    std::ranges::copy(complement(ranked), id.data);
    return id;
}

FactVectors::FactVectors(const Request &request, std::string_view model, rank::Gathered &found,
                         std::pmr::memory_resource *memory)
    : RowVectors(request.tenant, "fact_embeddings", "fact_embeddings_by_code", GetActiveSnapshot(),
                 memory),
      request_(request), model_(model), found_(found) {}

models::StoredVectors::Stored FactVectors::stored(const pg::Row &row) {
    const auto [id, valid_from, vector] = row.get<pg::Uuid, pg::Time, pg::Vectors>();
    const rank::RowId ranked = ranked_id(id);
    found_.know({valid_from, ranked});
    return {ranked, &vector};
}

void FactVectors::visit_at(std::span<const codec::Tid> places, std::size_t, const Visitor &visit) {
    visit_rows(
        request_.known_at ? find_placed_then : find_placed_now, visit,
        [&] {
            return pg::Values{request_.tenant,     model_, request_.valid_at, request_.known_at,
                              versions_at(places), table()};
        },
        [this](const pg::Row &row) { return stored(row); });
}

void FactVectors::visit_of(std::span<const rank::RowId> ids, const Visitor &visit) {
    visit_rows(
        find_vectors_of, visit,
        [&] {
            pg::ContextResource memory(CurrentMemoryContext);
            std::pmr::vector<pg_uuid_t> facts(&memory);
            for (const rank::RowId &id : ids)
                facts.push_back(fact_id(id));
            return pg::Values{request_.tenant, model_, std::span<const pg_uuid_t>(facts)};
        },
        [this](const pg::Row &row) { return stored(row); });
}

void FactVectors::visit_all(const Visitor &visit) {
    visit_rows(
        request_.known_at ? find_vectors_then : find_vectors_now, visit,
        [&] {
            return pg::Values{request_.tenant, model_, request_.valid_at, request_.known_at};
        },
        [this](const pg::Row &row) { return stored(row); });
}

} // namespace memory::facts
