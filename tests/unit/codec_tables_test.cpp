#include "index/codec/lengths.h"
#include "index/codec/rows.h"
#include "unit/codec_support.h"

namespace {

using namespace codec_test;
using namespace memory::codec;

std::vector<std::uint32_t> random_lengths(Random &random, std::size_t count) {
    std::vector<std::uint32_t> lengths(count);
    const auto usual = static_cast<unsigned>(1 + below(random, 32));
    for (std::uint32_t &length : lengths)
        length = any_number(random, one_in(random, 30) ? 32 : usual);
    return lengths;
}

TEST(Lengths, HaveTheBytesOfTheirFormat) {
    ByteBuffer buffer = new_buffer();
    const std::uint32_t lengths[] = {1, 254, 255, 0, 5, 6, 7, 8, 70000};
    append_lengths(buffer, lengths);
    EXPECT_EQ(copy(buffer), from_hex("0900 01 00 0200 FF01"
                                     "01FEFF0005060708FF"
                                     "0200FF000000 080070110100"));
}

TEST(Lengths, AreReadAsTheyWereWritten) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 300; ++round) {
        const auto lengths = random_lengths(random, below(random, 500));
        ByteBuffer buffer = new_buffer();
        append_lengths(buffer, lengths);
        ASSERT_EQ(buffer.size(), lengths_bytes(lengths));
        const auto exact = copy(buffer);
        const Lengths found(exact);
        ASSERT_EQ(found.size(), lengths.size());
        ASSERT_EQ(found.count_alive(), lengths.size());
        for (std::uint32_t i = 0; i < found.size(); ++i) {
            ASSERT_EQ(found[i], lengths[i]);
            ASSERT_TRUE(found.alive(i));
        }
    }
}

TEST(Lengths, TakeAByteADocumentUnlessMostAreLong) {
    std::vector<std::uint32_t> lengths(1000, 29);
    lengths[7] = 100000;
    EXPECT_EQ(lengths_bytes(lengths), 6U + 125 + 1000 + 6);
    EXPECT_EQ(lengths_bytes(std::vector<std::uint32_t>(1000, 400)), 6U + 125 + 2000);
    EXPECT_EQ(lengths_bytes(std::vector<std::uint32_t>(1000, 70000)), 6U + 125 + 4000);
}

TEST(Lengths, LoseTheDeadOneBitAtATime) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto lengths = random_lengths(random, 300);
    ByteBuffer buffer = new_buffer();
    append_lengths(buffer, lengths);
    std::set<std::uint32_t> dead;
    for (int round = 0; round < 100; ++round) {
        const auto ordinal = static_cast<std::uint32_t>(below(random, lengths.size()));
        buffer[Lengths::alive_byte(ordinal)] &=
            static_cast<std::uint8_t>(~Lengths::alive_bit(ordinal));
        dead.insert(ordinal);
        const Lengths found(buffer);
        ASSERT_EQ(found.count_alive(), lengths.size() - dead.size());
        for (std::uint32_t i = 0; i < found.size(); ++i) {
            ASSERT_EQ(found.alive(i), !dead.contains(i));
            ASSERT_EQ(found[i], lengths[i]);
        }
    }
}

TEST(Lengths, DamagedAreRefusedOrReadWithinTheirBytes) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 6; ++round) {
        ByteBuffer buffer = new_buffer();
        append_lengths(buffer, random_lengths(random, 1 + below(random, 60)));
        damage(buffer, random, 2000, [](Bytes damaged) {
            const Lengths found(damaged);
            ASSERT_LE(found.count_alive(), found.size());
            std::uint64_t sum = 0;
            for (std::uint32_t i = 0; i < found.size(); ++i)
                sum += found[i] + (found.alive(i) ? 1U : 0U);
            ASSERT_GE(sum, 0U);
        });
    }
}

// --- rows -----------------------------------------------------------------------------------

std::vector<Row> random_rows(Random &random, std::size_t count) {
    std::set<Tid> tids;
    const std::uint32_t blocks = 1 + any_number(random, one_in(random, 2) ? 8 : 31) * 2;
    const std::size_t offsets = one_in(random, 4) ? 0xFFFF : 60;
    while (tids.size() < count) {
        tids.insert({.block = static_cast<std::uint32_t>(below(random, blocks)),
                     .offset = static_cast<std::uint16_t>(1 + below(random, offsets))});
        if (tids.size() == std::size_t{blocks} * offsets)
            break;
    }
    std::vector<Row> rows;
    for (const Tid &tid : tids)
        rows.push_back({tid, static_cast<std::uint32_t>(random())});
    return rows;
}

std::vector<Row> all_rows(const Rows &table) {
    std::vector<Row> rows;
    RowGroup group;
    for (std::size_t i = 0; i < table.groups(); ++i) {
        table.read(i, group);
        EXPECT_EQ(rows.size(), i * group_rows);
        rows.insert(rows.end(), group.rows.begin(),
                    group.rows.begin() + static_cast<std::ptrdiff_t>(group.size));
    }
    for (std::uint32_t ordinal = 0; ordinal < rows.size(); ++ordinal)
        EXPECT_EQ(table.row(ordinal), rows[ordinal]);
    return rows;
}

TEST(Rows, HaveTheBytesOfTheirFormat) {
    ByteBuffer buffer = new_buffer();
    const Row rows[] = {{{.block = 200, .offset = 1}, 0x01020304},
                        {{.block = 203, .offset = 6}, 5}};
    EXPECT_EQ(append_rows(buffer, rows, 4096), 2U);
    // parameter 0 for 3 blocks over 2 rows, offsets of 3 bits: 1 001, 0001 110
    EXPECT_EQ(copy(buffer), from_hex("0200 0400 01 00 03 C801 04030201 05000000 91 C0"));
}

TEST(Rows, AreReadAsTheyWereWritten) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 100; ++round) {
        const auto rows = random_rows(random, below(random, 1000));
        const std::size_t capacity = 2100 + below(random, 60000);
        std::vector<Row> found;
        while (found.size() < rows.size()) {
            ByteBuffer buffer = new_buffer();
            const std::size_t taken =
                append_rows(buffer, std::span(rows).subspan(found.size()), capacity);
            ASSERT_GT(taken, 0U);
            ASSERT_LE(buffer.size(), capacity);
            const auto exact = copy(buffer);
            const Rows table(exact);
            ASSERT_EQ(table.size(), taken);
            const auto part = all_rows(table);
            found.insert(found.end(), part.begin(), part.end());
        }
        ASSERT_EQ(found, rows);
    }
}

TEST(Rows, OfNothingAreATableAllTheSame) {
    ByteBuffer buffer = new_buffer();
    EXPECT_EQ(append_rows(buffer, {}, 4096), 0U);
    EXPECT_EQ(Rows(buffer).size(), 0U);
    EXPECT_EQ(Rows(buffer).groups(), 0U);
}

TEST(Rows, DamagedAreRefusedOrValidTids) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 4; ++round) {
        ByteBuffer buffer = new_buffer();
        append_rows(buffer, random_rows(random, 1 + below(random, 200)), 65535);
        damage(buffer, random, 1000, [](Bytes damaged) {
            for (const Row &row : all_rows(Rows(damaged))) {
                ASSERT_NE(row.tid.block, no_block);
                ASSERT_NE(row.tid.offset, 0);
            }
        });
    }
}

} // namespace
