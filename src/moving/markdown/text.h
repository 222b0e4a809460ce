// Texts of memories inside of a file: what of them a file can hold, and how they are written so
// that no part of them is read as anything else.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace memory::markdown {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

constexpr std::string_view without_blanks_behind(std::string_view line) {
    while (!line.empty() && is_blank(line.back()))
        line.remove_suffix(1);
    return line;
}
constexpr std::string_view without_blanks_before(std::string_view line) {
    while (!line.empty() && is_blank(line.front()))
        line.remove_prefix(1);
    return line;
}

// Takes a line off the front of a text, without what ends it: LF, CR LF or CR.
std::string_view next_line(std::string_view &text);

// A text as a file has it, and editors leave it: lines end with LF, nothing is blank at the end of
// a line, at the beginning of the text or at its end. Two texts are the same to an import where
// these are.
std::pmr::string normal(std::string_view text, std::pmr::memory_resource *memory);

// Each has an inverse. A mark in a text is written with a backslash more before it than it has: so
// no text is taken for structure, and any number of backslashes comes back.
struct Escape {
    std::string_view mark;
    bool at_begin; // of the line only
};
inline constexpr Escape comment_escape{"<!--", false};
inline constexpr Escape quote_escape{">", true};
inline constexpr Escape part_escape{"|", false};

// Whether the mark stands at `at`, with no backslash before it.
bool stands_at(std::string_view line, std::size_t at, std::string_view mark);

// Appends a line with its marks escaped, or with a backslash less before each.
void escape(std::string_view line, const Escape &how, std::pmr::string &to);
void unescape(std::string_view line, const Escape &how, std::pmr::string &to);

// Tells texts apart that a file has, to see which were edited: a part of the format.
std::uint64_t digest(std::string_view text, std::uint64_t before = 0xCBF29CE484222325u);

} // namespace memory::markdown
