// A pattern against texts that are at hand: the exact answer.
#pragma once

#include "index/grammar/pattern.h"
#include "text/token.h"

namespace memory::index::grammar {

// Notes what a text has of a pattern. Call order: clear(), analyze a text into it, match().
// Storage is kept from text to text. The pattern must outlive it.
class Occurrences final : public text::TokenSink {
  public:
    Occurrences(const Pattern &pattern, std::pmr::memory_resource *memory,
                text::Interruption &interruption = text::Interruption::none());

    void clear();
    void take(const text::Token &token) override;

    // Whether the text matches.
    bool match();

  private:
    const Pattern &pattern_;
    std::pmr::vector<Answer> terms_;
    std::pmr::vector<Answer> openings_;
    Phrases phrases_;
    std::pmr::vector<Place> places_;
    text::Pause pause_;
};

} // namespace memory::index::grammar
