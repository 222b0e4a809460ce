// memory.recall_facts() and memory.recall_graph().
#include "facts/graph.h"
#include "facts/ranking.h"
#include "facts/read.h"
#include "facts/sql.h"

#include "access/visible.h"
#include "models/comparison.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "text/settings_sql.h"

namespace memory::facts {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(facts_by_id, R"(
    SELECT {fact:f} FROM memory.facts f WHERE {tenant:f} AND f.id = ANY ($3))"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(ends_by_id, R"(
    SELECT f.id, f.subject_key, f.object_key FROM memory.facts f
    WHERE {tenant:f} AND f.id = ANY ($3))"_sql,
                 pg::Statement::once);

std::optional<double> score_of(const rank::Standing &standing) {
    return standing.ranked() ? std::optional(standing.score) : std::nullopt;
}

// The rows of a statement that has an id in its first column and $3 for ids, in the order of the
// facts; visit(rows, row, fact) for each.
template <class Visit>
void visit_in_order(pg::Statement &by_id, const access::Tenant &tenant,
                    std::span<const RankedFact> facts, std::pmr::memory_resource *memory,
                    Visit &&visit) {
    std::pmr::vector<pg_uuid_t> ids(memory);
    for (const RankedFact &fact : facts)
        ids.push_back(fact.id);
    const pg::Rows rows = by_id.run(SnapshotOf::caller, {tenant, std::span<const pg_uuid_t>(ids)});
    rank::Positions<rank::RowId> places(memory);
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        places.put(std::to_array(rows.get<pg::Uuid>(row, 0).data), row);
    for (const RankedFact &fact : facts)
        if (const auto place = places.find(std::to_array(fact.id.data)))
            visit(rows, *place, fact);
}

// Both ends of the facts that are found, best first.
std::pmr::vector<std::string_view> seeds_for(const Request &request,
                                             std::pmr::memory_resource *memory) {
    std::pmr::vector<std::string_view> seeds(memory);
    visit_in_order(ends_by_id, request.tenant, best_facts(request, memory), memory,
                   [&](const pg::Rows &rows, std::uint64_t row, const RankedFact &) {
                       const auto [id, subject, object] =
                           rows.get<pg::Uuid, pg::Text, pg::Text>(row);
                       seeds.push_back(pg::copied_text(subject));
                       seeds.push_back(pg::copied_text(object));
                   });
    return seeds;
}

} // namespace

MEMORY_CALL(memory_recall_facts, "query text, embedding vector, k bigint, user_id text,"
                                 " valid_at timestamptz, known_at timestamptz") {
    Request request{{},
                    text::checked_query(call.text("query").or_else("")),
                    models::checked_embedding(call.vector("embedding")),
                    access::row_limit(call.bigint("k")),
                    call.instant("valid_at"),
                    known_at(call.instant("known_at"))};
    access::Reading reading(call, room);
    request.tenant = reading.tenant();
    if (access::hides_all_facts(request.tenant))
        return call.nothing();
    pg::ContextResource memory(CurrentMemoryContext);
    visit_in_order(facts_by_id, request.tenant, best_facts(request, &memory), &memory,
                   [&](const pg::Rows &rows, std::uint64_t row, const RankedFact &fact) {
                       reading.rows().add_row(
                           rows, row, {fact.score, score_of(fact.text), score_of(fact.vector)});
                   });
    return call.nothing();
}

MEMORY_CALL(memory_recall_graph, "query text, hops bigint, k bigint, user_id text,"
                                 " valid_at timestamptz, known_at timestamptz") {
    Request request{{},
                    text::checked_query(call.text("query").required()),
                    nullptr,
                    access::row_limit(call.bigint("k")),
                    call.instant("valid_at"),
                    known_at(call.instant("known_at"))};
    const std::int64_t hops = call.bigint("hops").between(1, most_hops).or_else(2);
    access::Reading reading(call, room);
    request.tenant = reading.tenant();
    if (access::hides_all_facts(request.tenant))
        return call.nothing();
    pg::ContextResource memory(CurrentMemoryContext);
    walk_from(seeds_for(request, &memory),
              {request.tenant, hops, request.k, request.valid_at, request.known_at},
              reading.rows());
    return call.nothing();
}

} // namespace memory::facts
