// Looks terms up among few.
#include "text/term_places.h"

namespace memory::text {

TermPlaces::TermPlaces(std::span<const NumberedTerm> terms, std::pmr::memory_resource *memory)
    : terms_(terms.begin(), terms.end(), memory), places_(memory) {
    std::sort(terms_.begin(), terms_.end(),
              [](const NumberedTerm &a, const NumberedTerm &b) { return a.term < b.term; });
}

void TermPlaces::take(const Token &token) {
    if (token.weight == Weight::weak)
        return;
    const auto at = std::lower_bound(
        terms_.begin(), terms_.end(), token.term,
        [](const NumberedTerm &one, std::string_view term) { return one.term < term; });
    const bool found = at != terms_.end() && at->term == token.term;
    places_.push_back({token.ordinal, found ? at->number : no_number});
}

} // namespace memory::text
