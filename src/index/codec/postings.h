// Posting lists shorter than a block, as bits. Format: docs/codecs.md.
#pragma once

#include "index/codec/bits.h"

#include <array>

namespace memory::codec {

inline constexpr std::uint32_t block_postings = 128;

// A document that contains the term, and how often.
struct Posting {
    std::uint32_t ordinal;
    std::uint32_t count; // >= 1

    friend bool operator==(const Posting &, const Posting &) = default;
};

// Decoded postings, ordinals ascending. Only the first `size` of each array mean something.
struct PostingBuffer {
    std::uint32_t size = 0;
    alignas(16) std::array<std::uint32_t, block_postings> ordinals;
    alignas(16) std::array<std::uint32_t, block_postings> counts;
};

// `postings`: 1 to block_postings - 1 of them, ordinals ascending and below `documents`.
void append_short_list(BitWriter &writer, std::span<const Posting> postings,
                       std::uint32_t documents);

// What append_short_list writes, in bits.
std::size_t short_list_bits(std::span<const Posting> postings, std::uint32_t documents);

// Reads `count` postings, 1 to block_postings - 1; all ordinals are below `documents`.
void read_short_list(BitReader &reader, std::uint32_t count, std::uint32_t documents,
                     PostingBuffer &postings);

// Passes over `count` postings.
void skip_short_list(BitReader &reader, std::uint32_t count, std::uint32_t documents);

} // namespace memory::codec
