// Escapes are known by their place alone: a backslash is legal in a string and nowhere else, so
// strings need not be told from what is between them.
#include "text/clean_json.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace memory::text {

namespace {

constexpr std::size_t escape_size = 6; // \uXXXX

// The code unit of an escape \uXXXX at the start of `json`.
std::optional<std::uint16_t> code_unit(std::string_view json) {
    if (json.size() < escape_size || json[0] != '\\' || json[1] != 'u')
        return std::nullopt;
    std::uint16_t unit = 0;
    const char *end = json.data() + escape_size;
    const auto [stopped, error] = std::from_chars(json.data() + 2, end, unit, 16);
    if (error != std::errc() || stopped != end)
        return std::nullopt;
    return unit;
}

bool is_high_surrogate(std::uint16_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low_surrogate(std::uint16_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

// How many bytes the escape at the start of `json` has, and whether it stays.
struct Escape {
    std::size_t size;
    bool stays;
};

Escape escape_at(std::string_view json) {
    const auto unit = code_unit(json);
    if (!unit)
        return {std::min<std::size_t>(2, json.size()), true};
    if (is_high_surrogate(*unit)) {
        const auto next = code_unit(json.substr(escape_size));
        if (next && is_low_surrogate(*next))
            return {2 * escape_size, true};
    }
    return {escape_size, *unit != 0 && !is_high_surrogate(*unit) && !is_low_surrogate(*unit)};
}

} // namespace

std::pmr::string clean_json(std::string_view json, std::pmr::memory_resource *memory) {
    std::pmr::string clean(memory);
    clean.reserve(json.size());
    while (!json.empty()) {
        const std::size_t plain = std::min(json.find('\\'), json.size());
        clean.append(json.substr(0, plain));
        json.remove_prefix(plain);
        if (json.empty())
            break;
        const Escape escape = escape_at(json);
        if (escape.stays)
            clean.append(json.substr(0, escape.size));
        json.remove_prefix(escape.size);
    }
    return clean;
}

} // namespace memory::text
