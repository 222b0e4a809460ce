// From the bytes of a word in the text to its terms: folded, asked of its script's dictionary,
// remembered.
#pragma once

#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "text/dictionary.h"
#include "text/fold.h"
#include "text/term.h"
#include "text/token.h"
#include "text/word_cache.h"

namespace memory::text {

// What stands for a word: no term if nothing is left of it, several if its dictionary gives
// several.
struct WordTerms {
    std::span<const std::string_view> terms;
    Weight weight;
};

class Lexicon {
  public:
    // Throws IcuFailure. `cache_slots` is a power of two; `pause` and `shortcuts` as for Folder.
    Lexicon(const Dictionaries &dictionaries, std::size_t cache_slots, Pause &pause, bool shortcuts,
            std::pmr::memory_resource *memory);

    // The terms of one atom or part of an atom, in well-formed UTF-8. Valid until the next call of
    // anything.
    WordTerms look_up(std::string_view raw);

    Folder &folder() { return folder_; }

  private:
    WordTerms keep_one(std::string_view raw, std::string_view term, Weight weight);
    WordTerms keep_lexemes(std::string_view raw, const Lexemes &lexemes);
    WordTerms keep_unaccented(std::string_view raw);
    WordTerms ask(Dictionary &dictionary, std::string_view raw, const FoldedWord &word);

    Dictionaries dictionaries_;
    Folder folder_;
    WordCache cache_;
    TermBuilder term_;
    Lexemes lexemes_;
    Lexemes unaccented_;
    Lexemes bounded_;
    std::string_view single_;
    std::pmr::vector<std::string_view> terms_;
};

} // namespace memory::text
