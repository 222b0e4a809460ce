// Reads texts by id, analyzes them, and compares their terms.
#include "recall/texts.h"

#include "pg/statement.h"
#include "recall/sql.h"

#include <cmath>

namespace memory::recall {

namespace {

MEMORY_STATEMENT(find_texts, R"(
    SELECT e.id, memory_internal.episode_text(e.content, e.response) FROM memory.episodes e
    WHERE {tenant:e} AND e.id = ANY ($3))"_sql,
                 pg::Statement::once);

double square(const index::TextTerms &text) {
    double sum = 0;
    for (const auto &[term, count] : text.counts)
        sum += static_cast<double>(count) * count;
    return sum;
}

} // namespace

std::pmr::vector<index::TextTerms> terms_of_episodes(const access::Tenant &tenant, Relation by_text,
                                                     std::span<const rank::RowId> ids,
                                                     std::pmr::memory_resource *memory) {
    std::pmr::vector<index::TextTerms> found(memory);
    rank::Positions<rank::RowId> places(memory);
    for (const rank::RowId &id : ids) {
        places.put(id, static_cast<std::uint32_t>(found.size()));
        found.emplace_back(memory);
    }
    find_texts.each(pg::SnapshotOf::caller, {tenant, uuids(ids)}, [&](const pg::Row &row) {
        const auto [id, text] = row.get<pg::Uuid, pg::Text>();
        found[*places.find(row_id(id))] = index::terms_of(by_text, text, memory);
    });
    return found;
}

// Both are in the order of their terms.
double likeness(const index::TextTerms &one, const index::TextTerms &other) {
    double dot = 0;
    auto a = one.counts.begin();
    auto b = other.counts.begin();
    while (a != one.counts.end() && b != other.counts.end()) {
        const int order = a->first.compare(b->first);
        if (order == 0)
            dot += static_cast<double>(a->second) * b->second;
        a += order <= 0 ? 1 : 0;
        b += order >= 0 ? 1 : 0;
    }
    return dot > 0 ? dot / std::sqrt(square(one) * square(other)) : 0;
}

} // namespace memory::recall
