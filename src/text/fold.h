// One spelling for a word: NFKC case folding, ASCII digits, and what each script can do without.
#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include <unicode/unorm2.h>

#include "text/dictionary.h"
#include "text/interruption.h"
#include "text/letters.h"
#include "text/term.h"

namespace memory::text {

// A word longer than this in the text is folded as a whole is: not stemmed, not taken apart.
inline constexpr std::size_t max_word_bytes = 255;

// A folded word. The views are valid until the folder's next use.
struct FoldedWord {
    std::string_view
        plain; // without accents: the term, and what the dictionary stems. May be empty
    std::string_view accented; // with them, when they were folded away; else equal to `plain`
    Script script;             // of the first letter that has one of its own
    bool has_digit;
    bool is_vietnamese; // its accents are letters: not for another language's stemmer
};

class Folder {
  public:
    // `shortcuts` folds letter by letter where that is the same; it changes no word. Throws
    // IcuFailure.
    Folder(std::pmr::memory_resource *memory, Pause &pause, bool shortcuts = true);

    // Folds the well-formed bytes of one atom, at most max_word_bytes of them.
    FoldedWord fold_word(std::string_view raw);

    // Appends the folded form of well-formed text of any length, joiners and accents kept.
    void fold_whole(std::string_view raw, TermBuilder &to);

    // NFKC case folding of a few characters, nothing else. Valid until the next use.
    std::string_view fold_characters(std::string_view raw);

  private:
    static constexpr std::size_t max_units = max_word_bytes + 1;
    static constexpr std::size_t max_expanded_units =
        max_units / 3 * 18; // the longest compatibility mapping: 3 bytes, 18 units

    // A word case-folded, and that canonically decomposed.
    struct Forms {
        std::u16string_view folded;
        std::u16string_view decomposed;
    };

    FoldedWord fold_ascii_word(std::string_view raw);
    FoldedWord fold_latin(const Forms &forms);
    FoldedWord finish(std::u16string_view folded, Script script);
    Forms fold_letters(std::string_view raw);
    bool belongs(char32_t point);
    void append_without_accents(std::u16string_view nfd);
    std::size_t take_window(std::string_view raw);
    std::u16string_view case_fold();
    std::u16string_view decompose(std::u16string_view folded);

    const UNormalizer2 *case_folding_;
    const UNormalizer2 *decomposition_;
    Pause &pause_;
    const bool shortcuts_;
    Letters letters_;
    std::size_t source_size_ = 0;
    std::array<UChar, max_units> source_;
    std::array<UChar, max_expanded_units> folded_;
    std::array<UChar, max_expanded_units> decomposed_;
    std::pmr::string plain_;
    std::pmr::string accented_;
};

} // namespace memory::text
