// Takes a word apart into initial, vowels, final and tone, and looks each up in the list of all
// that there are.
#include "text/vietnamese.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace memory::text {

namespace {

constexpr std::size_t longest_syllable = 7; // nghiêng

// Letters are written here as ASCII: 1 ă, 2 â, 3 ê, 4 ô, 5 ơ, 6 ư, D đ.
constexpr std::string_view initials[] = {
    "",  "b",  "c",   "ch", "d", "D",  "g",  "gh", "gi", "h", "k",  "kh", "l", "m",
    "n", "ng", "ngh", "nh", "p", "ph", "qu", "r",  "s",  "t", "th", "tr", "v", "x",
};
constexpr std::string_view finals[] = {"", "c", "ch", "m", "n", "ng", "nh", "p", "t"};
constexpr std::string_view vowel_groups[] = {
    "1",   "2",   "2u",  "2y", "3",  "3u",  "4",   "4i",  "5",   "5i",  "6",   "65",
    "65i", "65u", "6a",  "6i", "6u", "a",   "ai",  "ao",  "au",  "ay",  "e",   "eo",
    "i",   "i3",  "i3u", "ia", "iu", "o",   "o1",  "oa",  "oai", "oao", "oay", "oe",
    "oeo", "oi",  "oo",  "u",  "u2", "u2y", "u3",  "u3u", "u4",  "u4i", "u5",  "ua",
    "uao", "ue",  "ui",  "uo", "uy", "uy3", "uya", "uyu", "y",   "y3",  "y3u", "ya",
};

struct Syllable {
    std::array<char, longest_syllable> letters;
    std::size_t size = 0;
    char16_t tone = 0;
    bool accented = false;

    bool add_letter(char16_t letter);
    bool add_mark(char16_t mark);
    bool set_quality(char plain, char marked);
    std::string_view view() const { return {letters.data(), size}; }
};

bool Syllable::add_letter(char16_t letter) {
    const bool barred = letter == 0x0111;
    if (size == longest_syllable || (!barred && (letter < 'a' || letter > 'z')))
        return false;
    letters[size++] = barred ? 'D' : static_cast<char>(letter);
    accented |= barred;
    return true;
}

bool Syllable::set_quality(char plain, char marked) {
    if (letters[size - 1] != plain)
        return false;
    letters[size - 1] = marked;
    return true;
}

bool Syllable::add_mark(char16_t mark) {
    if (size == 0)
        return false;
    accented = true;
    switch (mark) {
    case 0x0300: // huyền
    case 0x0301: // sắc
    case 0x0303: // ngã
    case 0x0309: // hỏi
    case 0x0323: // nặng
        if (tone != 0 ||
            std::string_view("aeiouy123456").find(letters[size - 1]) == std::string_view::npos)
            return false;
        tone = mark;
        return true;
    case 0x0306:
        return set_quality('a', '1');
    case 0x0302:
        return set_quality('a', '2') || set_quality('e', '3') || set_quality('o', '4');
    case 0x031B:
        return set_quality('o', '5') || set_quality('u', '6');
    default:
        return false;
    }
}

bool is_rhyme(std::string_view vowels, std::string_view final, char16_t tone) {
    if (!std::binary_search(std::begin(vowel_groups), std::end(vowel_groups), vowels))
        return false;
    if (final.empty())
        return vowels.back() != '1' && vowels.back() != '2';
    const bool stop = final == "c" || final == "ch" || final == "p" || final == "t";
    return !stop || tone == 0 || tone == 0x0301 || tone == 0x0323;
}

bool is_syllable(std::string_view letters, char16_t tone) {
    for (const std::string_view initial : initials) {
        if (!letters.starts_with(initial))
            continue;
        const std::string_view rhyme = letters.substr(initial.size());
        for (const std::string_view final : finals)
            if (rhyme.size() > final.size() && rhyme.ends_with(final) &&
                is_rhyme(rhyme.substr(0, rhyme.size() - final.size()), final, tone))
                return true;
    }
    return false;
}

} // namespace

bool is_vietnamese_syllable(std::u16string_view nfd) noexcept {
    Syllable syllable;
    for (const char16_t unit : nfd) {
        const bool mark = unit >= 0x0300 && unit <= 0x036F;
        if (!(mark ? syllable.add_mark(unit) : syllable.add_letter(unit)))
            return false;
    }
    return syllable.accented && is_syllable(syllable.view(), syllable.tone);
}

} // namespace memory::text
