// Short lists as gaps in Rice code and counts in gamma code. Writing and measuring share one walk.
#include "index/codec/postings.h"

#include <cassert>

namespace memory::codec {

namespace {

unsigned ordinal_width(std::uint32_t documents) {
    return documents == 0 ? 0U : static_cast<unsigned>(std::bit_width(documents - 1));
}

// Calls `take` with each gap that a list's ordinals leave, and each count.
template <class Take>
void each_gap(std::span<const Posting> postings, Take &&take) {
    std::uint32_t expected = 0;
    for (const Posting &posting : postings) {
        take(posting.ordinal - expected, posting.count);
        expected = posting.ordinal + 1;
    }
}

template <class Keep>
void decode(BitReader &reader, std::uint32_t count, std::uint32_t documents, Keep &&keep) {
    if (count == 1) {
        const std::uint64_t ordinal = reader.fixed(ordinal_width(documents));
        keep(0U, ordinal, reader.gamma());
        return;
    }
    const unsigned parameter = rice_parameter(documents, count);
    std::uint64_t expected = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t ordinal = expected + reader.rice(parameter);
        keep(i, ordinal, reader.gamma());
        expected = ordinal + 1;
    }
}

} // namespace

void append_short_list(BitWriter &writer, std::span<const Posting> postings,
                       std::uint32_t documents) {
    assert(!postings.empty() && postings.size() < block_postings);
    assert(postings.back().ordinal < documents);
    if (postings.size() == 1) {
        writer.fixed(postings[0].ordinal, ordinal_width(documents));
        writer.gamma(postings[0].count);
        return;
    }
    const unsigned parameter = rice_parameter(documents, postings.size());
    each_gap(postings, [&](std::uint32_t gap, std::uint32_t count) {
        writer.rice(gap, parameter);
        writer.gamma(count);
    });
}

std::size_t short_list_bits(std::span<const Posting> postings, std::uint32_t documents) {
    if (postings.size() == 1)
        return ordinal_width(documents) + gamma_bits(postings[0].count);
    const unsigned parameter = rice_parameter(documents, postings.size());
    std::size_t bits = 0;
    each_gap(postings, [&](std::uint32_t gap, std::uint32_t count) {
        bits += rice_bits(gap, parameter) + gamma_bits(count);
    });
    return bits;
}

void read_short_list(BitReader &reader, std::uint32_t count, std::uint32_t documents,
                     PostingBuffer &postings) {
    assert(count > 0 && count < block_postings);
    postings.size = count;
    decode(reader, count, documents,
           [&](std::uint32_t i, std::uint64_t ordinal, std::uint32_t occurrences) {
               if (ordinal >= documents)
                   throw Corrupt("a posting of a document that does not exist");
               postings.ordinals[i] = static_cast<std::uint32_t>(ordinal);
               postings.counts[i] = occurrences;
           });
}

// A dictionary is searched by passing over lists: the postings that are whole in a window are
// passed over without a look at their numbers.
void skip_short_list(BitReader &reader, std::uint32_t count, std::uint32_t documents) {
    if (count == 1) {
        reader.skip(ordinal_width(documents));
        reader.gamma();
        return;
    }
    const unsigned parameter = rice_parameter(documents, count);
    while (count > 0) {
        std::uint64_t bits = reader.window();
        unsigned passed = 0;
        for (; count > 0; --count) {
            const unsigned gap = static_cast<unsigned>(std::countl_zero(bits)) + 1 + parameter;
            if (passed + gap >= max_field_bits)
                break;
            const auto zeros = static_cast<unsigned>(std::countl_zero(bits << gap));
            const unsigned posting = gap + 2 * zeros + 1;
            if (passed + posting > max_field_bits)
                break;
            bits <<= posting;
            passed += posting;
        }
        reader.skip(passed);
        if (passed == 0) { // one that is longer than a window
            reader.rice(parameter);
            reader.gamma();
            --count;
        }
    }
}

} // namespace memory::codec
