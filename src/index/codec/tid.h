// The address of a row of the table.
#pragma once

#include <compare>
#include <cstdint>

namespace memory::codec {

// Ordered by block, then offset.
struct Tid {
    std::uint32_t block = 0;  // below 2^32 - 1
    std::uint16_t offset = 0; // from 1

    friend auto operator<=>(const Tid &, const Tid &) = default;
};

// The same as one number, in the same order.
constexpr std::uint64_t place_of(const Tid &tid) {
    return std::uint64_t{tid.block} << 16 | tid.offset;
}
constexpr Tid tid_of(std::uint64_t place) {
    return {static_cast<std::uint32_t>(place >> 16), static_cast<std::uint16_t>(place)};
}

inline constexpr std::uint32_t no_block = UINT32_MAX;

} // namespace memory::codec
