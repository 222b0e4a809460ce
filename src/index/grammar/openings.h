// What stands for all terms of a kind: those that begin with a prefix, and those that a word may be
// a misspelling of.
#pragma once

#include "index/grammar/prefixes.h"
#include "text/spelling.h"

namespace memory::index::grammar {

struct Near {
    std::pmr::string word;
    text::Spelling spelling; // of it
};

// Both kinds, each in ascending byte order and distinct. They have numbers: the prefixes first.
struct Openings {
    std::span<const std::pmr::string> prefixes;
    std::span<const Near> nears;

    std::size_t size() const { return prefixes.size() + nears.size(); }
    bool empty() const { return size() == 0; }
};

// Calls `use(n)` for every number of what the term, which is not weak, meets.
template <typename Use>
void each_opening_of(const Openings &openings, std::string_view term, Use use) {
    each_prefix_of(openings.prefixes, term, use);
    for (std::size_t n = 0; n < openings.nears.size(); ++n)
        if (openings.nears[n].spelling.distance(term))
            use(static_cast<std::uint32_t>(openings.prefixes.size() + n));
}

} // namespace memory::index::grammar
