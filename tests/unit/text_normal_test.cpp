// Normal forms by pieces are ICU's of the whole text.
#include "text/normal.h"

#include "text/utf8.h"

#include <array>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include <unicode/utf16.h>

namespace {

using namespace memory::text;

std::pmr::u16string by_icu(const UNormalizer2 *form, const std::pmr::u16string &source) {
    std::pmr::u16string result(source.size() * 18 + 16, u'\0');
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t size =
        unorm2_normalize(form, source.data(), static_cast<std::int32_t>(source.size()),
                         result.data(), static_cast<std::int32_t>(result.size()), &status);
    EXPECT_FALSE(U_FAILURE(status));
    result.resize(static_cast<std::size_t>(size));
    return result;
}

std::pmr::u16string by_us(const UNormalizer2 *form, const std::pmr::u16string &source) {
    Pause pause(Interruption::none());
    std::pmr::u16string result;
    append_normalized(form, source, result, pause);
    return result;
}

class NormalForms : public testing::Test {
  protected:
    // A text of some of these characters, by chance; some of them come in long rows.
    std::pmr::u16string some_of(std::u32string_view characters, std::size_t count) {
        std::pmr::u16string text;
        while (text.size() < count) {
            const char32_t point = characters[random_() % characters.size()];
            for (std::size_t left = random_() % 16 == 0 ? random_() % 400 : 1; left > 0; --left) {
                if (point > 0xFFFF)
                    text.push_back(U16_LEAD(point));
                text.push_back(static_cast<char16_t>(
                    point > 0xFFFF ? static_cast<char32_t>(U16_TRAIL(point)) : point));
            }
        }
        return text;
    }

    void expect_icus(std::u32string_view characters) {
        for (const UNormalizer2 *form : {nfkc_case_folding(), nfkc()})
            for (std::size_t round = 0; round < 40; ++round) {
                const std::pmr::u16string text = some_of(characters, 100 + 50 * round);
                ASSERT_EQ(by_us(form, text), by_icu(form, text));
            }
    }

  private:
    std::mt19937 random_{1};
};

TEST_F(NormalForms, AreICUsOfLettersWithMarks) {
    expect_icus(U"aeAE \u0300\u0301\u0316\u0323\u0327\u0345\u1E69\u00C5\uFB01\u00BD\u1D15E");
}

TEST_F(NormalForms, AreICUsOfMarksAlone) {
    expect_icus(
        U"\u0300\u0301\u0316\u0323\u0327\u0345\u0344\u0F71\u0F72\u0F73\U0001D165\U0001D16D");
}

TEST_F(NormalForms, AreICUsOfMarksWithWhatVanishesBetweenThem) {
    expect_icus(U"a\u0301\u0316\u034F\u00AD\u200D\u200B\uFE0F\u115F");
}

TEST_F(NormalForms, AreICUsOfHangulInParts) {
    expect_icus(U"\u1100\u1161\u1162\u11A8\u11A9\uAC00\uAC01\u3131\u314F\uFFA1");
}

TEST_F(NormalForms, AreICUsOfIndicVowelsInParts) {
    expect_icus(U"\u0995\u09C7\u09BE\u09D7\u0B92\u0BD7\u0CC6\u0CC2\u0CD5\u1025\u102E\u0DD9\u0DCA");
}

TEST_F(NormalForms, OfALongRowOfMarksAreInTheirOrder) {
    std::pmr::u16string text = u"a";
    for (int i = 0; i < 20000; ++i)
        text += u"\u0301\u0316";
    const std::pmr::u16string normal = by_us(nfkc(), text);
    // The acute that comes first makes another letter; behind it come those below, then those
    // above.
    EXPECT_EQ(normal.substr(0, 1), u"\u00E1");
    EXPECT_EQ(normal.substr(1, 20000), std::pmr::u16string(20000, u'\u0316'));
    EXPECT_EQ(normal.substr(20001), std::pmr::u16string(19999, u'\u0301'));
}

} // namespace
