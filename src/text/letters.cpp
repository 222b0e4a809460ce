// Asks ICU about a letter once, and remembers the answer.
#include "text/letters.h"

#include <unicode/uchar.h>

#include "text/characters.h"

namespace memory::text {

namespace {

// Normalizes one character of the first plane to at most `to.size()` units. Returns how many, or 0
// if there are more or ICU fails.
template <std::size_t size>
std::size_t normalize(const UNormalizer2 *form, char16_t unit, std::array<char16_t, size> &to) {
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t units =
        unorm2_normalize(form, &unit, 1, to.data(), static_cast<std::int32_t>(size), &status);
    return U_FAILURE(status) ? 0 : static_cast<std::size_t>(units);
}

} // namespace

char32_t prepared(char32_t point) {
    if (point < 0x80)
        return point == '\'' || point == '"' || point == ',' ? 0 : point;
    if (is_hebrew_abbreviation(point))
        return 0;
    if (point == 0x2010 || point == 0x2011)
        return '-';
    if (u_charType(static_cast<UChar32>(point)) == U_DECIMAL_DIGIT_NUMBER)
        return '0' + static_cast<char32_t>(u_charDigitValue(static_cast<UChar32>(point)));
    return point;
}

bool belongs_to_word(char32_t point) {
    if (point < 0x80)
        return is_ascii_letter(point) || is_ascii_digit(point);
    if (is_apostrophe_letter(point))
        return false;
    return (U_GET_GC_MASK(static_cast<UChar32>(point)) &
            (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) != 0;
}

Letters::Letters(const UNormalizer2 *case_folding, const UNormalizer2 *decomposition,
                 std::pmr::memory_resource *memory)
    : case_folding_(case_folding), decomposition_(decomposition),
      letters_(count, Letter{unasked, {}}, memory) {}

// A character with a boundary before it meets nothing of the one before: the folded and the
// decomposed form of a word of such characters are those of its characters, one after the other.
Letters::Letter Letters::ask(char32_t point) const {
    const auto source = static_cast<char16_t>(prepared(point));
    std::array<char16_t, 1> folded{};
    std::array<char16_t, 3> decomposed{};
    const bool alone = source != 0 && belongs_to_word(point) &&
                       unorm2_hasBoundaryBefore(case_folding_, static_cast<UChar32>(source)) &&
                       normalize(case_folding_, source, folded) == 1 &&
                       belongs_to_word(folded[0]) &&
                       unorm2_hasBoundaryBefore(decomposition_, static_cast<UChar32>(folded[0])) &&
                       normalize(decomposition_, folded[0], decomposed) != 0;
    return alone ? Letter{folded[0], decomposed} : Letter{none, {}};
}

} // namespace memory::text
