#include "index/codec/bits.h"
#include "unit/codec_support.h"

#include <algorithm>

namespace {

using namespace codec_test;
using namespace memory::codec;

TEST(Bytes, AreLittleEndian) {
    ByteBuffer buffer = new_buffer();
    ByteWriter writer(buffer);
    writer.fixed(std::uint16_t{0x0102});
    writer.fixed(std::uint32_t{0x03040506});
    EXPECT_EQ(copy(buffer), from_hex("0201 06050403"));
    ByteReader reader(buffer);
    EXPECT_EQ(reader.fixed<std::uint16_t>(), 0x0102);
    EXPECT_EQ(reader.fixed<std::uint32_t>(), 0x03040506U);
    EXPECT_EQ(reader.remaining(), 0U);
}

TEST(Bytes, ReadPastTheEndThrow) {
    const std::vector<std::uint8_t> three = {1, 2, 3};
    EXPECT_THROW(ByteReader(three).fixed<std::uint32_t>(), Corrupt);
    EXPECT_THROW(ByteReader(three).bytes(4), Corrupt);
    EXPECT_THROW(ByteReader(three).skip(SIZE_MAX), Corrupt);
    EXPECT_THROW(ByteReader({}).varint(), Corrupt);
    ByteReader reader(three);
    reader.skip(2);
    EXPECT_THROW(reader.fixed<std::uint16_t>(), Corrupt);
    EXPECT_EQ(reader.fixed<std::uint8_t>(), 3) << "what throws takes nothing";
}

TEST(Varint, TakesAsManyBytesAsItNeeds) {
    const std::pair<std::uint32_t, std::size_t> cases[] = {
        {0, 1},       {127, 1},     {128, 2},       {16383, 2},     {16384, 3},
        {2097151, 3}, {2097152, 4}, {268435455, 4}, {268435456, 5}, {UINT32_MAX, 5}};
    for (const auto &[number, size] : cases) {
        ByteBuffer buffer = new_buffer();
        ByteWriter(buffer).varint(number);
        EXPECT_EQ(buffer.size(), size) << number;
        EXPECT_EQ(varint_size(number), size) << number;
        EXPECT_EQ(ByteReader(buffer).varint(), number);
    }
}

TEST(Varint, OfMoreThan32BitsIsCorrupt) {
    EXPECT_EQ(ByteReader(from_hex("FFFFFFFF0F")).varint(), UINT32_MAX);
    EXPECT_THROW(ByteReader(from_hex("FFFFFFFF1F")).varint(), Corrupt);
    EXPECT_THROW(ByteReader(from_hex("8080808080")).varint(), Corrupt);
    EXPECT_THROW(ByteReader(from_hex("FFFF")).varint(), Corrupt);
}

TEST(CommonPrefix, CountsTheBytesSharedAtTheFront) {
    EXPECT_EQ(common_prefix("", "abc"), 0U);
    EXPECT_EQ(common_prefix("abc", "abd"), 2U);
    EXPECT_EQ(common_prefix("ab", "abd"), 2U);
    EXPECT_EQ(common_prefix("abc", "abc"), 3U);
}

TEST(Bits, FillBytesFromTheTop) {
    ByteBuffer buffer = new_buffer();
    BitWriter writer(buffer);
    writer.fixed(0b101, 3);
    writer.gamma(1);   // 1
    writer.gamma(5);   // 00101
    writer.rice(6, 2); // 0 1 10
    EXPECT_EQ(writer.position(), 13U);
    writer.finish();
    EXPECT_EQ(copy(buffer), from_hex("B2 B0"));
    EXPECT_EQ(writer.position(), 16U);
}

// One field of any code, with what to read back.
struct Field {
    enum { fixed, gamma, rice } code;
    std::uint64_t value;
    unsigned width; // or Rice parameter
};

Field random_field(Random &random) {
    switch (below(random, 3)) {
    case 0: {
        const auto width = static_cast<unsigned>(below(random, max_field_bits + 1));
        return {Field::fixed, random() & ((std::uint64_t{1} << width) - 1), width};
    }
    case 1:
        return {Field::gamma, std::max(1U, any_number(random)), 0};
    default: {
        const auto parameter = static_cast<unsigned>(below(random, 32));
        const std::uint32_t quotient = any_number(random, 8);
        const std::uint64_t value = (std::uint64_t{quotient} << parameter) |
                                    (random() & ((std::uint64_t{1} << parameter) - 1));
        return {Field::rice, std::min<std::uint64_t>(value, UINT32_MAX), parameter};
    }
    }
}

void write(BitWriter &writer, const Field &field) {
    const auto value = static_cast<std::uint32_t>(field.value);
    switch (field.code) {
    case Field::fixed:
        return writer.fixed(field.value, field.width);
    case Field::gamma:
        return writer.gamma(value);
    case Field::rice:
        return writer.rice(value, field.width);
    }
}

std::uint64_t read(BitReader &reader, const Field &field) {
    switch (field.code) {
    case Field::fixed:
        return reader.fixed(field.width);
    case Field::gamma:
        return reader.gamma();
    default:
        return reader.rice(field.width);
    }
}

std::size_t bits(const Field &field) {
    const auto value = static_cast<std::uint32_t>(field.value);
    return field.code == Field::fixed   ? field.width
           : field.code == Field::gamma ? gamma_bits(value)
                                        : rice_bits(value, field.width);
}

TEST(Bits, AreReadAsTheyWereWritten) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 200; ++round) {
        std::vector<Field> fields(below(random, 60));
        ByteBuffer buffer = new_buffer();
        BitWriter writer(buffer);
        std::size_t size = 0;
        for (Field &field : fields) {
            field = random_field(random);
            write(writer, field);
            size += bits(field);
        }
        ASSERT_EQ(writer.position(), size);
        writer.finish();
        ASSERT_EQ(buffer.size(), (size + 7) / 8);
        const std::vector<std::uint8_t> exact = copy(buffer);
        BitReader reader(exact);
        for (const Field &field : fields)
            ASSERT_EQ(read(reader, field), field.value) << field.code << ' ' << field.width;
    }
}

TEST(Bits, ReadPastTheEndThrow) {
    const std::vector<std::uint8_t> zeros(20, 0);
    EXPECT_THROW(BitReader(zeros).gamma(), Corrupt);
    EXPECT_THROW(BitReader(zeros).rice(3), Corrupt);
    BitReader reader(zeros);
    reader.skip(155);
    EXPECT_EQ(reader.fixed(5), 0U);
    EXPECT_THROW(reader.fixed(1), Corrupt);
    EXPECT_EQ(BitReader({}).fixed(0), 0U);
    EXPECT_THROW(BitReader({}).fixed(1), Corrupt);
}

TEST(Bits, OfNumbersBeyond32BitsAreCorrupt) {
    std::vector<std::uint8_t> bytes(16, 0);
    bytes[4] = 0x80; // 32 zeros, then a one: gamma of 2^32
    EXPECT_THROW(BitReader(bytes).gamma(), Corrupt);
    EXPECT_THROW(BitReader(bytes).rice(28), Corrupt);
    EXPECT_EQ(BitReader(bytes).rice(0), 32U);
}

TEST(RiceParameter, IsTheLogarithmOfTheMedianGap) {
    EXPECT_EQ(rice_parameter(0, 1), 0U);
    EXPECT_EQ(rice_parameter(100, 100), 0U);
    EXPECT_EQ(rice_parameter(1000, 10), 6U);
    EXPECT_EQ(rice_parameter(UINT32_MAX, 1), 31U);
}

} // namespace
