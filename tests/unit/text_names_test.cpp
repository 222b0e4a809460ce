// Names that mean the same must come out the same.
#include "text/names.h"

#include <gtest/gtest.h>

namespace {

std::string name(std::string_view text) {
    return std::string(memory::text::normal_name(text, std::pmr::new_delete_resource()));
}
std::string predicate(std::string_view text) {
    return std::string(memory::text::normal_predicate(text, std::pmr::new_delete_resource()));
}

TEST(Names, FoldCaseWidthAndSpaces) {
    EXPECT_EQ(name("Ada  Lovelace"), "ada lovelace");
    EXPECT_EQ(name("\t ADA\n\u00a0Lovelace "), "ada lovelace");
    EXPECT_EQ(name("Ａｄａ　Ｌｏｖｅｌａｃｅ"), "ada lovelace");
    EXPECT_EQ(name("Straße"), "strasse");
    EXPECT_EQ(name("STRASSE"), "strasse");
    EXPECT_EQ(name("Caf\u0065\u0301"), "caf\u00e9");
    EXPECT_EQ(name("東京"), "東京");
}

TEST(Names, KeepWhatTellsThemApart) {
    EXPECT_NE(name("C++"), name("C"));
    EXPECT_NE(name("ana"), name("aña"));
    EXPECT_EQ(name("a_b-c.d"), "a_b-c.d");
}

TEST(Names, OfNothingVisibleAreEmpty) {
    EXPECT_EQ(name(""), "");
    EXPECT_EQ(name(" \t\u3000"), "");
    EXPECT_EQ(name("\u200b\u00ad"), "");
}

TEST(Names, ShowBytesThatAreNoText) { EXPECT_EQ(name("A\xff B"), "a\ufffd b"); }

TEST(Predicates, OfEveryStyleAreOne) {
    for (const char *style :
         {"Name_Is", "name-is", "nameIs", "name is", "NAME IS", "  Name  Is ", "name__is", "NameIs",
          "name.is", "_name_is_", "na\u00admeIs", "ｎａｍｅＩｓ"})
        EXPECT_EQ(predicate(style), "name_is") << style;
}

TEST(Predicates, SplitAcronymsAndKeepDigits) {
    EXPECT_EQ(predicate("HTTPServer"), "http_server");
    EXPECT_EQ(predicate("hasHTTP"), "has_http");
    EXPECT_EQ(predicate("HTTP2Server"), "http2_server");
    EXPECT_EQ(predicate("level2"), "level2");
    EXPECT_EQ(predicate("IDs"), "i_ds");
    EXPECT_EQ(predicate("X"), "x");
}

TEST(Predicates, OfOtherScriptsKeepTheirLetters) {
    EXPECT_EQ(predicate("живёт в"), "живёт_в");
    EXPECT_EQ(predicate("ЖивётВ"), "живёт_в");
    EXPECT_EQ(predicate("住んでいる"), "住んでいる");
    EXPECT_EQ(predicate("हिन्दी में"), "हिन्दी_में");
}

TEST(Predicates, OfNothingAreEmpty) {
    EXPECT_EQ(predicate(""), "");
    EXPECT_EQ(predicate("!? --"), "");
}

TEST(Predicates, AreTheirOwnNormalForm) {
    for (const char *text :
         {"HTTPServer", "1Ꭰ", "ꭰᎠ1Ꭱ", "Ǆabc", "\u037aA", "ŉA", "İs", "ⅣA"}) {
        const std::string once = predicate(text);
        EXPECT_EQ(predicate(once), once) << text;
    }
}

} // namespace
