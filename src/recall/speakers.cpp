// Compares names' terms with a query's, each name once.
#include "recall/speakers.h"

namespace memory::recall {

const NamedSpeakers::Terms &NamedSpeakers::terms_in(std::string_view name) {
    if (const auto known = known_.find(name); known != known_.end())
        return known->second;
    places_.clear();
    index::read_tokens(by_text_, name, places_);
    Terms &terms = known_.emplace(name, Terms(known_.get_allocator().resource())).first->second;
    places_.each_term([&terms](std::uint32_t term) { terms.push_back(term); });
    return terms;
}

} // namespace memory::recall
