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

inline constexpr std::uint32_t no_block = UINT32_MAX;

} // namespace memory::codec
