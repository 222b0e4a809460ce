// Compares names' terms with a query's, each name once.
#include "recall/speakers.h"

#include <algorithm>

namespace memory::recall {

std::uint64_t NamedSpeakers::named_in(std::optional<std::string_view> name) {
    if (!name)
        return 0;
    if (const auto known = known_.find(*name); known != known_.end())
        return known->second;
    std::pmr::memory_resource *const memory = known_.get_allocator().resource();
    const index::TextTerms its = index::terms_of(by_text_, *name, memory);
    std::uint64_t named = 0;
    for (const index::SearchedTerm &asked : query_)
        if (std::any_of(its.counts.begin(), its.counts.end(),
                        [&](const auto &one) { return one.first == asked.term; }))
            named |= bit_of(asked.number);
    known_.emplace(*name, named);
    return named;
}

std::uint64_t NamedSpeakers::bit_of(std::uint32_t term) {
    const auto at = std::find(terms_.begin(), terms_.end(), term);
    const auto bit = static_cast<std::size_t>(at - terms_.begin());
    if (bit == most_terms)
        return 0;
    if (at == terms_.end())
        terms_.push_back(term);
    return std::uint64_t{1} << bit;
}

} // namespace memory::recall
