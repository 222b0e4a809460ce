// Decodes characters of three and four bytes and what is malformed; the frequent cases are in the
// header.
#include "text/utf8.h"

namespace memory::text {

namespace {

constexpr Decoded bad{bad_byte, 1};

} // namespace

namespace detail {

Decoded decode_rare(std::string_view text) noexcept {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::uint32_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < size)
        return bad;
    char32_t point = first & (0x7Fu >> size);
    for (std::uint32_t i = 1; i < size; ++i) {
        if (!continues(text[i]))
            return bad;
        point = point << 6 | (byte(i) & 0x3Fu);
    }
    const bool overlong = (size == 3 && point < 0x800) || (size == 4 && point < 0x10000);
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    if (overlong || surrogate || point > 0x10FFFF)
        return bad;
    return {point, size};
}

} // namespace detail

Decoded decode_before(std::string_view text, std::size_t end) noexcept {
    std::size_t begin = end - 1;
    while (begin > 0 && detail::continues(text[begin]))
        --begin;
    return decode(text, begin);
}

void append(std::pmr::string &to, char32_t point) {
    const auto tail = [&](std::uint32_t shift) {
        to.push_back(static_cast<char>(0x80 | (point >> shift & 0x3F)));
    };
    if (point < 0x80) {
        to.push_back(static_cast<char>(point));
    } else if (point < 0x800) {
        to.push_back(static_cast<char>(0xC0 | point >> 6));
        tail(0);
    } else if (point < 0x10000) {
        to.push_back(static_cast<char>(0xE0 | point >> 12));
        tail(6);
        tail(0);
    } else {
        to.push_back(static_cast<char>(0xF0 | point >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

std::size_t boundary_at_or_before(std::string_view text, std::size_t at) noexcept {
    if (at >= text.size())
        return text.size();
    while (at > 0 && detail::continues(text[at]))
        --at;
    return at;
}

} // namespace memory::text
