// What a character is to the scanner. Everything beyond ASCII comes from ICU's properties.
#pragma once

#include <array>
#include <cstdint>

#include "text/dictionary.h"

namespace memory::text {

enum class Kind : std::uint8_t {
    separator,   // white space, punctuation, symbols, controls, bad bytes
    letter,      // of a script with words
    digit,       // a decimal digit of any script
    numeral,     // another number: ², ½, ①. An atom by itself
    mark,        // belongs to the character before it: combining marks, format characters
    ideograph,   // Han, Kana, Hangul, Bopomofo, Yi: written as bigrams
    complex,     // Thai, Lao, Khmer, Burmese and kin: words without spaces
    pictograph,  // what may begin an emoji sequence
    flag_letter, // a regional indicator
};

// The kind of a character that is not ASCII, or of bad_byte.
Kind kind_beyond_ascii(char32_t point) noexcept;

// The same without its shortcut for frequent characters.
Kind kind_by_properties(char32_t point) noexcept;

constexpr bool is_ascii_digit(char32_t point) { return point - U'0' < 10; }
constexpr bool is_ascii_letter(char32_t point) { return (point | 0x20) - U'a' < 26; }
constexpr char ascii_lower(char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
}

inline Kind kind_of(char32_t point) noexcept {
    if (point >= 0x80)
        return kind_beyond_ascii(point);
    return is_ascii_letter(point)  ? Kind::letter
           : is_ascii_digit(point) ? Kind::digit
                                   : Kind::separator;
}

Script script_of(char32_t point) noexcept;

// Whether this mark and the cluster before it are one (Thai vowels above, Burmese medials,
// invisible characters).
bool extends_cluster(char32_t point) noexcept;

// ' and its typographic forms.
constexpr bool is_apostrophe(char32_t point) {
    return point == '\'' || point == 0x2019 || point == 0xFF07;
}

// What the Hebrew script puts inside a word: geresh, gershayim and their ASCII stand-ins.
constexpr bool is_hebrew_abbreviation(char32_t point) {
    return point == 0x05F3 || point == 0x05F4 || point == '"' || is_apostrophe(point);
}

// Modifier letters that stand for an apostrophe or an accent in transliterations: no letters to us.
constexpr bool is_apostrophe_letter(char32_t point) { return point >= 0x02B9 && point <= 0x02BF; }

// The ASCII form of what may glue an identifier together, or 0: ASCII itself, full-width forms,
// hyphens.
char joiner_of(char32_t point) noexcept;

// How joiners of one kind glue.
constexpr bool glues_names(char joiner) {
    return joiner == '.' || joiner == '-' || joiner == '_' || joiner == '@' || joiner == '+' ||
           joiner == '~';
}
constexpr bool glues_paths(char joiner) {
    return joiner == '/' || joiner == ':' || joiner == '=' || joiner == '&' || joiner == '?' ||
           joiner == '#' || joiner == '%' || joiner == '\\' || glues_names(joiner);
}

} // namespace memory::text
