// Keeps what is known of one document, and forgets it for the next one in time proportional to what
// was known.
#include "index/grammar/evidence.h"

#include <algorithm>

namespace memory::index::grammar {

Evidence::Evidence(const Pattern &pattern, PrefixLookup prefixes, std::pmr::memory_resource *memory)
    : pattern_(pattern), absent_prefix_(prefixes == PrefixLookup::all ? Answer::no : Answer::maybe),
      terms_(pattern.terms().size(), Answer::no, memory),
      prefixes_(pattern.prefixes().size(), absent_prefix_, memory) {
    clear();
}

void Evidence::clear() {
    for (std::size_t i = 0; i < terms_.size(); ++i)
        terms_[i] = pattern_.terms()[i].looked_up ? Answer::no : Answer::maybe;
    std::fill(prefixes_.begin(), prefixes_.end(), absent_prefix_);
}

} // namespace memory::index::grammar
