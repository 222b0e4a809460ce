#include "index/codec/bitpack.h"
#include "index/codec/posting_block.h"
#include "unit/codec_support.h"

#include <algorithm>

namespace {

using namespace codec_test;
using namespace memory::codec;

std::vector<Posting> random_postings(Random &random, std::size_t count, std::uint32_t documents) {
    std::set<std::uint32_t> ordinals;
    const std::uint32_t reach = one_in(random, 3) // crowded somewhere, or spread
                                    ? static_cast<std::uint32_t>(std::min<std::size_t>(
                                          documents, count + below(random, count + 1)))
                                    : documents;
    const auto start = static_cast<std::uint32_t>(below(random, documents - reach + 1));
    while (ordinals.size() < count)
        ordinals.insert(start + static_cast<std::uint32_t>(below(random, reach)));
    std::vector<Posting> postings;
    for (const std::uint32_t ordinal : ordinals)
        postings.push_back({ordinal, one_in(random, 8) ? std::max(1U, any_number(random)) : 1});
    return postings;
}

std::uint32_t random_documents(Random &random, std::size_t at_least) {
    return std::max(static_cast<std::uint32_t>(at_least), any_number(random));
}

std::vector<Posting> as_postings(const PostingBuffer &buffer) {
    std::vector<Posting> postings;
    for (std::uint32_t i = 0; i < buffer.size; ++i)
        postings.push_back({buffer.ordinals[i], buffer.counts[i]});
    return postings;
}

TEST(ShortList, OfOnePostingIsItsOrdinalInTheWidthOfTheSegment) {
    ByteBuffer buffer = new_buffer();
    BitWriter writer(buffer);
    const Posting posting{.ordinal = 5, .count = 1};
    append_short_list(writer, std::span(&posting, 1), 100);
    EXPECT_EQ(writer.position(), 8U); // 0000101 1
    writer.finish();
    EXPECT_EQ(copy(buffer), from_hex("0B"));
}

TEST(ShortList, IsReadAsItWasWritten) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 2000; ++round) {
        const std::size_t count = 1 + below(random, one_in(random, 2) ? 4 : block_postings - 1);
        const std::uint32_t documents = random_documents(random, count);
        const auto postings = random_postings(random, count, documents);
        ByteBuffer buffer = new_buffer();
        BitWriter writer(buffer);
        append_short_list(writer, postings, documents);
        ASSERT_EQ(writer.position(), short_list_bits(postings, documents));
        writer.fixed(0b1011, 4);
        writer.finish();

        const auto exact = copy(buffer);
        BitReader reader(exact);
        PostingBuffer found;
        read_short_list(reader, static_cast<std::uint32_t>(count), documents, found);
        ASSERT_EQ(as_postings(found), postings);
        ASSERT_EQ(reader.fixed(4), 0b1011U);

        BitReader skipping(exact);
        skip_short_list(skipping, static_cast<std::uint32_t>(count), documents);
        ASSERT_EQ(skipping.fixed(4), 0b1011U);
    }
}

TEST(ShortList, CostsAboutTheLogarithmOfTheGapAPosting) {
    Random random(4);
    const auto postings = random_postings(random, 100, 100000);
    std::vector<Posting> once = postings;
    for (Posting &posting : once)
        posting.count = 1;
    EXPECT_LT(short_list_bits(once, 100000), 100 * (10 + 2 + 1)); // log2(1000) is 9.97
}

TEST(ShortList, NeverNamesADocumentThatDoesNotExist) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 3000; ++round) {
        std::vector<std::uint8_t> noise(below(random, 200));
        for (std::uint8_t &byte : noise)
            byte = static_cast<std::uint8_t>(one_in(random, 2) ? random() : 0x80);
        const auto count = static_cast<std::uint32_t>(1 + below(random, block_postings - 1));
        const std::uint32_t documents = random_documents(random, count);
        PostingBuffer found;
        BitReader reader(noise);
        try {
            read_short_list(reader, count, documents, found);
        } catch (const Corrupt &) {
            continue;
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            ASSERT_LT(found.ordinals[i], documents);
            ASSERT_TRUE(i == 0 || found.ordinals[i - 1] < found.ordinals[i]);
        }
    }
}

// --- packing --------------------------------------------------------------------------------

Numbers random_numbers(Random &random, unsigned width) {
    Numbers numbers;
    for (std::uint32_t &number : numbers)
        number = width == 0 ? 0 : any_number(random, width);
    return numbers;
}

// What the format says, bit by bit: field i is in lane i mod 4, row i / 4, low bits first.
Numbers unpack_slowly(Bytes packed, unsigned width) {
    Numbers numbers{};
    for (std::size_t i = 0; i < packed_count; ++i) {
        for (unsigned bit = 0; bit < width; ++bit) {
            const std::size_t at = i / 4 * width + bit; // in the lane
            const std::size_t byte = (at / 32 * 4 + i % 4) * 4 + at % 32 / 8;
            numbers[i] |= static_cast<std::uint32_t>(packed[byte] >> (at % 8) & 1) << bit;
        }
    }
    return numbers;
}

TEST(Packing, IsWhatAPlainLoopReadsAtEveryWidth) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (unsigned width = 0; width <= 32; ++width) {
        for (int round = 0; round < 20; ++round) {
            const Numbers numbers = random_numbers(random, width);
            const Packing packing{.width = static_cast<std::uint8_t>(width), .exceptions = 0};
            ByteBuffer buffer = new_buffer();
            ByteWriter writer(buffer);
            append_packed(writer, numbers, packing);
            ASSERT_EQ(buffer.size(), packing.packed_bytes());
            ASSERT_EQ(unpack_slowly(buffer, width), numbers) << width;
            alignas(16) Numbers found;
            const auto exact = copy(buffer);
            read_packed(exact, packing, found);
            ASSERT_EQ(found, numbers) << width;
        }
    }
}

TEST(Packing, TakesTheWidthThatIsSmallestWithItsExceptions) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 200; ++round) {
        Numbers numbers = random_numbers(random, static_cast<unsigned>(below(random, 33)));
        for (std::size_t outliers = below(random, 10); outliers > 0; --outliers)
            numbers[below(random, packed_count)] = any_number(random);
        const auto size = [&](const Packing &packing) {
            ByteBuffer buffer = new_buffer();
            ByteWriter writer(buffer);
            append_packed(writer, numbers, packing);
            append_exceptions(writer, numbers, packing);
            return buffer.size();
        };
        const Packing best = smallest_packing(numbers);
        for (std::uint8_t width = 0; width <= 32; ++width)
            ASSERT_LE(size(best), size({.width = width, .exceptions = 0}));

        ByteBuffer buffer = new_buffer();
        ByteWriter writer(buffer);
        append_packed(writer, numbers, best);
        append_exceptions(writer, numbers, best);
        ByteReader reader(buffer);
        alignas(16) Numbers found;
        read_packed(reader.bytes(best.packed_bytes()), best, found);
        read_exceptions(reader, best, found);
        ASSERT_EQ(found, numbers);
        ASSERT_EQ(reader.remaining(), 0U);
    }
}

TEST(AddGaps, IsASumThatEndsWhereItShould) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 500; ++round) {
        const std::uint32_t first = any_number(random);
        // Narrow gaps, as in real blocks, and wide ones, whose sums wrap.
        const Numbers gaps = random_numbers(random, static_cast<unsigned>(below(random, 33)));
        Numbers expected;
        expected[0] = first;
        for (std::size_t i = 1; i < packed_count; ++i)
            expected[i] = expected[i - 1] + 1 + gaps[i];
        const std::uint32_t last = expected.back();
        const bool rises = *std::max_element(expected.begin(), expected.end()) == last;
        alignas(16) Numbers numbers = gaps;
        ASSERT_EQ(add_gaps(first, last, numbers), rises);
        ASSERT_EQ(numbers, expected);
        numbers = gaps;
        ASSERT_FALSE(add_gaps(first, last - 1, numbers));
        numbers = gaps;
        ASSERT_FALSE(add_gaps(first, last + 1, numbers));
    }
}

// --- blocks ---------------------------------------------------------------------------------

std::vector<std::uint32_t> random_lengths(Random &random, std::size_t count) {
    std::vector<std::uint32_t> lengths(count);
    const auto width = static_cast<unsigned>(1 + below(random, 31));
    for (std::uint32_t &length : lengths)
        length = any_number(random, width);
    return lengths;
}

TEST(PostingBlock, HasTheBytesOfItsFormat) {
    ByteBuffer buffer = new_buffer();
    const Posting postings[] = {{10, 1}, {12, 3}, {13, 1}};
    const std::uint32_t lengths[] = {7, 20, 9};
    append_block(buffer, postings, lengths);
    // gaps 1, 0 with parameter 0; counts 1, 3, 1: 1 | 01 011 | 1 1
    EXPECT_EQ(copy(buffer), from_hex("0E00 03 0A000000 03 02 01 07 03 14 AF"));
}

TEST(PostingBlock, OfASingleFullRunPacksToItsHeadAlone) {
    std::vector<Posting> postings;
    for (std::uint32_t i = 0; i < block_postings; ++i)
        postings.push_back({1000 + i, 1});
    ByteBuffer buffer = new_buffer();
    append_block(buffer, postings, std::vector<std::uint32_t>(block_postings, 30));
    EXPECT_EQ(copy(buffer), from_hex("0F00 80 E8030000 7F 01 01 1E 00 00 00 00"));
}

TEST(PostingBlock, IsReadAsItWasWritten) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 1000; ++round) {
        const std::size_t count =
            one_in(random, 2) ? block_postings : 1 + below(random, block_postings);
        const std::uint32_t documents = random_documents(random, count);
        const auto postings = random_postings(random, count, documents);
        ByteBuffer buffer = new_buffer();
        append_block(buffer, postings, random_lengths(random, count));
        ASSERT_LE(buffer.size(), max_block_bytes);
        const std::size_t size = buffer.size();
        buffer.push_back(0xFF); // of the next block

        const auto exact = copy(buffer);
        const PostingBlock block(exact, documents);
        ASSERT_EQ(block.size(), size);
        ASSERT_EQ(block.postings(), count);
        ASSERT_EQ(block.first(), postings.front().ordinal);
        ASSERT_EQ(block.last(), postings.back().ordinal);
        PostingBuffer found;
        block.decode(found);
        ASSERT_EQ(as_postings(found), postings);
    }
}

TEST(PostingBlock, StaysWithinItsLargestSizeWhateverItHolds) {
    Random random(5);
    for (const std::size_t count : {1U, 2U, 64U, 127U, 128U}) {
        auto postings = random_postings(random, count, UINT32_MAX);
        for (Posting &posting : postings)
            posting.count = UINT32_MAX;
        std::vector<std::uint32_t> lengths(count, UINT32_MAX);
        ByteBuffer buffer = new_buffer();
        append_block(buffer, postings, lengths);
        EXPECT_LE(buffer.size(), max_block_bytes) << count;
        PostingBuffer found;
        PostingBlock(buffer, UINT32_MAX).decode(found);
        EXPECT_EQ(as_postings(found), postings);
    }
}

TEST(PostingBlock, BoundsEveryPosting) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 500; ++round) {
        const std::size_t count = 1 + below(random, block_postings);
        auto postings = random_postings(random, count, 1U << 20);
        for (Posting &posting : postings)
            posting.count = 1 + any_number(random, 8);
        const auto lengths = random_lengths(random, count);
        ByteBuffer buffer = new_buffer();
        append_block(buffer, postings, lengths);
        const PostingBlock block(buffer, 1U << 20);
        ASSERT_GE(block.bounds().size(), 1U);
        for (std::size_t i = 0; i < count; ++i) {
            bool covered = false;
            for (const Bound &bound : block.bounds()) {
                covered =
                    covered || (bound.count >= postings[i].count && bound.length <= lengths[i]);
            }
            ASSERT_TRUE(covered);
        }
    }
}

TEST(PostingBlock, KeepsAFrontThatFitsExactly) {
    ByteBuffer buffer = new_buffer();
    const Posting postings[] = {{0, 2}, {1, 5}, {2, 4}, {3, 1}, {4, 2}};
    const std::uint32_t lengths[] = {20, 90, 95, 10, 25};
    append_block(buffer, postings, lengths);
    const PostingBlock block(buffer, 10);
    const std::vector<Bound> bounds(block.bounds().begin(), block.bounds().end());
    EXPECT_EQ(bounds, (std::vector<Bound>{{1, 10}, {2, 20}, {5, 90}}));
}

TEST(PostingBlock, OutOfItsSegmentIsCorrupt) {
    ByteBuffer buffer = new_buffer();
    const Posting postings[] = {{10, 1}, {12, 3}, {13, 1}};
    const std::uint32_t lengths[] = {7, 20, 9};
    append_block(buffer, postings, lengths);
    EXPECT_NO_THROW(PostingBlock(buffer, 14));
    EXPECT_THROW(PostingBlock(buffer, 13), Corrupt);
}

TEST(PostingBlock, DamagedIsRefusedOrStaysInItsSegment) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (const std::size_t count : {1U, 50U, 127U, 128U, 128U, 128U}) {
        const std::uint32_t documents = random_documents(random, count);
        const auto postings = random_postings(random, count, documents);
        ByteBuffer buffer = new_buffer();
        append_block(buffer, postings, random_lengths(random, count));
        damage(buffer, random, 2000, [&](Bytes damaged) {
            const PostingBlock block(damaged, documents);
            ASSERT_GT(block.size(), 0U);
            ASSERT_LE(block.size(), damaged.size());
            PostingBuffer found;
            block.decode(found);
            for (std::uint32_t i = 0; i < found.size; ++i)
                ASSERT_LT(found.ordinals[i], documents);
        });
    }
}

} // namespace
