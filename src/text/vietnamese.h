// Vietnamese writes its tones and half of its vowels with accents that other languages merely
// decorate with. A language cannot be told from one word, but its spelling can: Vietnamese is
// written in syllables of a strict form. Of the accented words in the Vietnamese XQuAD 99.8 % have
// it, in the Spanish 1 %, in the Romanian 0.4 %.
#pragma once

#include <string_view>

namespace memory::text {

// Whether a word, case-folded and in NFD, is an accented Vietnamese syllable: initial, rhyme of the
// language, at most one tone, and a final stop only under the two tones that allow it.
bool is_vietnamese_syllable(std::u16string_view nfd) noexcept;

} // namespace memory::text
