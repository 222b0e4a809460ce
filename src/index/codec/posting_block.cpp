// Chooses the encoding of a block, computes its bounds (a Pareto front of count and length), and
// decodes.
#include "index/codec/posting_block.h"

#include "index/codec/bitpack.h"

#include <algorithm>
#include <cassert>

namespace memory::codec {

static_assert(block_postings == packed_count);

namespace {

// A set of bounds of which none covers another: counts and lengths both ascend.
class ParetoFront {
  public:
    void add(Bound bound) {
        const auto first_longer = std::find_if(
            begin(), end(), [&](const Bound &other) { return other.length > bound.length; });
        // Those before are no longer than `bound`, and the last of them has the highest count.
        if (first_longer != begin() && first_longer[-1].count >= bound.count)
            return;
        const auto covered = std::remove_if(begin(), end(), [&](const Bound &other) {
            return other.length >= bound.length && other.count <= bound.count;
        });
        size_ = static_cast<std::size_t>(covered - begin());
        const auto place = std::find_if(
            begin(), end(), [&](const Bound &other) { return other.length > bound.length; });
        std::copy_backward(place, end(), end() + 1);
        *place = bound;
        ++size_;
    }

    // Merges neighbours, the closest in count first, until there are at most max_bounds.
    std::span<const Bound> thinned() {
        while (size_ > max_bounds) {
            std::size_t closest = 0;
            for (std::size_t i = 1; i + 1 < size_; ++i)
                if (step(i) < step(closest))
                    closest = i;
            bounds_[closest].count = bounds_[closest + 1].count;
            std::copy(begin() + closest + 2, end(), begin() + closest + 1);
            --size_;
        }
        return std::span(bounds_).first(size_);
    }

  private:
    std::uint32_t step(std::size_t i) const { return bounds_[i + 1].count - bounds_[i].count; }

    Bound *begin() { return bounds_.data(); }
    Bound *end() { return bounds_.data() + size_; }

    std::size_t size_ = 0;
    std::array<Bound, block_postings + 1> bounds_;
};

struct GapsAndCounts {
    Numbers gaps{};   // ordinals between a posting and the one before it; 0 for the first
    Numbers counts{}; // less one
};

GapsAndCounts split(std::span<const Posting> postings) {
    GapsAndCounts parts;
    for (std::size_t i = 0; i < postings.size(); ++i) {
        parts.gaps[i] = i == 0 ? 0 : postings[i].ordinal - postings[i - 1].ordinal - 1;
        parts.counts[i] = postings[i].count - 1;
    }
    return parts;
}

void append_packed_postings(ByteWriter &writer, std::span<const Posting> postings) {
    const GapsAndCounts parts = split(postings);
    const Packing gaps = smallest_packing(parts.gaps);
    const Packing counts = smallest_packing(parts.counts);
    writer.fixed(gaps.width);
    writer.fixed(gaps.exceptions);
    writer.fixed(counts.width);
    writer.fixed(counts.exceptions);
    append_packed(writer, parts.gaps, gaps);
    append_packed(writer, parts.counts, counts);
    append_exceptions(writer, parts.gaps, gaps);
    append_exceptions(writer, parts.counts, counts);
}

unsigned gap_parameter(std::uint32_t first, std::uint32_t last, std::uint32_t postings) {
    return postings < 2 ? 0 : rice_parameter(last - first, postings - 1);
}

void append_bit_postings(ByteBuffer &buffer, std::span<const Posting> postings) {
    const unsigned parameter = gap_parameter(postings.front().ordinal, postings.back().ordinal,
                                             static_cast<std::uint32_t>(postings.size()));
    BitWriter bits(buffer);
    bits.gamma(postings[0].count);
    for (std::size_t i = 1; i < postings.size(); ++i) {
        bits.rice(postings[i].ordinal - postings[i - 1].ordinal - 1, parameter);
        bits.gamma(postings[i].count);
    }
    bits.finish();
}

Packing read_packing(ByteReader &reader) {
    const auto width = reader.fixed<std::uint8_t>();
    const auto exceptions = reader.fixed<std::uint8_t>();
    if (width > 32 || exceptions > packed_count)
        throw Corrupt("a block packed in an impossible way");
    return {.width = width, .exceptions = exceptions};
}

} // namespace

void append_block(ByteBuffer &buffer, std::span<const Posting> postings,
                  std::span<const std::uint32_t> lengths) {
    assert(!postings.empty() && postings.size() <= block_postings);
    assert(postings.size() == lengths.size());
    const std::size_t start = buffer.size();
    ByteWriter writer(buffer);
    writer.fixed(std::uint16_t{0}); // the size, once it is known
    writer.fixed(static_cast<std::uint8_t>(postings.size()));
    writer.fixed(postings.front().ordinal);
    writer.varint(postings.back().ordinal - postings.front().ordinal);

    ParetoFront front;
    for (std::size_t i = 0; i < postings.size(); ++i)
        front.add({.count = postings[i].count, .length = lengths[i]});
    const std::span<const Bound> bounds = front.thinned();
    writer.fixed(static_cast<std::uint8_t>(bounds.size()));
    for (const Bound &bound : bounds) {
        writer.varint(bound.count);
        writer.varint(bound.length);
    }

    if (postings.size() == block_postings)
        append_packed_postings(writer, postings);
    else
        append_bit_postings(buffer, postings);
    const std::size_t size = buffer.size() - start;
    assert(size <= max_block_bytes);
    store(buffer.data() + start, static_cast<std::uint16_t>(size));
}

PostingBlock::PostingBlock(Bytes bytes, std::uint32_t documents) {
    size_ = ByteReader(bytes).fixed<std::uint16_t>();
    if (size_ < sizeof(std::uint16_t) || size_ > bytes.size())
        throw Corrupt("a posting block of impossible size");
    ByteReader reader(bytes.first(size_));
    reader.skip(sizeof(std::uint16_t));
    postings_ = reader.fixed<std::uint8_t>();
    first_ = reader.fixed<std::uint32_t>();
    const std::uint32_t span = reader.varint();
    last_ = first_ + span;
    if (postings_ == 0 || postings_ > block_postings || span < postings_ - 1 || last_ < first_ ||
        last_ >= documents)
        throw Corrupt("a posting block of impossible ordinals");
    bound_count_ = reader.fixed<std::uint8_t>();
    if (bound_count_ > max_bounds)
        throw Corrupt("a posting block with too many bounds");
    for (Bound &bound : std::span(bounds_).first(bound_count_)) {
        bound.count = reader.varint();
        bound.length = reader.varint();
    }
    body_ = reader.rest();
}

void PostingBlock::decode(PostingBuffer &postings) const {
    postings.size = postings_;
    if (postings_ == block_postings)
        decode_packed(postings);
    else
        decode_bits(postings);
}

void PostingBlock::decode_packed(PostingBuffer &postings) const {
    ByteReader reader(body_);
    const Packing gaps = read_packing(reader);
    const Packing counts = read_packing(reader);
    read_packed(reader.bytes(gaps.packed_bytes()), gaps, postings.ordinals);
    read_packed(reader.bytes(counts.packed_bytes()), counts, postings.counts);
    read_exceptions(reader, gaps, postings.ordinals);
    read_exceptions(reader, counts, postings.counts);
    for (std::uint32_t &count : postings.counts)
        ++count;
    if (!add_gaps(first_, last_, postings.ordinals))
        throw Corrupt("a posting block whose ordinals do not add up");
}

void PostingBlock::decode_bits(PostingBuffer &postings) const {
    const unsigned parameter = gap_parameter(first_, last_, postings_);
    BitReader bits(body_);
    std::uint64_t ordinal = first_;
    for (std::uint32_t i = 0; i < postings_; ++i) {
        if (i > 0)
            ordinal += std::uint64_t{1} + bits.rice(parameter);
        if (ordinal > last_)
            throw Corrupt("a posting block whose ordinals do not add up");
        postings.ordinals[i] = static_cast<std::uint32_t>(ordinal);
        postings.counts[i] = bits.gamma();
    }
    if (ordinal != last_)
        throw Corrupt("a posting block whose ordinals do not add up");
}

} // namespace memory::codec
