#include "index/grammar/parser.h"

#include <gtest/gtest.h>
#include <ostream>

namespace memory::index::grammar {

void PrintTo(const Clause &clause, std::ostream *to) {
    *to << (clause.mark == Mark::should ? ""
            : clause.mark == Mark::must ? "+"
                                        : "-")
        << (clause.kind == Kind::words    ? "words"
            : clause.kind == Kind::phrase ? "phrase"
                                          : "prefix")
        << "(" << clause.words << ")";
}

} // namespace memory::index::grammar

namespace {

using namespace memory::index::grammar;
using Clauses = std::pmr::vector<Clause>;

Clauses parsed(std::string_view query) { return parse(query, std::pmr::get_default_resource()); }

Clause bag(std::string_view words) { return {Mark::should, Kind::words, words}; }
Clause phrase(std::string_view words) { return {Mark::should, Kind::phrase, words}; }
Clause prefix(std::string_view words) { return {Mark::should, Kind::prefix, words}; }
Clause near(std::string_view words) { return {Mark::should, Kind::near, words}; }
Clause must(Clause clause) { return {Mark::must, clause.kind, clause.words}; }
Clause no(Clause clause) { return {Mark::must_not, clause.kind, clause.words}; }

TEST(Parser, TakesWordsWithoutOperatorsAsOneBagWithWhatIsBetweenThem) {
    EXPECT_EQ(parsed("late invoices"), Clauses{bag("late invoices")});
    EXPECT_EQ(parsed("  late\t\n invoices  "), Clauses{bag("late\t\n invoices")});
    EXPECT_EQ(parsed("東京 大阪"), Clauses{bag("東京 大阪")});
}

TEST(Parser, FindsNothingInNothing) {
    EXPECT_EQ(parsed(""), Clauses{});
    EXPECT_EQ(parsed(" \t\r\n\v\f"), Clauses{});
    EXPECT_EQ(parsed("\u3000\u00A0\u2009"), Clauses{});
}

TEST(Parser, ReadsTheExampleOfTheContract) {
    EXPECT_EQ(parsed("+invoice -paid \"net 30\" pay*"),
              (Clauses{must(bag("invoice")), no(bag("paid")), phrase("net 30"), prefix("pay")}));
}

TEST(Parser, EndsABagWhereAnotherClauseBegins) {
    EXPECT_EQ(parsed("a b +c d e \"f\" g"),
              (Clauses{bag("a b"), must(bag("c")), bag("d e"), phrase("f"), bag("g")}));
}

TEST(Parser, MarksPhrasesAndPrefixesToo) {
    EXPECT_EQ(parsed("+\"a phrase\" -\"b c\" +pre* -fix*"),
              (Clauses{must(phrase("a phrase")), no(phrase("b c")), must(prefix("pre")),
                       no(prefix("fix"))}));
}

TEST(Parser, TakesOperatorsInsideAWordAsTheWord) {
    for (const std::string_view word :
         {"foo-bar", "C++", "me+you", "~you", "me~you", "a\"b", "5\"", "pa*y", "a-",
          "jo@example.org", "2*3", "צה\"ל", "東京\"大阪"})
        EXPECT_EQ(parsed(word), Clauses{bag(word)}) << word;
    EXPECT_EQ(parsed("5\" or 6\" nails"), Clauses{bag("5\" or 6\" nails")});
}

TEST(Parser, TakesAMarkThatMarksNothingAsAWord) {
    for (const std::string_view word : {"+", "-", "a + b", "a - b", "+ a", "- a", "a -"})
        EXPECT_EQ(parsed(word), Clauses{bag(word)}) << word;
}

TEST(Parser, TakesTwoMarksAsAWord) {
    for (const std::string_view word :
         {"--help", "++i", "+-a", "-+a", "---", "--\"a\"", "a -- b", "-+"})
        EXPECT_EQ(parsed(word), Clauses{bag(word)}) << word;
    EXPECT_EQ(parsed("+--"), Clauses{bag("+--")});
}

TEST(Parser, TakesTheDashOfANumberAsAMark) {
    EXPECT_EQ(parsed("5 -5"), (Clauses{bag("5"), no(bag("5"))}));
}

TEST(Parser, ClosesAnOpenPhraseAtTheEnd) {
    EXPECT_EQ(parsed("a \"b c"), (Clauses{bag("a"), phrase("b c")}));
    EXPECT_EQ(parsed("\""), Clauses{phrase("")});
    EXPECT_EQ(parsed("+\""), Clauses{must(phrase(""))});
}

TEST(Parser, BeginsAnewBehindAPhrase) {
    EXPECT_EQ(parsed("\"a\"b"), (Clauses{phrase("a"), bag("b")}));
    EXPECT_EQ(parsed("\"a\"-b"), (Clauses{phrase("a"), no(bag("b"))}));
    EXPECT_EQ(parsed("\"a\"\"b\""), (Clauses{phrase("a"), phrase("b")}));
    EXPECT_EQ(parsed("\"a\"*"), (Clauses{phrase("a"), bag("*")}));
}

TEST(Parser, TakesEverythingInsideAPhraseAsText) {
    EXPECT_EQ(parsed("\" +a -b* \""), Clauses{phrase(" +a -b* ")});
}

TEST(Parser, NeedsSomethingBeforeTheStar) {
    EXPECT_EQ(parsed("*"), Clauses{bag("*")});
    EXPECT_EQ(parsed("a ** b"), Clauses{bag("a ** b")});
    EXPECT_EQ(parsed("+*"), Clauses{must(bag("*"))});
    EXPECT_EQ(parsed("~"), Clauses{bag("~")});
    EXPECT_EQ(parsed("pay~~"), Clauses{near("pay")});
    EXPECT_EQ(parsed("+pay~ -foo-ba~"), (Clauses{must(near("pay")), no(near("foo-ba"))}));
    EXPECT_EQ(parsed("pay**"), Clauses{prefix("pay")});
    EXPECT_EQ(parsed("foo-ba*"), Clauses{prefix("foo-ba")});
    EXPECT_EQ(parsed("--pay*"), Clauses{prefix("--pay")});
    EXPECT_EQ(parsed("pay*,"), Clauses{bag("pay*,")});
    EXPECT_EQ(parsed("pay*~"), Clauses{near("pay*")});
    EXPECT_EQ(parsed("pay~*"), Clauses{prefix("pay~")});
}

TEST(Parser, KnowsNoOperatorsBeyondAscii) {
    for (const std::string_view word : {"＋a", "－a", "＂a b＂", "a＊", "“a b”", "−5", "«a»"})
        EXPECT_EQ(parsed(word), Clauses{bag(word)}) << word;
}

TEST(Parser, SeparatesAtTheSpacesOfEveryScript) {
    EXPECT_EQ(parsed("東京\u3000-大阪"), (Clauses{bag("東京"), no(bag("大阪"))}));
    EXPECT_EQ(parsed("a\u00A0+b"), (Clauses{bag("a"), must(bag("b"))}));
}

TEST(Parser, TakesBadBytesAndNulAsOrdinaryCharacters) {
    EXPECT_EQ(parsed("+a\xFF\x80 -\xE6\x9D"),
              (Clauses{must(bag("a\xFF\x80")), no(bag("\xE6\x9D"))}));
    const std::string_view nul("+a\0b", 4);
    EXPECT_EQ(parsed(nul), Clauses{must(bag(nul.substr(1)))});
}

TEST(Print, GivesAQueryOfTheSameClauses) {
    for (const std::string_view query :
         {"", "a b", "+a -b \"c d\" e*", "a~ +b~~ -c~* d*~ ~", "a \"b", "\"a\"b -\"c\"d*", "--x +",
          "a  b \"\" c", "+\"a"}) {
        const Clauses clauses = parsed(query);
        std::pmr::string printed;
        print(clauses, printed);
        EXPECT_EQ(parsed(printed), clauses) << query << " → " << printed;
    }
}

TEST(Print, IsCanonical) {
    std::pmr::string printed;
    print(parsed("  +a   \"b c\"d pre** -\"e"), printed);
    EXPECT_EQ(printed, "+a \"b c\" d pre* -\"e\"");
}

} // namespace
