// A pattern against documents of which only an index entry is at hand: terms, without their order.
#pragma once

#include "index/grammar/pattern.h"

namespace memory::index::grammar {

enum class PrefixLookup : bool { none, all };

// What is known of one document after another. Call order: clear(), has_term() and has_prefix()
// for all that it has, answer(). The pattern must outlive it.
//
// With no prefixes looked up, their presence stays open; so do the terms that need no looking up.
class Evidence {
  public:
    Evidence(const Pattern &pattern, PrefixLookup prefixes, std::pmr::memory_resource *memory);

    void clear();
    void has_term(std::uint32_t term) { terms_[term] = Answer::yes; }
    void has_prefix(std::uint32_t prefix) { prefixes_[prefix] = Answer::yes; }

    // Necessary is that it is not `no`; `maybe` is for the text to decide (Occurrences).
    Answer answer() const { return pattern_.answer(terms_, prefixes_); }

  private:
    const Pattern &pattern_;
    Answer absent_prefix_;
    std::pmr::vector<Answer> terms_;
    std::pmr::vector<Answer> prefixes_;
};

} // namespace memory::index::grammar
