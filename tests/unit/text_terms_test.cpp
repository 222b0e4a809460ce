// A text's distinct terms, what a query searches, and the fingerprint of it all.
#include "text/terms.h"

#include "text_support.h"

#include <gtest/gtest.h>

#include "text/fingerprint.h"

namespace {

using text_test::Texts;
using Stored = std::vector<std::pair<std::string, std::uint32_t>>;

class TermsOfAText : public testing::Test {
  protected:
    Stored document(std::string_view text) {
        analyze(text);
        return stored(terms_.document());
    }
    Stored query(std::string_view text) {
        analyze(text);
        return stored(terms_.query());
    }
    std::uint64_t length(std::string_view text) {
        analyze(text);
        return terms_.length();
    }

  private:
    void analyze(std::string_view text) {
        terms_.clear();
        texts_.analyzer().analyze(text, terms_);
    }
    static Stored stored(std::span<const memory::text::TermCount> terms) {
        Stored result;
        for (const auto &term : terms)
            result.emplace_back(term.term, term.count);
        return result;
    }

    Texts texts_;
    memory::text::Terms terms_{std::pmr::get_default_resource()};
};

TEST_F(TermsOfAText, AreDistinctCountedAndInByteOrder) {
    EXPECT_EQ(document("red cat, blue cats, éclair"),
              (Stored{{"blue", 1}, {"cat", 2}, {"eclair", 1}, {"red", 1}}));
}

TEST_F(TermsOfAText, KeepStopWordsApart) {
    EXPECT_EQ(document("the cat of the house"),
              (Stored{{"\x01of", 1}, {"\x01the", 2}, {"cat", 1}, {"house", 1}}));
    EXPECT_EQ(length("the cat of the house"), 2U);
}

TEST_F(TermsOfAText, AreItsStopWordsIfThereIsNothingElse) {
    EXPECT_EQ(query("The Who"), (Stored{{"\x01the", 1}, {"\x01who", 1}}));
    EXPECT_EQ(length("to be or"), 1U);
    EXPECT_EQ(length("to be"), 2U);
    EXPECT_EQ(query("the cat"), (Stored{{"cat", 1}}));
}

TEST_F(TermsOfAText, OfOneChineseCharacterFindItInsideWords) {
    EXPECT_EQ(query("猫"), (Stored{{"\x01猫", 1}}));
    EXPECT_EQ(query("猫 cat"), (Stored{{"cat", 1}, {"猫", 1}}));
    EXPECT_EQ(document("黒猫"), (Stored{{"\x01猫", 1}, {"\x01黒", 1}, {"黒猫", 1}}));
    EXPECT_EQ(length("黒猫"), 1U);
    EXPECT_EQ(length("猫"), 1U);
}

TEST_F(TermsOfAText, OfNothingAreNone) {
    EXPECT_TRUE(document("").empty());
    EXPECT_TRUE(query(" ,").empty());
    EXPECT_EQ(length(""), 0U);
}

TEST_F(TermsOfAText, AreForgottenForTheNextText) {
    std::string many;
    for (int i = 0; i < 5000; ++i)
        many += "w" + std::to_string(i) + " ";
    EXPECT_EQ(document(many).size(), 5000U + 5000U + 1U) << "w1, 1 and w";
    EXPECT_EQ(document("cat"), (Stored{{"cat", 1}}));
}

TEST(Fingerprint, NamesRulesIcuAndDictionaries) {
    text_test::LittleEnglish english;
    memory::text::Dictionaries dictionaries;
    std::pmr::string without;
    memory::text::describe(dictionaries, without);
    dictionaries.serve(memory::text::bit(memory::text::Script::latin), &english);
    std::pmr::string with;
    memory::text::describe(dictionaries, with);
    EXPECT_TRUE(without.starts_with("rules 1, ICU "));
    EXPECT_EQ(with, without + ", latin little");
}

TEST(Fingerprint, ChangesWithTheDictionaryOfAScript) {
    using namespace memory::text;
    text_test::LittleEnglish english;
    Dictionaries latin;
    Dictionaries greek;
    latin.serve(bit(Script::latin), &english);
    greek.serve(bit(Script::greek), &english);
    auto *memory = std::pmr::get_default_resource();
    EXPECT_EQ(fingerprint(latin, memory), fingerprint(latin, memory));
    EXPECT_NE(fingerprint(latin, memory), fingerprint(greek, memory));
}

TEST(Languages, HaveTheirScripts) {
    using namespace memory::text;
    EXPECT_EQ(scripts_of_language("german"), bit(Script::latin));
    EXPECT_EQ(scripts_of_language("russian"), bit(Script::cyrillic));
    EXPECT_EQ(scripts_of_language("serbian"), bit(Script::cyrillic) | bit(Script::latin));
    EXPECT_EQ(scripts_of_language("no such language"), bit(Script::latin));
    EXPECT_EQ(default_language(Script::latin), "english");
    EXPECT_EQ(default_language(Script::hebrew), "");
}

} // namespace
