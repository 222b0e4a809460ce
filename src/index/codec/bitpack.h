// 128 numbers packed to the same width each, with exceptions for those that do not fit.
// Format: docs/codecs.md.
#pragma once

#include "index/codec/bytes.h"

#include <array>

namespace memory::codec {

inline constexpr std::size_t packed_count = 128;

using Numbers = std::array<std::uint32_t, packed_count>; // alignas(16) where it is unpacked to

// How a set of numbers is packed smallest.
struct Packing {
    std::uint8_t width;      // 0 to 32 bits
    std::uint8_t exceptions; // numbers that need more; at most packed_count

    std::size_t packed_bytes() const { return packed_count / 8 * width; }
};

Packing smallest_packing(const Numbers &numbers);

// Appends the low bits of all numbers.
void append_packed(ByteWriter &writer, const Numbers &numbers, const Packing &packing);

// Appends the exceptions: for each its place and the bits above the width.
void append_exceptions(ByteWriter &writer, const Numbers &numbers, const Packing &packing);

// Reads what append_packed wrote: packing.packed_bytes() bytes; width at most 32.
void read_packed(Bytes packed, const Packing &packing, Numbers &numbers);

// Adds the exceptions to what read_packed gave.
void read_exceptions(ByteReader &reader, const Packing &packing, Numbers &numbers);

// Turns the gaps before numbers into the numbers: number[i] = first + gap[1] + … + gap[i] + i,
// modulo 2^32. Whether the last of them is `last` and none is larger.
bool add_gaps(std::uint32_t first, std::uint32_t last, Numbers &gaps);

} // namespace memory::codec
