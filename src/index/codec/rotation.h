// A fixed random rotation: whatever directions vectors prefer, rotated ones prefer none of the
// axes. Arithmetic: docs/codes.md.
#pragma once

#include <cstdint>
#include <span>

namespace memory::codec {

// The same for all vectors that are to be compared.
inline constexpr std::uint64_t rotation_seed = 0x6d656d6f72792e31; // "memory.1"

// Rotates in place: lengths and angles stay, up to rounding. The same bits on every machine.
void rotate(std::span<float> vector, std::uint64_t seed = rotation_seed);

} // namespace memory::codec
