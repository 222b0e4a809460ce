// Counts in how many places the bits of a code differ from those of a query: all that a scan of
// codes spends its time on. Arithmetic: docs/codes.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace memory::codec {

inline constexpr unsigned max_query_planes = 8;
inline constexpr std::size_t plane_alignment = 64; // bytes: a plane of a query is a multiple of it

// A bit plane has one bit of each dimension, of the first dimension in the lowest bit of the first
// byte.
struct Planes {
    const std::uint8_t *query; // `query_planes` planes, `stride` bytes apart, zeros behind each
    std::size_t stride;        // a multiple of plane_alignment, at least `bytes`
    unsigned query_planes;     // 4, 6 or 8
    unsigned code_planes;      // of a code: planes of `bytes`, one right behind the other
    std::size_t bytes;         // of a plane of a code
};

// The sum of 2^(j+k) times the places in which plane j of the code and plane k of the query differ.
using Differences = std::uint64_t (*)(const std::uint8_t *code, const Planes &planes);

// One way to count them. All give the same number.
struct Kernel {
    const char *name;
    Differences differences;
};

// Those that this machine has the instructions for, the fastest first; the last runs everywhere.
std::span<const Kernel> kernels();

} // namespace memory::codec
