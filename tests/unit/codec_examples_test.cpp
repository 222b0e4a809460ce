// The bytes that docs/index.md shows. A format that changes fails here, and the page with it.
#include "index/codec/posting_block.h"
#include "index/codec/record.h"
#include "index/segment/catalogue.h"
#include "unit/codec_support.h"

#include <array>
#include <cstdio>

namespace {

using namespace codec_test;
using namespace memory::codec;

std::string hex(Bytes bytes) {
    std::string digits;
    for (const std::uint8_t byte : bytes) {
        std::array<char, 4> two;
        std::snprintf(two.data(), two.size(), "%02x ", byte);
        digits += two.data();
    }
    digits.pop_back();
    return digits;
}

// "The train to Vienna was late.", a row at (0, 4).
TEST(Example, Record) {
    const std::array<TermCount, 6> terms{
        {{"\1the", 1}, {"\1to", 1}, {"\1was", 1}, {"late", 1}, {"train", 1}, {"vienna", 1}}};
    ByteBuffer buffer = new_buffer();
    append_record(buffer, {{0, 4}, 3, 0x107DAA09}, terms, false, max_record_bytes);
    EXPECT_EQ(hex(buffer), "27 00 09 aa 7d 10 00 04 06 06 "
                           "03 01 74 68 65 "      // \1the
                           "20 6f "               // \1to
                           "12 77 61 73 "         // \1was
                           "03 6c 61 74 65 "      // late
                           "04 74 72 61 69 6e "   // train
                           "05 76 69 65 6e 6e 61" // vienna
    );
}

TEST(Example, ShortList) {
    const std::array<Posting, 3> postings{{{2, 1}, {3, 2}, {70, 1}}};
    ByteBuffer buffer = new_buffer();
    BitWriter writer(buffer);
    append_short_list(writer, postings, 100);
    writer.finish();
    EXPECT_EQ(short_list_bits(postings, 100), 24U);
    EXPECT_EQ(hex(buffer), "96 08 25");
}

// `count` documents from `first` on, each with the term once, all of two tokens.
ByteBuffer block_of(std::uint32_t first, std::uint32_t count) {
    std::vector<Posting> postings;
    for (std::uint32_t i = 0; i < count; ++i)
        postings.push_back({first + i, 1});
    ByteBuffer buffer = new_buffer();
    append_block(buffer, postings, std::vector<std::uint32_t>(count, 2));
    return buffer;
}

TEST(Example, BlocksOfATermThatAllDocumentsHave) {
    EXPECT_EQ(hex(block_of(0, 128)), "0f 00 80 00 00 00 00 7f 01 01 02 00 00 00 00");
    EXPECT_EQ(hex(block_of(128, 72)), "1d 00 48 80 00 00 00 47 01 01 02 "
                                      "ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff fe");
}

TEST(Example, BlockWithAnException) {
    std::vector<Posting> postings;
    for (std::uint32_t i = 0; i < block_postings; ++i)
        postings.push_back({1000 + 2 * i, i == 5 ? 40U : 1U});
    ByteBuffer buffer = new_buffer();
    append_block(buffer, postings, std::vector<std::uint32_t>(block_postings, 20));
    EXPECT_EQ(hex(buffer), "22 00 80 e8 03 00 00 fe 01 01 28 14 01 00 00 01 "
                           "fe ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 05 27");
}

TEST(Example, Catalogue) {
    memory::segment::Contents contents(std::pmr::get_default_resource());
    contents.documents = 200;
    contents.last_block = 1;
    contents.lengths.push_back({3, 68});
    contents.rows.push_back({{3, 299}, 0});
    contents.dictionaries.push_back({3, 1339});
    ByteBuffer buffer = new_buffer();
    append_catalogue(buffer, contents);
    EXPECT_EQ(hex(buffer), "c8 00 00 00 01 00 00 00 01 00 00 00 03 00 00 00 44 00 "
                           "03 00 00 00 2b 01 00 00 00 00 03 00 00 00 3b 05 00 00 00 00");
}

} // namespace
