// Scripts without spaces between words, and emoji.
#include "text_support.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "text/vietnamese.h"

namespace {

using namespace text_test;

class Scripts : public testing::Test {
  protected:
    Terms terms(std::string_view text) { return texts_.terms(text); }
    bool has(std::string_view text, std::string_view term) {
        const Terms found = terms(text);
        return std::find(found.begin(), found.end(), term) != found.end();
    }
    Texts texts_;
};

TEST_F(Scripts, OfEastAsiaAreBigrams) {
    EXPECT_EQ(terms("東京都"), (Terms{"東京", "京都"}));
    EXPECT_EQ(terms("日本で梅雨がない"),
              (Terms{"日本", "本で", "で梅", "梅雨", "雨が", "がな", "ない"}));
    EXPECT_EQ(terms("서울에서 왔다"), (Terms{"서울", "울에", "에서", "왔다"}));
    EXPECT_EQ(terms("スーパー"), (Terms{"スー", "ーパ", "パー"}));
}

TEST_F(Scripts, OfEastAsiaHaveTheirSingleCharactersWeakly) {
    EXPECT_EQ(texts_.analyze("黒猫"), (std::vector<Found>{{"黒", 0, 0, 3, Weight::weak},
                                                          {"黒猫", 0, 0, 6, Weight::word},
                                                          {"猫", 1, 3, 6, Weight::weak}}));
    EXPECT_EQ(texts_.analyze("3月"), (std::vector<Found>{{"3", 0, 0, 1, Weight::word},
                                                         {"月", 1, 1, 4, Weight::single},
                                                         {"月", 1, 1, 4, Weight::weak}}));
}

TEST_F(Scripts, OfEastAsiaMeetInEveryWidthAndComposition) {
    EXPECT_EQ(terms("ﾃﾞｰﾀ"), terms("データ"));
    EXPECT_EQ(terms("か\u3099く"), terms("がく"));
    EXPECT_EQ(terms("\u1112\u1161\u11AB\u1100\u116E\u11A8"), terms("한국")) << "conjoining jamo";
    EXPECT_EQ(texts_.source("\u1112\u1161\u11AB\u1100\u116E\u11A8", "한국").size(), 18U);
    EXPECT_EQ(terms("㌀"), terms("アパート")) << "a squared word";
}

TEST_F(Scripts, OfEastAsiaEndWhereWordsOfOthersBegin) {
    EXPECT_EQ(terms("東京Tower塔"), (Terms{"東京", "tower", "塔"}));
    EXPECT_EQ(terms("「猫」、犬。"), (Terms{"猫", "犬"}));
}

TEST_F(Scripts, OfSouthEastAsiaAreDictionaryWordsAndTrigrams) {
    EXPECT_TRUE(has("ฉันรักแมวดำ", "แมว")) << "a word of ICU's dictionary";
    EXPECT_TRUE(has("ฉันรักแมวดำ", "รัก"));
    EXPECT_TRUE(has("หมู", "หมู")) << "two clusters";
    EXPECT_EQ(texts_.source("ฉันรักแมวดำ", "แมว"), "แมว");
    EXPECT_TRUE(has("ສະບາຍດີ", "ສະບ"));
    EXPECT_FALSE(terms("မြန်မာစာ").empty());
    EXPECT_FALSE(terms("ភាសាខ្មែរ").empty());
}

TEST_F(Scripts, OfSouthEastAsiaShareOrdinalsByCluster) {
    std::vector<Found> found = texts_.analyze("ภาษาไทย x");
    EXPECT_EQ(found.back().term, "x");
    EXPECT_EQ(found.back().ordinal, 7U);
    for (const Found &token : found)
        if (token.term == "ไทย") {
            EXPECT_EQ(token.ordinal, 4U);
        }
}

TEST_F(Scripts, OfSouthEastAsiaAreBoundedWithoutLosingTheRest) {
    std::string run;
    for (int i = 0; i < 5000; ++i)
        run += "ภาษาไทย";
    const std::vector<Found> found = texts_.analyze(run + " tail");
    EXPECT_EQ(found.back().term, "tail");
    EXPECT_EQ(found.back().ordinal, 35000U);
}

class Emoji : public Scripts {};

TEST_F(Emoji, AreTokensOneByOne) {
    EXPECT_EQ(terms("😀😀🎉"), (Terms{"😀", "😀", "🎉"}));
    EXPECT_EQ(terms("good👍day"), (Terms{"good", "👍", "day"}));
}

TEST_F(Emoji, InSequencesAreWholeAndInParts) {
    EXPECT_EQ(terms("👩‍💻"), (Terms{"👩", "💻", "👩‍💻"}));
    EXPECT_EQ(terms("👍🏽"), (Terms{"👍", "👍🏽"}));
    EXPECT_EQ(terms("👨🏽‍👩🏽‍👧"),
              (Terms{"👨", "👩", "👧", "👨🏽‍👩🏽‍👧"}));
    EXPECT_EQ(texts_.analyze("👩‍💻")[0].ordinal, texts_.analyze("👩‍💻")[2].ordinal);
}

TEST_F(Emoji, MeetWithAndWithoutPresentationSelector) {
    EXPECT_EQ(terms("❤️"), terms("❤"));
    EXPECT_EQ(terms("❤️‍🔥"), terms("❤‍🔥"));
}

TEST_F(Emoji, OfFlagsAndKeycapsAreWhole) {
    EXPECT_EQ(terms("🇩🇪🇫🇷"), (Terms{"🇩🇪", "🇫🇷"}));
    EXPECT_EQ(terms("🏴󠁧󠁢󠁥󠁮󠁧󠁿").back(), "🏴󠁧󠁢󠁥󠁮󠁧󠁿");
    EXPECT_EQ(terms("1️⃣2️⃣#️⃣"), (Terms{"1⃣", "2⃣", "#⃣"}));
    EXPECT_EQ(terms("12"), (Terms{"12"}));
}

TEST_F(Emoji, ThatAreBrokenBreakNothing) {
    EXPECT_EQ(terms("👩\u200D x"), (Terms{"👩", "x"}));
    EXPECT_EQ(terms("🇩 x"), (Terms{"🇩", "x"}));
    EXPECT_EQ(terms("\u200D\uFE0F x"), (Terms{"x"}));
}

TEST(VietnameseSyllables, AreToldFromOtherAccentedWords) {
    using memory::text::is_vietnamese_syllable;
    for (const std::u16string_view word : {u"a\u0300", u"ma\u0323", u"d\u0323"})
        EXPECT_EQ(is_vietnamese_syllable(word), word != u"d\u0323");
    EXPECT_TRUE(is_vietnamese_syllable(u"nghie\u0302ng"));
    EXPECT_TRUE(is_vietnamese_syllable(u"\u0111u\u031Bo\u031B\u0300ng"));
    EXPECT_TRUE(is_vietnamese_syllable(u"quo\u0302\u0301c"));
    EXPECT_FALSE(is_vietnamese_syllable(u"quo\u0302\u0300c")) << "a stop under the wrong tone";
    EXPECT_FALSE(is_vietnamese_syllable(u"cafe\u0301"));
    EXPECT_FALSE(is_vietnamese_syllable(u"ma\u0301\u0300")) << "two tones";
    EXPECT_FALSE(is_vietnamese_syllable(u"ban")) << "no accent";
    EXPECT_FALSE(is_vietnamese_syllable(u"u\u0308ber"));
}

} // namespace
