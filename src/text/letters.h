// Letters that fold by themselves, whatever stands beside them: most words beyond ASCII are made of
// these alone, and what ICU says of each is remembered.
#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

#include <unicode/unorm2.h>

namespace memory::text {

// What a character becomes before ICU sees it; 0 to leave it out.
char32_t prepared(char32_t point);

// Whether a folded character is part of a term, by its properties.
bool belongs_to_word(char32_t point);

class Letters {
  public:
    struct Letter {
        char16_t folded;
        std::array<char16_t, 3> decomposed; // of `folded`; zeros behind it
    };

    Letters(const UNormalizer2 *case_folding, const UNormalizer2 *decomposition,
            std::pmr::memory_resource *memory);

    // Null if `point` is out of range or does not fold by itself to one character of a word. Not
    // for ASCII.
    const Letter *find(char32_t point) {
        const std::size_t at = place(point);
        if (at == count)
            return nullptr;
        Letter &letter = letters_[at];
        if (letter.folded == unasked)
            letter = ask(point);
        return letter.folded == none ? nullptr : &letter;
    }

  private:
    // Latin to Devanagari, and the accented letters of Latin and Greek.
    static constexpr char32_t first = 0x80;
    static constexpr char32_t last = 0x97F;
    static constexpr char32_t first_accented = 0x1E00;
    static constexpr char32_t last_accented = 0x1FFF;
    static constexpr std::size_t count = (last - first + 1) + (last_accented - first_accented + 1);

    // No letters, as `folded`.
    static constexpr char16_t unasked = 0;
    static constexpr char16_t none = 0xFFFF;

    // `count` for what is out of range.
    static constexpr std::size_t place(char32_t point) {
        if (point >= first && point <= last)
            return point - first;
        if (point >= first_accented && point <= last_accented)
            return point - first_accented + (last - first + 1);
        return count;
    }
    Letter ask(char32_t point) const;

    const UNormalizer2 *case_folding_;
    const UNormalizer2 *decomposition_;
    std::pmr::vector<Letter> letters_;
};

} // namespace memory::text
