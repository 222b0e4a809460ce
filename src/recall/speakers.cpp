// Compares names' terms with a query's, each name once.
#include "recall/speakers.h"

#include <algorithm>

namespace memory::recall {

const NamedSpeakers::Terms &NamedSpeakers::terms_in(std::string_view name) {
    if (const auto known = known_.find(name); known != known_.end())
        return known->second;
    std::pmr::memory_resource *const memory = known_.get_allocator().resource();
    const index::TextTerms its = index::terms_of(by_text_, name, memory);
    Terms &terms = known_.emplace(name, Terms(memory)).first->second;
    for (const index::SearchedTerm &asked : query_)
        if (std::any_of(its.counts.begin(), its.counts.end(),
                        [&](const auto &one) { return one.first == asked.term; }))
            terms.push_back(asked.number);
    return terms;
}

} // namespace memory::recall
