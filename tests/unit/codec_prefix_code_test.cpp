#include "index/codec/prefix_code.h"
#include "unit/codec_support.h"

#include <array>
#include <cmath>

namespace {

using namespace codec_test;
using namespace memory::codec;

SymbolCounts counts_of(const std::vector<std::string> &texts) {
    SymbolCounts counts{};
    for (const std::string &text : texts) {
        for (const char byte : text)
            ++counts[static_cast<unsigned char>(byte)];
        ++counts[end_mark];
    }
    return counts;
}

std::vector<std::uint8_t> stored(const PrefixEncoder &encoder) {
    ByteBuffer buffer = new_buffer();
    ByteWriter writer(buffer);
    encoder.store(writer);
    return copy(buffer);
}

std::vector<std::uint8_t> written(const PrefixEncoder &encoder,
                                  const std::vector<std::string> &texts) {
    ByteBuffer buffer = new_buffer();
    BitWriter writer(buffer);
    for (const std::string &text : texts) {
        for (const char byte : text)
            encoder.write(writer, static_cast<unsigned char>(byte));
        encoder.write(writer, end_mark);
    }
    writer.finish();
    return copy(buffer);
}

std::string read(const PrefixDecoder &decoder, BitReader &reader) {
    std::array<char, 1000> room{};
    return {room.data(), decoder.read(reader, room)};
}

void expect_round_trip(const std::vector<std::string> &texts, const SymbolCounts &counts) {
    const PrefixEncoder encoder(counts);
    const auto code = stored(encoder);
    const auto bits = written(encoder, texts);
    ByteReader code_reader(code);
    const PrefixDecoder decoder(code_reader);
    EXPECT_EQ(code_reader.remaining(), 0U);
    BitReader reader(bits);
    for (const std::string &text : texts)
        ASSERT_EQ(read(decoder, reader), text);
}

TEST(PrefixCode, HasTheBytesOfItsFormat) {
    // e twice as often as the end mark, that twice as often as a and b: 0, 10, 110, 111
    SymbolCounts counts{};
    counts['e'] = 8;
    counts[end_mark] = 4;
    counts['a'] = 2;
    counts['b'] = 2;
    const PrefixEncoder encoder(counts);
    EXPECT_EQ(stored(encoder), from_hex("03 01 01 02 01 65 61 62"));
    EXPECT_EQ(written(encoder, {"eab"}), from_hex("6F 00")); // 0 110 111 10
}

TEST(PrefixCode, ReadsWhatItWrote) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::string> texts(1 + below(random, 50));
        for (std::string &text : texts)
            text = random_term(random);
        expect_round_trip(texts, counts_of(texts));
    }
}

TEST(PrefixCode, HoldsOneByteOrAllOfThem) {
    expect_round_trip({"a"}, counts_of({"a"}));
    expect_round_trip({std::string(1, '\0')}, counts_of({std::string(1, '\0')}));
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
        all += static_cast<char>(byte);
    expect_round_trip({all, all}, counts_of({all}));
}

TEST(PrefixCode, IsNeverLongerThanFifteenBits) {
    // Fibonacci's numbers make Huffman's tree as deep as it gets.
    SymbolCounts counts{};
    std::uint64_t before = 1;
    std::uint64_t current = 1;
    std::string all;
    for (std::size_t symbol = 0; symbol < 60; ++symbol) {
        counts[symbol] = current;
        current += std::exchange(before, current);
        all += static_cast<char>(symbol);
    }
    counts[end_mark] = 1;
    const PrefixEncoder encoder(counts);
    for (std::size_t symbol = 0; symbol < 60; ++symbol) {
        EXPECT_GE(encoder.length(symbol), 1U);
        EXPECT_LE(encoder.length(symbol), longest_code);
    }
    expect_round_trip({all}, counts);
}

TEST(PrefixCode, IsWithinOneBitASymbolOfTheEntropy) {
    Random random(3);
    SymbolCounts counts{};
    double total = 0;
    for (std::size_t symbol = 0; symbol < symbol_count; ++symbol) {
        counts[symbol] = 1 + below(random, symbol % 7 == 0 ? 5000 : 50);
        total += static_cast<double>(counts[symbol]);
    }
    const PrefixEncoder encoder(counts);
    double entropy = 0;
    double bits = 0;
    for (std::size_t symbol = 0; symbol < symbol_count; ++symbol) {
        const auto count = static_cast<double>(counts[symbol]);
        entropy -= count * std::log2(count / total);
        bits += count * encoder.length(symbol);
    }
    EXPECT_GE(bits, entropy);
    EXPECT_LE(bits, entropy + 0.06 * total);
}

TEST(PrefixCode, GivesNoCodeToWhatDoesNotOccur) {
    const PrefixEncoder encoder(counts_of({"abc"}));
    EXPECT_GT(encoder.length('a'), 0U);
    EXPECT_EQ(encoder.length('d'), 0U);
}

TEST(PrefixCode, ThatIsIncompleteIsCorrupt) {
    const auto refused = [](std::string_view hex) {
        const auto bytes = from_hex(hex);
        ByteReader reader(bytes);
        EXPECT_THROW(PrefixDecoder{reader}, Corrupt) << hex;
    };
    refused("00");
    refused("10");
    refused("01 01 00");       // one code of one bit: half of all bit strings mean nothing
    refused("01 03 00 61 62"); // three codes of one bit
    refused("02 01 01 00 61"); // 0, 10, and 11 is missing
    refused("01 02 02 61");    // the end mark is nowhere
    refused("01 02 00");       // the bytes are missing
    refused("0F 00 00 00 00 00 00 00 00 00 00 00 00 00 00 808002 00"); // 2^15 symbols
}

TEST(PrefixCode, RefusesATextLongerThanItsRoom) {
    const PrefixEncoder encoder(counts_of({"aaaa"}));
    const auto code = stored(encoder);
    const auto bits = written(encoder, {"aaaa"});
    ByteReader code_reader(code);
    const PrefixDecoder decoder(code_reader);
    std::array<char, 3> room{};
    BitReader reader(bits);
    EXPECT_THROW(decoder.read(reader, room), Corrupt);
}

TEST(PrefixCode, DamagedIsRefusedOrReadWithinItsBytes) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<std::string> texts;
    for (const std::string &term : random_terms(random, 50))
        texts.push_back(term);
    const PrefixEncoder encoder(counts_of(texts));
    std::vector<std::uint8_t> all = stored(encoder);
    const auto bits = written(encoder, texts);
    all.insert(all.end(), bits.begin(), bits.end());
    damage(all, random, 3000, [&](Bytes damaged) {
        ByteReader reader(damaged);
        const PrefixDecoder decoder(reader);
        BitReader text(reader.rest());
        for (std::size_t i = 0; i < texts.size(); ++i)
            read(decoder, text);
    });
}

} // namespace
