// The blocks of a long posting list, with what they can score at most. Format: docs/codecs.md.
//
// A block is never split: it has at most max_block_bytes.
#pragma once

#include "index/codec/postings.h"

namespace memory::codec {

inline constexpr std::size_t max_block_bytes = 1536;
inline constexpr std::size_t max_bounds = 4;

// Every posting of a block has a bound with at least its count and at most its length.
struct Bound {
    std::uint32_t count;
    std::uint32_t length;

    friend bool operator==(const Bound &, const Bound &) = default;
};

// Appends a block of `postings`, 1 to block_postings, ordinals ascending; `lengths` are those of
// their documents.
void append_block(ByteBuffer &buffer, std::span<const Posting> postings,
                  std::span<const std::uint32_t> lengths);

// A block before its postings are decoded. The bytes that it was read from must outlive it.
class PostingBlock {
  public:
    // Reads the block at the front of `bytes`; all its ordinals are below `documents`.
    PostingBlock(Bytes bytes, std::uint32_t documents);

    // In bytes: where the next block begins.
    std::size_t size() const { return size_; }
    std::uint32_t postings() const { return postings_; }
    std::uint32_t first() const { return first_; }
    std::uint32_t last() const { return last_; }
    std::span<const Bound> bounds() const { return std::span(bounds_).first(bound_count_); }

    void decode(PostingBuffer &postings) const;

  private:
    void decode_packed(PostingBuffer &postings) const;
    void decode_bits(PostingBuffer &postings) const;

    std::uint32_t postings_;
    std::uint32_t first_;
    std::uint32_t last_;
    std::uint8_t bound_count_;
    std::array<Bound, max_bounds> bounds_;
    std::size_t size_;
    Bytes body_;
};

} // namespace memory::codec
