// Distances between words, against their definition, and which terms are words at all.
#include "text/spelling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace memory::text {
namespace {

std::optional<std::uint32_t> distance(std::string_view word, std::string_view term) {
    const auto spelling = Spelling::of(word);
    return spelling ? spelling->distance(term) : std::nullopt;
}

// By the recurrence itself, from the ends of both.
std::uint32_t defined(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::uint32_t>> table(a.size() + 1,
                                                  std::vector<std::uint32_t>(b.size() + 1));
    for (std::uint32_t i = 0; i <= a.size(); ++i)
        for (std::uint32_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                table[i][j] = std::max(i, j);
                continue;
            }
            table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                                    table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
        }
    return table[a.size()][b.size()];
}

TEST(Spelling, CountsLettersPutInTakenOutChangedAndExchanged) {
    EXPECT_EQ(distance("viena", "vienna"), 1);
    EXPECT_EQ(distance("viennna", "vienna"), 1);
    EXPECT_EQ(distance("vienma", "vienna"), 1);
    EXPECT_EQ(distance("veinan", "vienna"), 2);
    EXPECT_EQ(distance("freind", "friend"), 1);
    EXPECT_EQ(distance("receiv", "receiv"), 0);
}

TEST(Spelling, AllowsOneEditInShortWordsAndTwoInLongerOnes) {
    EXPECT_EQ(distance("house", "mouse"), 1);
    EXPECT_EQ(distance("hosue", "house"), 1);
    EXPECT_EQ(distance("hoses", "house"), std::nullopt);
    EXPECT_EQ(distance("houses", "hoses"), 1);
    EXPECT_EQ(distance("hounds", "house"), std::nullopt);
    EXPECT_EQ(distance("hounds", "houses"), 2);
    EXPECT_EQ(distance("vienna", "vi"), std::nullopt);
    EXPECT_EQ(distance("vienna", ""), std::nullopt);
}

TEST(Spelling, CountsCharactersAndNotBytes) {
    EXPECT_EQ(distance("москав", "москва"), 1);
    EXPECT_EQ(distance("вена", "вениа"), 1);
    EXPECT_EQ(distance("straße", "strase"), 1);
    EXPECT_EQ(Spelling::of("вена")->first_letter(), "в");
    EXPECT_EQ(distance("ψωμιά", "ψωμί"), std::nullopt);
}

TEST(Spelling, IsOfWordsOnly) {
    for (const std::string_view term : {"", "the", "вен", "1234", "utf8", "foo-bar",
                                        "jo@example.org", "東京都庁", "สวัสดี", "한국어로", "\x01the",
                                        "ab\xFF"
                                        "cd"})
        EXPECT_FALSE(Spelling::of(term)) << term;
    EXPECT_TRUE(Spelling::of("word"));
    EXPECT_TRUE(Spelling::of("हिन्दी"));
    EXPECT_TRUE(Spelling::of(std::string(32, 'w')));
    EXPECT_FALSE(Spelling::of(std::string(33, 'w')));
    EXPECT_EQ(distance(std::string(32, 'w'), std::string(34, 'w')), 2);
    EXPECT_EQ(distance(std::string(32, 'w'), std::string(35, 'w')), std::nullopt);
}

TEST(Spelling, IsTheDefinition) {
    std::mt19937 random(4711);
    const auto number = [&](std::size_t below) { return random() % below; };
    std::size_t near = 0;
    for (int round = 0; round < 200'000; ++round) {
        std::string word;
        for (std::size_t letters = 4 + number(6); letters > 0; --letters)
            word += static_cast<char>('a' + number(4));
        std::string term = word;
        for (std::size_t edits = number(5); edits > 0; --edits) {
            const std::size_t at = number(term.size());
            switch (number(3)) {
            case 0:
                term.insert(at, 1, static_cast<char>('a' + number(4)));
                break;
            case 1:
                term.erase(at, 1);
                break;
            default:
                if (at + 1 < term.size())
                    std::swap(term[at], term[at + 1]);
            }
        }
        const std::uint32_t exact = defined(word, term);
        const bool is_near = exact <= (word.size() < 6 ? 1U : 2U);
        EXPECT_EQ(distance(word, term), is_near ? std::optional(exact) : std::nullopt)
            << word << ' ' << term;
        near += is_near ? 1 : 0;
    }
    EXPECT_GT(near, 50'000U);
}

} // namespace
} // namespace memory::text
