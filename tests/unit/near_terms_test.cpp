// What is found of a dictionary without reading it whole, against reading it whole.
#include "index/segment/near_terms.h"
#include "text/utf8.h"
#include "unit/segment_support.h"

#include <gtest/gtest.h>
#include <set>

namespace memory::segment {
namespace {

using text::NearStrings;
using text::Spelling;
using Random = std::mt19937_64;

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

// Few, so that many strings are near each other: letters of one byte to four, whose bytes are
// neighbours, and bytes that are no character.
std::string letter_of(Random &random, bool is_letter) {
    static const std::string letters[] = {"a", "b", "c", "z", "é", "ß", "я", "а", "ｱ", "𐐨", "𐑏"};
    static const std::string others[] = {"1", "\x7F", "\xE2", "\x82", "\xFF", "€", "\xF0\x90"};
    return is_letter ? letters[random() % std::size(letters)]
                     : others[random() % std::size(others)];
}

std::string word_of(Random &random, std::size_t kind) {
    std::string word;
    for (std::size_t left = 4 + random() % 6; left > 0; --left)
        word += kind == 0 ? std::string(1, static_cast<char>('a' + random() % 5))
                          : letter_of(random, true);
    return word;
}

std::vector<std::string> characters_of(std::string_view term) {
    std::vector<std::string> characters;
    for (std::size_t at = 0; at < term.size();) {
        const std::uint32_t size = text::decode(term, at).size;
        characters.emplace_back(term.substr(at, size));
        at += size;
    }
    return characters;
}

// Some edits away, or anything.
std::string term_of(Random &random, const std::string &word, std::size_t kind) {
    if (random() % 4 == 0)
        return word_of(random, kind);
    std::vector<std::string> characters = characters_of(word);
    for (std::size_t edits = random() % 4; edits > 0; --edits) {
        const auto at =
            characters.begin() + static_cast<std::ptrdiff_t>(random() % characters.size());
        const std::string letter = kind == 0 ? std::string(1, static_cast<char>('a' + random() % 5))
                                             : letter_of(random, kind == 1 || random() % 2 == 0);
        const std::size_t kind_of_edit = random() % 4;
        if (kind_of_edit == 0)
            characters.insert(at, letter);
        else if (kind_of_edit == 1)
            *at = letter;
        else if (kind_of_edit == 2)
            std::swap(*at, characters[random() % characters.size()]);
        else if (characters.size() > 1)
            characters.erase(at);
    }
    std::string term;
    for (const std::string &character : characters)
        term += character;
    return term;
}

struct Dictionary {
    std::vector<std::string> words;
    std::set<std::string> terms;
};

Dictionary random_dictionary(Random &random, std::size_t kind, std::size_t size) {
    Dictionary made;
    while (made.words.size() < 1 + size / 500)
        if (std::string word = word_of(random, kind); Spelling::of(word))
            made.words.push_back(std::move(word));
    while (made.terms.size() < size)
        made.terms.insert(term_of(random, made.words[random() % made.words.size()], kind));
    return made;
}

TEST(NearStrings, PassOverNothingThatIsNear) {
    Random random(21);
    std::size_t near = 0;
    std::size_t passed_over = 0;
    for (std::size_t round = 0; round < 300; ++round) {
        const Dictionary made = random_dictionary(random, round % 3, 300);
        for (const std::string &word : made.words) {
            const Spelling spelling = *Spelling::of(word);
            NearStrings strings(spelling, memory());
            if (round % 5 == 0)
                strings.limit(random() % (strings.limit() + 1));
            const auto is_near = [&](const std::string &term) {
                const auto edits = spelling.distance(term);
                return edits && *edits <= strings.limit();
            };
            for (auto from = made.terms.begin(); from != made.terms.end(); ++from) {
                const auto least = strings.least(*from);
                ASSERT_TRUE(!least || *least >= *from) << word << ' ' << *from;
                auto first = from;
                while (first != made.terms.end() && !is_near(*first))
                    ++first;
                if (first != made.terms.end()) {
                    ASSERT_TRUE(least) << word << ' ' << *from << ' ' << *first;
                    ASSERT_LE(*least, *first) << word << ' ' << *from;
                    near += first == from ? 1 : 0;
                }
                passed_over += !least || *least > *from ? 1 : 0;
            }
        }
    }
    EXPECT_GT(near, 5'000U);
    EXPECT_GT(passed_over, 20'000U);
}

// Where no edit is left, what the next string is is known to the last letter.
TEST(NearStrings, AreTheNextOnesThemselvesWhereAllEditsAreMade) {
    const Spelling word = *Spelling::of("viena");
    NearStrings strings(word, memory());
    EXPECT_EQ(strings.least(""), "");
    EXPECT_EQ(strings.least("a"), "aiena");
    EXPECT_EQ(strings.least("aiena"), "aiena");
    EXPECT_EQ(strings.least("aienaa"), "aviena");
    EXPECT_EQ(strings.least("avienaa"), "b");
    EXPECT_EQ(strings.least("ie"), "iena");
    EXPECT_EQ(strings.least("ienaa"), "iiena");
    EXPECT_EQ(strings.least("iienaa"), "ivena");
    EXPECT_EQ(strings.least("ivenaa"), "iviena");
    EXPECT_EQ(strings.least("ivienaa"), "j");
    EXPECT_EQ(strings.least("vienna"), "vienna");
    EXPECT_EQ(strings.least("viennb"), "vieno");
    strings.limit(0);
    EXPECT_EQ(strings.least(""), "viena");
    EXPECT_EQ(strings.least("vienaa"), std::nullopt);
}

class NearTermsOf : public ::testing::TestWithParam<Beginning> {};

TEST_P(NearTermsOf, SegmentsAreThoseThatReadingAllOfThemFinds) {
    Random random(22);
    std::size_t found_in_all = 0;
    for (std::size_t round = 0; round < 60; ++round) {
        const Dictionary made = random_dictionary(random, round % 3, round < 50 ? 200 : 8000);
        std::vector<Text> texts(1);
        texts[0].document = {{{0, 1}, 1}, static_cast<std::uint32_t>(made.terms.size())};
        for (const std::string &term : made.terms)
            texts[0].counts[term] = 1;
        MemoryPages pages;
        const Root root = write(texts, pages);
        Segment segment(pages, root, memory());
        std::vector<Spelling> spellings;
        for (const std::string &word : made.words)
            spellings.push_back(*Spelling::of(word));
        std::vector<NearTerms> words;
        for (const Spelling &spelling : spellings) {
            words.emplace_back(spelling, memory());
            words.back().look_for(GetParam());
            if (round % 2 == 0)
                words.back().limit(1);
        }
        std::vector<std::map<std::string, std::uint32_t>> expected(words.size());
        for (std::size_t n = 0; n < words.size(); ++n)
            for (const std::string &term : made.terms)
                if (const auto edits = spellings[n].distance(term);
                    edits && *edits <= words[n].limit() && term >= "b" &&
                    (GetParam() == Beginning::any ||
                     term.starts_with(spellings[n].first_letter()) ==
                         (GetParam() == Beginning::same)))
                    expected[n][term] = *edits;
        std::vector<std::map<std::string, std::uint32_t>> found(words.size());
        TermWalk walk(segment, memory());
        text::Pause pause(text::Interruption::none());
        each_near(walk, words, "b", pause, [&](std::size_t n, std::uint32_t edits) {
            EXPECT_TRUE(found[n].emplace(walk.term(), edits).second);
        });
        ASSERT_EQ(found, expected);
        for (const auto &terms : found)
            found_in_all += terms.size();
    }
    EXPECT_GT(found_in_all, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Any, NearTermsOf,
                         ::testing::Values(Beginning::any, Beginning::same, Beginning::other));

} // namespace
} // namespace memory::segment
