// Every character of Unicode: our kinds agree with ICU's properties and with UAX #29.
#include "text/characters.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>

#include "text/utf8.h"

namespace {

using namespace memory::text;

template <typename Use>
void each_scalar_value(Use use) {
    for (char32_t point = 0x80; point <= 0x10FFFF; ++point)
        if (point < 0xD800 || point > 0xDFFF)
            use(point);
}

int32_t word_break(char32_t point) {
    return u_getIntPropertyValue(static_cast<UChar32>(point), UCHAR_WORD_BREAK);
}

TEST(Characters, HaveTheSameKindWithAndWithoutTheShortcut) {
    each_scalar_value([](char32_t point) {
        ASSERT_EQ(kind_beyond_ascii(point), kind_by_properties(point))
            << std::hex << static_cast<std::uint32_t>(point);
    });
}

TEST(Characters, ThatWeJoinInAnAtomAreJoinedByUax29) {
    each_scalar_value([](char32_t point) {
        const int32_t expected = word_break(point);
        if (kind_of(point) == Kind::letter) {
            ASSERT_TRUE(expected == U_WB_ALETTER || expected == U_WB_HEBREW_LETTER)
                << std::hex << static_cast<std::uint32_t>(point);
        } else if (kind_of(point) == Kind::digit) {
            ASSERT_EQ(expected, U_WB_NUMERIC) << std::hex << static_cast<std::uint32_t>(point);
        } else if (kind_of(point) == Kind::mark) {
            ASSERT_TRUE(expected == U_WB_EXTEND || expected == U_WB_FORMAT ||
                        expected == U_WB_ZWJ || expected == U_WB_ALETTER)
                << std::hex << static_cast<std::uint32_t>(point);
        }
    });
}

TEST(Characters, ThatAreLettersOrDigitsAreNoSeparators) {
    each_scalar_value([](char32_t point) {
        if (u_isalnum(static_cast<UChar32>(point))) {
            ASSERT_NE(kind_of(point), Kind::separator)
                << std::hex << static_cast<std::uint32_t>(point);
        }
    });
}

TEST(Characters, AreReadBackAsWritten) {
    std::pmr::string bytes;
    each_scalar_value([&](char32_t point) {
        bytes.clear();
        append(bytes, point);
        const Decoded read = decode(bytes, 0);
        ASSERT_EQ(read.point, point);
        ASSERT_EQ(read.size, bytes.size());
        ASSERT_EQ(decode_before(bytes, bytes.size()).point, point);
    });
}

TEST(Characters, AreRefusedInTwoBytesUnlessWellFormed) {
    for (unsigned first = 0x80; first < 0x100; ++first)
        for (unsigned second = 0; second < 0x100; ++second) {
            const char bytes[] = {static_cast<char>(first), static_cast<char>(second)};
            const bool well_formed =
                first >= 0xC2 && first < 0xE0 && second >= 0x80 && second < 0xC0;
            EXPECT_EQ(decode({bytes, 2}, 0).point != bad_byte, well_formed) << first << second;
        }
}

TEST(Characters, GlueIdentifiersInFullWidthToo) {
    EXPECT_EQ(joiner_of(0xFF20), '@');
    EXPECT_EQ(joiner_of(0x2011), '-');
    EXPECT_EQ(joiner_of(','), '\0');
    EXPECT_EQ(joiner_of(' '), '\0');
    EXPECT_TRUE(glues_names('.') && glues_paths('.'));
    EXPECT_TRUE(!glues_names('/') && glues_paths('/'));
}

} // namespace
