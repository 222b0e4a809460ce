// Words: where they end, how they are folded, what a dictionary does to them.
#include "text_support.h"

#include <gtest/gtest.h>
#include <stdexcept>

#include "text/error.h"
#include "text/term.h"

namespace {

using namespace text_test;

class Words : public testing::Test {
  protected:
    Terms terms(std::string_view text) { return texts_.terms(text); }
    Texts texts_;
};

TEST_F(Words, EndAtSpacesAndPunctuationAndKnowWhereTheyStand) {
    EXPECT_EQ(texts_.analyze("Red cars,  blue"),
              (std::vector<Found>{{"red", 0, 0, 3, Weight::word},
                                  {"car", 1, 4, 8, Weight::word},
                                  {"blue", 2, 11, 15, Weight::word}}));
}

TEST_F(Words, OfEmptyAndBlankTextsAreNone) {
    EXPECT_TRUE(texts_.analyze("").empty());
    EXPECT_TRUE(texts_.analyze(" \t\n…—!?").empty());
    EXPECT_TRUE(texts_.analyze("\u00AD\u200B\uFEFF\u0301").empty());
}

TEST_F(Words, AreFoldedToOneCase) {
    EXPECT_EQ(terms("STRASSE Straße straße"), (Terms{"strasse", "strasse", "strasse"}));
    EXPECT_EQ(terms("ΣΊΣΥΦΟΣ σίσυφος"), (Terms{"σισυφοσ", "σισυφοσ"}));
    EXPECT_EQ(terms("МОСКВА Москва"), (Terms{"москва", "москва"}));
}

TEST_F(Words, OfTurkishMeetTheirAsciiSpelling) {
    EXPECT_EQ(terms("İstanbul ISTANBUL istanbul ıstanbul"),
              (Terms{"istanbul", "istanbul", "istanbul", "istanbul"}));
    EXPECT_EQ(terms("İstanbul'da"), (Terms{"istanbul", "da"}));
}

TEST_F(Words, LoseAccents) {
    EXPECT_EQ(terms("Café NAÏVE señor Łódź Ærø Þór smörgåsbord Dvořák"),
              (Terms{"cafe", "naive", "senor", "lodz", "aero", "thor", "smorgasbord", "dvorak"}));
    EXPECT_EQ(terms("Ελλάδα ΕΛΛΆΔΑ ελλαδα"), (Terms{"ελλαδα", "ελλαδα", "ελλαδα"}));
}

TEST_F(Words, AreTheSameComposedAndDecomposed) {
    EXPECT_EQ(terms("caf\u00E9 \u0439"), terms("cafe\u0301 \u0438\u0306"));
    EXPECT_EQ(terms("m\u1EA1"), terms("ma\u0323"));
    EXPECT_EQ(texts_.source("un cafe\u0301s", "cafe"), "cafe\u0301s");
}

TEST_F(Words, OfVietnameseKeepTheirTones) {
    EXPECT_EQ(terms("ma má mà mả mã mạ"), (Terms{"ma", "má", "mà", "mả", "mã", "mạ"}));
    EXPECT_EQ(terms("Nghiêng Đường quyển"), (Terms{"nghiêng", "đường", "quyển"}));
}

TEST_F(Words, OfRussianKeepShortIButNotYoAndStress) {
    EXPECT_EQ(terms("чай ёж за́мок"), (Terms{"чай", "еж", "замок"}));
}

TEST_F(Words, WithInnerApostrophesAreOneInCyrillicAndHebrew) {
    EXPECT_EQ(terms("п'ять п’ять пʼять"), (Terms{"пять", "пять", "пять"}));
    EXPECT_EQ(terms("צה\"ל צה״ל"), (Terms{"צהל", "צהל"}));
    EXPECT_EQ(terms("'слово'"), (Terms{"слово"}));
}

TEST_F(Words, OfLatinEndAtApostrophes) {
    EXPECT_EQ(terms("l'avion O’Brien"), (Terms{"l", "avion", "o", "brien"}));
}

TEST_F(Words, ThatEnglishGluesOnAreStopWords) {
    EXPECT_EQ(terms("John's car didn’t stop, we'll see; DON'T"),
              (Terms{"john", "car", "stop", "we", "see"}));
    EXPECT_EQ(texts_.weak_terms("John's car didn’t stop, we'll"), (Terms{"s", "didn", "t", "ll"}));
    EXPECT_EQ(terms("'s t re"), (Terms{"s", "t", "re"})) << "without a word before, they are words";
}

TEST_F(Words, LoseSoftHyphensAndOtherInvisibleCharacters) {
    EXPECT_EQ(terms("ex\u00ADtra\u00ADor\u00ADdi\u00ADnary"), (Terms{"extraordinary"}));
    EXPECT_EQ(terms("می\u200Cخواهم"), (Terms{"ميخواهم"}));
    EXPECT_EQ(terms("\u202Bשלום\u202C \u200Eabc\u200F"), (Terms{"שלום", "abc"}));
}

TEST_F(Words, OfFullWidthAndLigaturesAreThePlainOnes) {
    EXPECT_EQ(terms("ＡＢＣ１２３ ﬁle ﬂoor Ⅳ ①"),
              (Terms{"abc123", "abc", "123", "file", "floor", "iv", "1"}));
}

TEST_F(Words, OfArabicAndHebrewLoseTheirPoints) {
    EXPECT_EQ(terms("مُحَمَّدٌ محمـــد"), (Terms{"محمد", "محمد"}));
    EXPECT_EQ(terms("שָׁלוֹם"), (Terms{"שלום"}));
    EXPECT_EQ(terms("کتاب كتاب"), (Terms{"كتاب", "كتاب"})) << "Persian and Arabic keheh";
}

TEST_F(Words, OfIndicScriptsAreWhole) {
    EXPECT_EQ(terms("क्षत्रिय हिन्दी"), (Terms{"क्षत्रिय", "हिन्दी"}));
    EXPECT_EQ(terms("বাংলা தமிழ்"), (Terms{"বাংলা", "தமிழ்"}));
    EXPECT_EQ(terms("ज़्यादा हँसी"), terms("ज्यादा हंसी")) << "nukta and candrabindu";
}

TEST_F(Words, HaveAsciiDigits) {
    EXPECT_EQ(terms("٣٠٨, १२३, ๔๕"), (Terms{"308", "123", "45"}));
    EXPECT_EQ(terms("m² CO₂"), (Terms{"m", "2", "m2", "co", "2", "co2"}));
    EXPECT_EQ(terms("½"), (Terms{"1/2"}));
}

TEST_F(Words, OfArmenianKeepAQuestionMarkInsideOutOfTheWord) {
    EXPECT_EQ(terms("ինչո՞ւ"), terms("ինչու"));
    EXPECT_EQ(terms("ինչո՞ւ").size(), 1U);
}

TEST_F(Words, AreStemmedByTheirScriptsDictionaryOnce) {
    EXPECT_EQ(terms("cats cats cats"), (Terms{"cat", "cat", "cat"}));
    EXPECT_EQ(texts_.english.calls, 1);
    EXPECT_EQ(terms("коты"), (Terms{"коты"})) << "no dictionary for Cyrillic here";
    EXPECT_EQ(terms("cats2"), (Terms{"cats2", "cat", "2"})) << "nor for a word with a digit";
}

TEST_F(Words, MaySayNothingToADictionaryOrSeveralThings) {
    EXPECT_EQ(terms("strange"), (Terms{"strange"}));
    EXPECT_EQ(texts_.analyze("a compound"),
              (std::vector<Found>{{"a", 0, 0, 1, Weight::word},
                                  {"com", 1, 2, 10, Weight::word},
                                  {"pound", 1, 2, 10, Weight::word}}));
}

TEST_F(Words, AreStemmedTheSameWithAndWithoutAccents) {
    EXPECT_EQ(terms("résumés"), terms("resumes"));
}

TEST_F(Words, ThatStopAreWeakWhereverTheyStand) {
    EXPECT_EQ(terms("the end of The Story"), (Terms{"end", "story"}));
    EXPECT_EQ(texts_.weak_terms("the end of The Story"), (Terms{"the", "of", "the"}));
    EXPECT_EQ(texts_.analyze("to be").size(), 2U);
}

TEST_F(Words, OfAnyLengthAreBoundedAndStillDifferByTheirEnds) {
    const std::string long_word(100000, 'x');
    const Terms found = terms(long_word + "a " + long_word + "b tail");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_LE(found[0].size(), memory::text::max_term_bytes);
    EXPECT_EQ(found[0].substr(0, 100), std::string(100, 'x'));
    EXPECT_NE(found[0], found[1]);
    EXPECT_EQ(found[2], "tail");
    EXPECT_EQ(terms(long_word + "A")[0], found[0]) << "the same word, folded";
}

TEST_F(Words, OfAnyLengthAreCutBetweenCharacters) {
    std::string word;
    for (int i = 0; i < 1000; ++i)
        word += "д";
    const Terms found = terms(word);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].find('~') % 2, 0U);
    EXPECT_EQ(terms(word + "ь").size(), 1U);
    EXPECT_NE(terms(word + "ь"), found);
}

TEST_F(Words, UnderAFloodOfMarksAreBounded) {
    std::string flood = "e";
    for (int i = 0; i < 50000; ++i)
        flood += "\u0301";
    EXPECT_EQ(terms(flood + " next").back(), "next");
}

TEST_F(Words, SurviveBadBytes) {
    EXPECT_EQ(terms("one\xFFtwo"), (Terms{"one", "two"}));
    EXPECT_EQ(terms("a\xC0\x80z"), (Terms{"a", "z"})) << "overlong NUL";
    EXPECT_EQ(terms("a\xED\xA0\x80z"), (Terms{"a", "z"})) << "encoded surrogate";
    EXPECT_EQ(terms("a\xF4\x90\x80\x80z"), (Terms{"a", "z"})) << "above U+10FFFF";
    EXPECT_EQ(terms("caf\xC3"), (Terms{"caf"})) << "truncated";
    EXPECT_EQ(terms(std::string_view("a\0b", 3)), (Terms{"a", "b"}));
}

TEST_F(Words, OrRefuseBadBytesWhereTheyAre) {
    try {
        texts_.analyze("fine \xE2\x82 not", BadBytes::refuse);
        FAIL() << "accepted";
    } catch (const memory::text::InvalidUtf8 &refusal) {
        EXPECT_EQ(refusal.offset, 5U);
    }
    EXPECT_NO_THROW(texts_.analyze("fine € fine", BadBytes::refuse));
}

class Throwing final : public TokenSink {
  public:
    void take(const Token &) override { throw std::runtime_error("enough"); }
};

TEST_F(Words, AreFoundAgainAfterASinkThrew) {
    Throwing sink;
    EXPECT_THROW(texts_.analyzer().analyze("some text", sink), std::runtime_error);
    EXPECT_EQ(terms("some text"), (Terms{"some", "text"}));
}

} // namespace
