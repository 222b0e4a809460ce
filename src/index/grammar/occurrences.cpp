// Takes the tokens of a text one by one, notes where each term of the pattern stands, and answers.
#include "index/grammar/occurrences.h"

#include <algorithm>

namespace memory::index::grammar {

Occurrences::Occurrences(const Pattern &pattern, std::pmr::memory_resource *memory,
                         text::Interruption &interruption)
    : pattern_(pattern), terms_(pattern.terms().size(), Answer::no, memory),
      openings_(pattern.openings().size(), Answer::no, memory), phrases_(pattern.phrases(memory)),
      places_(memory), pause_(interruption) {}

void Occurrences::clear() {
    std::fill(terms_.begin(), terms_.end(), Answer::no);
    std::fill(openings_.begin(), openings_.end(), Answer::no);
    places_.clear();
}

void Occurrences::take(const text::Token &token) {
    const bool weak = token.weight == text::Weight::weak;
    if (const auto found = pattern_.find(token.term, weak)) {
        terms_[*found] = Answer::yes;
        if (pattern_.terms()[*found].placed)
            places_.push_back({token.ordinal, *found});
    }
    if (!weak)
        each_opening_of(pattern_.openings(), token.term,
                        [this](std::uint32_t n) { openings_[n] = Answer::yes; });
}

bool Occurrences::match() {
    std::sort(places_.begin(), places_.end(), [this](const Place &a, const Place &b) {
        pause_.step();
        return a < b;
    });
    phrases_.find(places_, pause_);
    return pattern_.matches(terms_, openings_, phrases_);
}

} // namespace memory::index::grammar
