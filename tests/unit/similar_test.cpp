// Near-duplicates: what similarity counts, and that clusters are what comparing every text with
// every other finds.
#include "lifecycle/similar/clusters.h"
#include "lifecycle/similar/similarity.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>

namespace {

using namespace memory::similar;
using Random = std::mt19937_64;

std::pmr::memory_resource *heap() { return std::pmr::new_delete_resource(); }

struct Corpus {
    Texts texts{heap()};

    explicit Corpus(std::initializer_list<std::string_view> all) {
        for (const std::string_view one : all)
            texts.add(one, 0);
    }
    double similarity(Number a = 0, Number b = 1) const {
        return memory::similar::similarity(texts, a, b);
    }
};

double of(std::string_view a, std::string_view b) { return Corpus{a, b}.similarity(); }

TEST(Similarity, CasePunctuationAndOrderAreNothing) {
    EXPECT_EQ(of("My train leaves at nine.", "my TRAIN leaves, at nine!"), 1);
    EXPECT_EQ(of("when will my card arrive", "My card will arrive when?"), 1);
    EXPECT_EQ(of("Straße", "STRASSE"), 1);
    EXPECT_EQ(of("Ｆｕｌｌ width", "full WIDTH"), 1);
    EXPECT_EQ(of("我的火车九点开", "我的火车九点开。"), 1);
    EXPECT_EQ(of("iPhone", "IPHONE"), 1);
}

// Letters of both texts are what it is counted in.
TEST(Similarity, AnEditIsOneLetterOfBoth) {
    EXPECT_DOUBLE_EQ(of("abcdefghij", "abcdefghiX"), 19.0 / 20);   // another letter
    EXPECT_DOUBLE_EQ(of("abcdefghij", "abcdefghi"), 18.0 / 19);    // one less
    EXPECT_DOUBLE_EQ(of("abcdefghij", "abcdefghij k"), 20.0 / 21); // joined, one more
    EXPECT_DOUBLE_EQ(of("abcdefghij", "abcdfeghij"), 19.0 / 20);   // two that have changed places
    EXPECT_DOUBLE_EQ(of("are you there", "areyou there"), 1);      // a blank less
    EXPECT_DOUBLE_EQ(of("are you there", "arexyou there"), 22.0 / 23);
}

TEST(Similarity, AnotherWordHasNothingInCommon) {
    EXPECT_DOUBLE_EQ(of("the cat sleeps", "the dog sleeps"), 18.0 / 24);
    EXPECT_DOUBLE_EQ(of("the cat sleeps", "the cat"), 12.0 / 18);
    EXPECT_EQ(of("cat", "dog"), 0);
    EXPECT_DOUBLE_EQ(of("night night", "night"), 10.0 / 15); // as often as both have it
}

TEST(Similarity, TextsWithoutWordsHaveNone) {
    EXPECT_EQ(of("!?", "!?"), 0);
    EXPECT_EQ(of("", "word"), 0);
}

// The words that are left over are paired in their order, whichever text is named first.
TEST(Similarity, IsSymmetricAndBetweenZeroAndOne) {
    Random random(1);
    const auto text = [&] {
        std::string made;
        for (std::size_t n = random() % 6; n > 0; --n) {
            for (std::size_t letters = 1 + random() % 5; letters > 0; --letters)
                made += static_cast<char>('a' + random() % 3);
            made += ' ';
        }
        return made;
    };
    for (int round = 0; round < 20'000; ++round) {
        const std::string a = text();
        const std::string b = text();
        const Corpus corpus{a, b};
        const double similarity = corpus.similarity();
        ASSERT_EQ(similarity, corpus.similarity(1, 0)) << a << "|" << b;
        ASSERT_GE(similarity, 0);
        ASSERT_LE(similarity, 1);
        ASSERT_LE(similarity, most_similarity(corpus.texts.letters(0), corpus.texts.letters(1)))
            << a << "|" << b;
        ASSERT_LE(similarity, most_similarity(corpus.texts, 0, 1)) << a << "|" << b;
        if (corpus.texts.letters(0) > 0) {
            ASSERT_EQ(corpus.similarity(0, 0), 1) << a;
        }
    }
}

TEST(Similarity, LongTextsAreComparedWordByWord) {
    std::string a;
    std::string b;
    for (int n = 0; n < 20'000; ++n) {
        const std::string word = "w" + std::string(1, static_cast<char>('a' + n % 26)) +
                                 static_cast<char>('a' + n / 26 % 26) +
                                 static_cast<char>('a' + n / 676 % 26);
        a += word + " ";
        b = word + " " + b;
    }
    EXPECT_EQ(of(a, b), 1);
    EXPECT_GT(of(a, b + "more"), 0.99);
    const std::string all_else(100'000, 'x');
    EXPECT_EQ(of(a, all_else), 0);
}

TEST(Texts, NumbersAndGroupsAreApart) {
    const Corpus corpus{"wake me at 7", "wake me at 8", "at 7 wake me", "7 am, 9 pm", "9 am, 7 pm"};
    EXPECT_NE(corpus.texts.apart(0), corpus.texts.apart(1));
    EXPECT_EQ(corpus.texts.apart(0), corpus.texts.apart(2));
    EXPECT_EQ(corpus.texts.apart(3), corpus.texts.apart(4));
    Texts groups(heap());
    groups.add("same", 1);
    groups.add("same", 2);
    EXPECT_NE(groups.apart(0), groups.apart(1));
    EXPECT_TRUE(clusters_of(groups, 0.9, heap()).empty());
}

std::vector<std::set<Number>> sets_of(const std::pmr::vector<Cluster> &clusters) {
    std::vector<std::set<Number>> sets;
    for (const Cluster &cluster : clusters) {
        sets.emplace_back(std::set<Number>{cluster.first});
        for (const Member &member : cluster.others)
            sets.back().insert(member.text);
    }
    return sets;
}

TEST(Clusters, TheFirstIsTheLeastAndAllOthersAreNearIt) {
    const Corpus corpus{"the cat sleeps on the mat", "something else", "The cat sleeps on the mat!",
                        "the cat slepes on the mat", "something else", "?"};
    const auto clusters = clusters_of(corpus.texts, 0.9, heap());
    EXPECT_EQ(sets_of(clusters), (std::vector<std::set<Number>>{{0, 2, 3}, {1, 4}}));
    EXPECT_EQ(clusters[0].others[0].similarity, 1);
    EXPECT_DOUBLE_EQ(clusters[0].others[1].similarity, corpus.similarity(0, 3));
    EXPECT_EQ(sets_of(clusters_of(corpus.texts, 1, heap())),
              (std::vector<std::set<Number>>{{0, 2}, {1, 4}}));
}

// a is near b and b near c, and a is not near c: c stays alone, as its distance is what counts.
TEST(Clusters, DoNotGrowAlongChains) {
    const Corpus corpus{"abcdefghijklmnopqrst", "abcdefghijklmnopqrXX", "abcdefghijklmnopXXXX"};
    ASSERT_GE(corpus.similarity(0, 1), 0.95);
    ASSERT_GE(corpus.similarity(1, 2), 0.95);
    ASSERT_LT(corpus.similarity(0, 2), 0.95);
    EXPECT_EQ(sets_of(clusters_of(corpus.texts, 0.95, heap())),
              (std::vector<std::set<Number>>{{0, 1}}));
}

// A text of random words, and one with a letter changed or two words in each other's place.
std::string random_text(Random &random) {
    std::string text;
    for (std::size_t words = 4 + random() % 9; words > 0; --words) {
        for (std::size_t letters = 2 + random() % 7; letters > 0; --letters)
            text += static_cast<char>('a' + random() % 26);
        text += ' ';
    }
    return text;
}
std::string edited(std::string text, Random &random) {
    if (random() % 3 == 0)
        return text.substr(text.find(' ') + 1) + text.substr(0, text.find(' '));
    text[random() % (text.size() - 1)] = static_cast<char>('a' + random() % 26);
    return text;
}

// What is found is what is there, and next to nothing is missed.
TEST(Clusters, FindWhatComparingAllPairsFinds) {
    Random random(7);
    Texts texts(heap());
    for (int n = 0; n < 700; ++n) {
        const std::string text = random_text(random);
        texts.add(text, 0);
        if (n % 2 == 0)
            texts.add(edited(text, random), 0);
    }
    std::set<std::pair<Number, Number>> near;
    for (Number a = 0; a < texts.size(); ++a)
        for (Number b = a + 1; b < texts.size(); ++b)
            if (similarity(texts, a, b) >= 0.9)
                near.emplace(a, b);
    ASSERT_GT(near.size(), 300U);
    std::size_t found = 0;
    for (const Cluster &cluster : clusters_of(texts, 0.9, heap()))
        for (const Member &member : cluster.others) {
            EXPECT_TRUE(near.contains({cluster.first, member.text}));
            EXPECT_EQ(member.similarity, similarity(texts, cluster.first, member.text));
            ++found;
        }
    EXPECT_GE(static_cast<double>(found), 0.99 * static_cast<double>(near.size()));
}

TEST(Clusters, AreTheSameEveryTime) {
    Random random(9);
    Texts texts(heap());
    for (int n = 0; n < 300; ++n)
        texts.add(edited("what is my balance today please", random), 0);
    EXPECT_EQ(sets_of(clusters_of(texts, 0.9, heap())), sets_of(clusters_of(texts, 0.9, heap())));
}

// Counts comparisons by the steps of the interruption: all pairs of 30,000 would take hours.
TEST(Clusters, ManyTextsThatAreAlikeTakeALinearTime) {
    Texts texts(heap());
    for (int n = 0; n < 30'000; ++n)
        texts.add("the same words again", 0);
    const auto clusters = clusters_of(texts, 0.9, heap());
    ASSERT_EQ(clusters.size(), 1U);
    EXPECT_EQ(clusters[0].others.size(), 29'999U);
    Texts family(heap());
    for (char a = 'a'; a <= 'z'; ++a)
        for (char b = 'a'; b <= 'z'; ++b)
            for (char c = 'a'; c <= 'h'; ++c)
                family.add(std::string("a reminder of the meeting with ") + a + b + c + b + a, 0);
    EXPECT_FALSE(clusters_of(family, 0.9, heap()).empty());
}

} // namespace
