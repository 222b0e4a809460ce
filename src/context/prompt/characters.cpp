// Decodes UTF-8.
#include "context/prompt/characters.h"

namespace memory::prompt {

namespace {

struct Lead {
    std::size_t length; // of the character that this byte begins; 0: none
    char32_t bits;      // of the code point
    char32_t least;     // that is written with so many bytes
};

constexpr Lead lead_of(unsigned char byte) {
    if (byte < 0x80)
        return {1, byte, 0};
    if (byte >= 0xC2 && byte < 0xE0)
        return {2, byte & 0x1FU, 0x80};
    if (byte >= 0xE0 && byte < 0xF0)
        return {3, byte & 0x0FU, 0x800};
    if (byte >= 0xF0 && byte < 0xF5)
        return {4, byte & 0x07U, 0x10000};
    return {0, 0, 0};
}

constexpr bool is_scalar(char32_t point) {
    return point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
}

} // namespace

Character character_at(std::string_view text, std::size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const Character single{byte, at + 1, byte < 0x80};
    const Lead lead = lead_of(byte);
    if (lead.length < 2 || text.size() - at < lead.length)
        return single;
    char32_t point = lead.bits;
    for (std::size_t n = 1; n < lead.length; ++n) {
        const auto next = static_cast<unsigned char>(text[at + n]);
        if ((next & 0xC0U) != 0x80)
            return single;
        point = point << 6 | (next & 0x3FU);
    }
    if (point < lead.least || !is_scalar(point))
        return single;
    return {point, at + lead.length, true};
}

std::size_t code_points(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count)
        at = character_at(text, at).end;
    return count;
}

} // namespace memory::prompt
