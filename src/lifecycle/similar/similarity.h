// How alike two texts are: the share of their letters that they have in common, words compared in
// any order.
//
// A word of the one is paired with the same word of the other. What is left over is paired with the
// most similar word that is left, unless a third of its letters are changed; or, where that has
// more in common, all that is left over is joined and compared as one word, so that a blank more or
// less is one edit. An edit is a letter more, less or another, or two that have changed places.
//
//     (letters of paired words, on both sides, − edits) ÷ letters of both texts
//
// So it is 1 where only case, punctuation or order differ, and 0 where no word is shared.
// Symmetric.
#pragma once

#include "lifecycle/similar/texts.h"

namespace memory::similar {

// The most letters of a word, and words left over, that are looked at for edits: what has more is
// compared word by word as it is.
inline constexpr std::size_t most_letters = 96;
inline constexpr std::size_t most_words = 24;

double similarity(const Texts &texts, Number a, Number b);

// The greatest similarity that texts of so many letters can have.
constexpr double most_similarity(std::size_t a, std::size_t b) noexcept {
    // Each letter that only one has is an edit at least.
    const std::size_t both = a + b;
    const std::size_t common = both - (a < b ? b - a : a - b);
    return both == 0 ? 0 : static_cast<double>(common) / static_cast<double>(both);
}

// The same of texts with these letters: an edit changes two of the counts by one at most, a letter
// of a word that only one has changes one.
double most_similarity(const Texts &texts, Number a, Number b);

} // namespace memory::similar
