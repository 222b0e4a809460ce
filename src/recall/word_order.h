// Which words of a query stand beside each other, in the query and in texts.
#pragma once

#include "index/retrieval.h"
#include "rank/hybrid.h"
#include "text/term_places.h"

namespace memory::recall {

// The terms that were searched for, with their numbers.
std::pmr::vector<text::NumberedTerm> terms_of(std::span<const index::SearchedTerm> searched,
                                              std::pmr::memory_resource *memory);

// By the rules of an index. A word that may be misspelt is the one that stands in for it.
class WordOrder {
  public:
    // What it is given must outlive it.
    WordOrder(Relation by_text, std::string_view query,
              std::span<const index::SearchedTerm> searched, std::pmr::memory_resource *memory);

    // Terms that stand so in the query, each pair once, ascending.
    std::span<const rank::TermPair> pairs() const { return pairs_; }

    // Adds the first and the second term of each pair that stands so in the text of a row: pairs
    // in their order, each once.
    void add(std::uint32_t row, std::string_view text, std::pmr::vector<rank::RowTerm> &found);

  private:
    Relation by_text_;
    text::TermPlaces places_;
    std::pmr::vector<rank::TermPair> pairs_;
    std::pmr::vector<rank::TermPair> together_;
};

} // namespace memory::recall
