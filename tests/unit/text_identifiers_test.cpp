// Identifiers: whole, in parts, and whatever stands around them.
#include "text_support.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace {

using namespace text_test;

class Identifiers : public testing::Test {
  protected:
    Terms terms(std::string_view text) { return texts_.terms(text); }
    bool has(std::string_view text, std::string_view term) {
        const Terms found = terms(text);
        return std::find(found.begin(), found.end(), term) != found.end();
    }
    Texts texts_;
};

TEST_F(Identifiers, AreFoundWholeAndInParts) {
    EXPECT_EQ(terms("foo_bar-9"), (Terms{"foo", "bar", "9", "foo_bar-9"}));
    EXPECT_EQ(terms("v1.2.3"), (Terms{"v1", "v", "1", "2", "3", "v1.2.3"}));
    EXPECT_EQ(terms("John.Smith@Example.org"),
              (Terms{"john", "smith", "example", "org", "john.smith@example.org"}));
}

TEST_F(Identifiers, OfSeveralNamesAreFoundByEachName) {
    EXPECT_EQ(terms("https://example.org/a-b?c=1"),
              (Terms{"http", "example", "org", "example.org", "a", "b", "a-b", "c", "1",
                     "https://example.org/a-b?c=1"}));
    EXPECT_EQ(terms("C:\\dir\\file.txt"),
              (Terms{"c", "dir", "file", "txt", "file.txt", "c:\\dir\\file.txt"}));
}

TEST_F(Identifiers, ShareTheOrdinalAndThePlaceOfTheirFirstPart) {
    EXPECT_EQ(texts_.analyze("x foo_bar y"), (std::vector<Found>{{"x", 0, 0, 1, Weight::word},
                                                                 {"foo", 1, 2, 5, Weight::word},
                                                                 {"bar", 2, 6, 9, Weight::word},
                                                                 {"foo_bar", 1, 2, 9, Weight::word},
                                                                 {"y", 3, 10, 11, Weight::word}}));
}

TEST_F(Identifiers, AreTheSameWithAnyPunctuationAround) {
    for (const std::string_view identifier :
         {"foo_bar-9", "a.b@c.de", "1.2.3", "550e8400-e29b-41d4-a716-446655440000"})
        for (const std::string_view before : {"(", "«", "\"", "...", "<", "-", "_", "/", "@", "'"})
            for (const std::string_view after :
                 {")", "»", "\",", ".", "?!", ">", "-", "_", "/", "…"}) {
                const std::string text =
                    std::string(before) + std::string(identifier) + std::string(after);
                EXPECT_TRUE(has(text, identifier)) << text;
            }
}

TEST_F(Identifiers, AreOnlyTheirPartsAcrossSpacesAndCommas) {
    EXPECT_EQ(terms("foo, bar; baz (qux)"), (Terms{"foo", "bar", "baz", "qux"}));
    EXPECT_EQ(terms("one - two ... three...four"),
              (Terms{"one", "two", "three", "four", "three...four"}));
}

TEST_F(Identifiers, InCamelCaseAreFoundByTheirWords) {
    EXPECT_EQ(terms("getUserName"), (Terms{"getusername", "get", "user", "name"}));
    EXPECT_EQ(terms("HTTPServer"), (Terms{"httpserver", "http", "server"}));
    EXPECT_EQ(terms("parseURLs"), (Terms{"parseurl", "parse", "url"}));
    EXPECT_EQ(terms("GitHub"), (Terms{"github", "git", "hub"}));
    EXPECT_EQ(terms("ÜberCode"), (Terms{"ubercode", "uber", "code"}));
    EXPECT_EQ(terms("NASA London"), (Terms{"nasa", "london"})) << "nothing to take apart";
}

TEST_F(Identifiers, OfLettersAndDigitsAreFoundByBoth) {
    EXPECT_EQ(terms("utf8 F16"), (Terms{"utf8", "utf", "8", "f16", "f", "16"}));
}

TEST_F(Identifiers, ThatLookRandomAreWholeOnly) {
    EXPECT_EQ(terms("aGVsbG8gd29"), (Terms{"agvsbg8gd29"}));
    EXPECT_EQ(terms("a1b2c3d4"), (Terms{"a1b2c3d4"}));
}

TEST_F(Identifiers, KeepTheSignOfAProgrammingLanguage) {
    EXPECT_EQ(terms("C++, C# and F#."), (Terms{"c", "c++", "c", "c#", "f", "f#"}));
    EXPECT_TRUE(has("C++17", "c++"));
    EXPECT_TRUE(has("C++17", "c++17"));
    EXPECT_EQ(terms("item#"), (Terms{"item"}));
}

TEST_F(Identifiers, OfGroupedThousandsAreTheNumber) {
    EXPECT_EQ(terms("1,234,567"), (Terms{"1234567"}));
    EXPECT_EQ(terms("1,234€ 1,234"), (Terms{"1234", "1234"}));
    EXPECT_EQ(terms("2019,2020"), (Terms{"2019", "2020"}));
    EXPECT_EQ(terms("0,123 12,34 1,2345"), (Terms{"0", "123", "12", "34", "1", "2345"}));
}

TEST_F(Identifiers, InFullWidthAreTheAsciiOnes) {
    EXPECT_TRUE(has("ｆｏｏ＠ｂａｒ．ｃｏｍ", "foo@bar.com"));
    EXPECT_TRUE(has("foo\u2011bar", "foo-bar")) << "a hyphen that does not break";
}

TEST_F(Identifiers, OfAnyLengthAreBoundedAndComplete) {
    std::string url = "https://example.org";
    for (int i = 0; i < 3000; ++i)
        url += "/part" + std::to_string(i);
    const Terms found = terms(url);
    EXPECT_TRUE(has(url, "part2999"));
    EXPECT_EQ(found.back().substr(0, 19), "https://example.org");
    EXPECT_NE(found.back(), terms(url + "x").back());
    EXPECT_EQ(found.back(), terms("<" + url + ">").back());
}

class PhoneNumbers : public Identifiers {
  protected:
    bool meet(std::string_view one, std::string_view other) {
        const Terms found = terms(one);
        const Terms others = terms(other);
        return std::any_of(found.begin(), found.end(), [&](const std::string &term) {
            return term.size() >= 8 &&
                   std::find(others.begin(), others.end(), term) != others.end();
        });
    }
};

TEST_F(PhoneNumbers, MeetInEverySpelling) {
    constexpr std::string_view spellings[] = {
        "+1 555 010 4477",  "+1 (555) 010-4477", "+1-555-010-4477",
        "1 (555) 010-4477", "(555) 010-4477",    "555-010-4477",
        "555.010.4477",     "555 010 4477",      "5550104477",
        "+15550104477",     "001 555 010 4477",  "+1\u00A0555\u2011010\u20114477",
    };
    for (const std::string_view one : spellings)
        for (const std::string_view other : spellings)
            EXPECT_TRUE(meet(one, other)) << one << " and " << other;
}

TEST_F(PhoneNumbers, MeetWithAndWithoutCountryCodeAndTrunkZero) {
    EXPECT_TRUE(meet("+44 (0)20 7946 0958", "020 7946 0958"));
    EXPECT_TRUE(meet("+44 20 7946 0958", "02079460958"));
    EXPECT_TRUE(meet("+33 6 12 34 56 78", "06.12.34.56.78"));
    EXPECT_TRUE(meet("+49 30/123456", "030 123456"));
    EXPECT_TRUE(meet("442079460958", "+44 20 7946 0958"));
    EXPECT_TRUE(meet("+380 44 123 4567", "044 123-45-67"));
}

TEST_F(PhoneNumbers, OfDifferentPeopleDoNotMeet) {
    EXPECT_FALSE(meet("+1 555 010 4477", "+1 555 010 4478"));
    EXPECT_FALSE(meet("020 7946 0958", "021 7946 0958"));
}

TEST_F(PhoneNumbers, ConsistOfDigitsOnly) {
    EXPECT_TRUE(has("02\u0F7390 5550 4477", "029055504477"));
}

TEST_F(PhoneNumbers, AreFoundByTheirLocalPart) {
    EXPECT_TRUE(has("010-4477", "0104477"));
    EXPECT_TRUE(has("+1 555 010 4477", "0104477"));
    EXPECT_TRUE(has("5550104477", "0104477"));
}

TEST_F(PhoneNumbers, StandInTextBesideOtherNumbers) {
    EXPECT_TRUE(has("call 555-010-4477 2 times", "5550104477"));
    EXPECT_TRUE(has("ages 3, 4; call (555) 010-4477!", "5550104477"));
    EXPECT_EQ(terms("1 2 3"), (Terms{"1", "2", "3"}));
    EXPECT_EQ(terms("10 20 30 40 50 60 70 80 90 100").size(), 10U) << "too long for one";
}

} // namespace
