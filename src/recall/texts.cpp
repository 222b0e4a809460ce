// See texts.h.
#include "recall/texts.h"

#include <cmath>

namespace memory::recall {

namespace {

constinit pg::Statement
    find_texts("SELECT id, memory.episode_text(content, response) FROM memory.episodes"
               " WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
               " AND id OPERATOR(pg_catalog.=) ANY ($3)");

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
    std::pmr::vector<Datum> wanted(memory);
    rank::Positions<rank::RowId> places(memory);
    for (const rank::RowId &id : ids) {
        places.put(id, static_cast<std::uint32_t>(found.size()));
        found.emplace_back(memory);
        wanted.push_back(PointerGetDatum(id.data()));
    }
    const std::array parameters{tenant.name_space_parameter(), tenant.user_parameter(),
                                pg::Parameter::array(UUIDOID, wanted)};
    find_texts.each(parameters, pg::Access::read, [&](TupleTableSlot *row) {
        found[*places.find(row_id(pg::get_in<pg::Uuid>(row, 0)))] =
            index::terms_of(by_text, pg::get_in<pg::Text>(row, 1), memory);
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
