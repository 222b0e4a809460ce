// What is the same for writing and reading a delta: docs/checkpoints.md, "The delta".
#pragma once

#include "checkpoints/delta/delta.h"

#include <cassert>
#include <optional>

namespace memory::delta {

inline constexpr std::uint8_t format = 1;

// Bytes that are compared or copied between two questions of whether to go on.
inline constexpr std::size_t part_size = std::size_t{64} << 10;

// Small numbers of either sign as small ones without.
constexpr std::uint32_t zigzag(std::int64_t value) {
    return static_cast<std::uint32_t>(value < 0 ? ~(2 * value) : 2 * value);
}
constexpr std::int64_t unzigzag(std::uint32_t value) {
    const std::int64_t half = value >> 1;
    return (value & 1) != 0 ? ~half : half;
}

} // namespace memory::delta
