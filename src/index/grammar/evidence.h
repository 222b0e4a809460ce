// A pattern against documents of which only an index entry is at hand: terms, without their order.
#pragma once

#include "index/grammar/pattern.h"

namespace memory::index::grammar {

enum class OpeningLookup : bool { none, all };

// What is known of one document after another. Call order: clear(), has_term() and has_opening()
// for all that it has, answer(). The pattern must outlive it.
//
// With no openings looked up, their presence stays open; so do the terms that need no looking up.
class Evidence {
  public:
    Evidence(const Pattern &pattern, OpeningLookup openings, std::pmr::memory_resource *memory);

    void clear();
    void has_term(std::uint32_t term) { terms_[term] = Answer::yes; }
    void has_opening(std::uint32_t opening) { openings_[opening] = Answer::yes; }

    // Necessary is that it is not `no`; `maybe` is for the text to decide (Occurrences).
    Answer answer() const { return pattern_.answer(terms_, openings_); }

  private:
    const Pattern &pattern_;
    Answer absent_opening_;
    std::pmr::vector<Answer> terms_;
    std::pmr::vector<Answer> openings_;
};

} // namespace memory::index::grammar
