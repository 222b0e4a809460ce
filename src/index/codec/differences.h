// Counts in how many places the bits of codes differ from those of a query: what a scan of codes
// spends most of its time on. Arithmetic: docs/codes.md.
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

// Codes of one form, `step` bytes from one to the next; `planes` is where those of the first begin.
struct CodeColumn {
    const std::uint8_t *planes;
    std::size_t step;
    std::size_t count;
};

// Writes for each code the sum of 2^(j+k) times the places in which plane j of the code and plane k
// of the query differ. It is below 2^32 for codes of up to 16,000 dimensions.
using Differences = void (*)(const CodeColumn &codes, const Planes &planes, std::uint32_t *sums);

// One way to count them. All give the same numbers.
struct Kernel {
    const char *name;
    Differences differences;
};

// Those that this machine has the instructions for, the fastest first; the last runs everywhere.
std::span<const Kernel> kernels();

} // namespace memory::codec
