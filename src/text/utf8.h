// UTF-8, one character at a time, from bytes that may not be UTF-8 at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace memory::text {

// What `decode` gives for a byte that begins no well-formed character. No character has this value.
inline constexpr char32_t bad_byte = 0xFFFFFFFF;

struct Decoded {
    char32_t point;     // bad_byte, or a Unicode scalar value
    std::uint32_t size; // bytes read; 1 for bad_byte
};

namespace detail {

// Four bytes, and what no shortcut takes.
Decoded decode_rare(std::string_view text) noexcept;

inline bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

} // namespace detail

// The character at `at`, which is inside `text`. Surrogates, overlong forms, values above U+10FFFF
// and truncated sequences are bad bytes, one at a time.
inline Decoded decode(std::string_view text, std::size_t at) noexcept {
    const auto byte = [&](std::size_t i) {
        return static_cast<char32_t>(static_cast<unsigned char>(text[at + i]));
    };
    const char32_t first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t left = text.size() - at;
    if (first >= 0xC2 && first < 0xE0 && left >= 2 && detail::continues(text[at + 1]))
        return {(first & 0x1F) << 6 | (byte(1) & 0x3F), 2};
    if (first >= 0xE0 && first < 0xED && left >= 3 && detail::continues(text[at + 1]) &&
        detail::continues(text[at + 2]) && (first != 0xE0 || byte(1) >= 0xA0))
        return {(first & 0xF) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
    return detail::decode_rare(text.substr(at));
}

// The character that ends before `end`, which is behind a well-formed one.
Decoded decode_before(std::string_view text, std::size_t end) noexcept;

// Appends a Unicode scalar value.
void append(std::pmr::string &to, char32_t point);

// The largest boundary between well-formed characters that is not above `at`. `text` is
// well-formed.
std::size_t boundary_at_or_before(std::string_view text, std::size_t at) noexcept;

} // namespace memory::text
