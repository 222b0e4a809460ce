// Keeps what is known of one document, and forgets it for the next one in time proportional to what
// was known.
#include "index/grammar/evidence.h"

#include <algorithm>

namespace memory::index::grammar {

Evidence::Evidence(const Pattern &pattern, OpeningLookup openings,
                   std::pmr::memory_resource *memory)
    : pattern_(pattern),
      absent_opening_(openings == OpeningLookup::all ? Answer::no : Answer::maybe),
      terms_(pattern.terms().size(), Answer::no, memory),
      openings_(pattern.openings().size(), absent_opening_, memory) {
    clear();
}

void Evidence::clear() {
    for (std::size_t i = 0; i < terms_.size(); ++i)
        terms_[i] = pattern_.terms()[i].looked_up ? Answer::no : Answer::maybe;
    std::fill(openings_.begin(), openings_.end(), absent_opening_);
}

} // namespace memory::index::grammar
