// The characters of a text, one code point after another, and what they are to a prompt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memory::prompt {

// One code point, and where the next one begins. A byte that is not part of well-formed UTF-8 is a
// character of its own.
struct Character {
    char32_t point;
    std::size_t end;
    bool well_formed;
};

// The character at `at`, which is a place in `text`.
Character character_at(std::string_view text, std::size_t at);

// How many there are: what a budget counts.
std::size_t code_points(std::string_view text);

// Code points are counted four to a token, and a part of four is one.
constexpr std::size_t tokens_of(std::size_t code_points) {
    return code_points / 4 + (code_points % 4 != 0 ? 1 : 0);
}

// Whether a prompt leaves it out: control characters but line feed and tab, controls of the
// direction of writing, and tags, which are invisible and which a model reads.
constexpr bool is_left_out(char32_t point) {
    return (point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7F && point <= 0x9F) ||
           point == 0x061C || point == 0x200E || point == 0x200F ||
           (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) ||
           (point >= 0xE0000 && point <= 0xE007F);
}

// Whether a reader sees no mark where it stands: blanks, and characters without width.
constexpr bool is_blank(char32_t point) {
    return point == ' ' || point == '\t' || point == '\n' || point == 0xA0 || point == 0xAD ||
           point == 0x1680 || point == 0x180E || (point >= 0x2000 && point <= 0x200D) ||
           point == 0x2028 || point == 0x2029 || point == 0x202F || point == 0x205F ||
           point == 0x2060 || point == 0x3000 || point == 0xFEFF;
}

} // namespace memory::prompt
