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

// Decodes the character of two to four bytes at the front of `text`, which is not empty.
// Surrogates, overlong forms, values above U+10FFFF and truncated sequences are bad bytes, one at a
// time.
Decoded decode_multibyte(std::string_view text) noexcept;

// The character at `at`, which is inside `text`.
inline Decoded decode(std::string_view text, std::size_t at) noexcept {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80)
        return {first, 1};
    return decode_multibyte(text.substr(at));
}

// The character that ends before `end`, which is behind a well-formed one.
Decoded decode_before(std::string_view text, std::size_t end) noexcept;

// Appends a Unicode scalar value.
void append(std::pmr::string &to, char32_t point);

// The largest boundary between well-formed characters that is not above `at`. `text` is
// well-formed.
std::size_t boundary_at_or_before(std::string_view text, std::size_t at) noexcept;

} // namespace memory::text
