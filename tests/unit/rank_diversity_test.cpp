#include "rank/diversity.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

namespace {

using namespace memory::rank;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Decay, HalvesWithEveryHalfLife) {
    EXPECT_EQ(decay(0, 7), 1);
    EXPECT_EQ(decay(7, 7), 0.5);
    EXPECT_EQ(decay(14, 7), 0.25);
    EXPECT_NEAR(decay(3.5, 7), std::sqrt(0.5), 1e-15);
    EXPECT_EQ(decay(infinity, 7), 0);
}

TEST(Decay, NeverGrowsForTimesInTheFuture) {
    EXPECT_EQ(decay(-1, 7), 1);
    EXPECT_EQ(decay(-infinity, 7), 1);
}

TEST(Relevance, IsTheLargerOfBothWithinZeroAndOne) {
    EXPECT_DOUBLE_EQ(relevance(2, 8, 0.1), 0.25);
    EXPECT_DOUBLE_EQ(relevance(2, 8, 0.6), 0.6);
    EXPECT_EQ(relevance(9, 8, 0.6), 1);
    EXPECT_EQ(relevance(0, 8, 1.0000001), 1);
}

TEST(Relevance, IsZeroForWhatIsAbsentNegativeOrNan) {
    EXPECT_EQ(relevance(0, 0, 0), 0);
    EXPECT_EQ(relevance(0, 8, -0.7), 0);
    EXPECT_EQ(relevance(nan, 8, nan), 0);
    EXPECT_EQ(relevance(5, 0, 0), 0);
}

// Rows 0 and 1 say the same, row 2 something else.
double twins(std::size_t a, std::size_t b) { return a + b == 1 ? 1.0 : 0.0; }

std::vector<std::size_t> order(std::vector<double> scores, double novelty, std::size_t wanted) {
    const auto found =
        diversified(scores, novelty, wanted, std::pmr::get_default_resource(), twins);
    return {found.begin(), found.end()};
}

TEST(Diversity, AtZeroKeepsTheOrderAndAsksForNoSimilarity) {
    int asked = 0;
    const double scores[] = {3, 2, 2, 1};
    const auto found = diversified(scores, 0, 4, std::pmr::get_default_resource(),
                                   [&](std::size_t, std::size_t) { return ++asked; });
    EXPECT_EQ(std::vector<std::size_t>(found.begin(), found.end()),
              (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(asked, 0);
}

TEST(Diversity, PutsSomethingNewBeforeAnEchoOnceItIsWorthMore) {
    // Row 1 is worth 0.9(1−λ) − λ, row 2 is worth 0.5(1−λ): they cross at λ = 2/7.
    EXPECT_EQ(order({1, 0.9, 0.5}, 0.28, 3), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(order({1, 0.9, 0.5}, 0.29, 3), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(Diversity, DoesNotDependOnTheScaleOfTheScores) {
    EXPECT_EQ(order({100, 90, 50}, 0.28, 3), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(order({0.01, 0.009, 0.005}, 0.29, 3), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(Diversity, KeepsTheFirstRowFirstEvenAtOne) {
    EXPECT_EQ(order({1, 0.9, 0.1}, 1, 3), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(Diversity, ReturnsAsManyAsWantedAndNoMoreThanThereAre) {
    EXPECT_EQ(order({1, 0.9, 0.5}, 0.5, 2), (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(order({1, 0.9}, 0.5, 9).size(), 2U);
    EXPECT_TRUE(order({}, 0.5, 9).empty());
}

TEST(Diversity, KeepsTheOrderOfRowsWithoutScores) {
    EXPECT_EQ(order({0, 0, 0}, 0, 3), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(order({nan, nan, nan}, 0.5, 3), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(Diversity, TakesNanSimilarityAsNoneAndClampsTheRest) {
    const double scores[] = {1, 0.5, 0.4};
    const auto strange = [](std::size_t a, std::size_t) { return a == 1 ? nan : -5.0; };
    const auto found = diversified(scores, 0.9, 3, std::pmr::get_default_resource(), strange);
    EXPECT_EQ(found[1], 1U);
    const auto huge = [](std::size_t a, std::size_t) { return a == 1 ? 1e9 : 1.0; };
    EXPECT_EQ(diversified(scores, 0.9, 3, std::pmr::get_default_resource(), huge)[1], 1U)
        << "a similarity above 1 counts as 1, and the better ranked wins the rest";
}

// The definition, evaluated anew for every pick.
std::vector<std::size_t> by_definition(const std::vector<double> &scores, double novelty,
                                       std::size_t wanted,
                                       const std::vector<std::vector<double>> &similarity) {
    std::vector<std::size_t> picked;
    std::set<std::size_t> left;
    for (std::size_t i = 0; i < scores.size(); ++i)
        left.insert(i);
    while (picked.size() < wanted && !left.empty()) {
        std::size_t best = *left.begin();
        double best_value = -infinity;
        for (const std::size_t row : left) {
            double likest = 0;
            for (const std::size_t other : picked)
                likest = std::max(likest, similarity[row][other]);
            const double value = (1 - novelty) * (scores[row] / scores[0]) - novelty * likest;
            if (value > best_value) {
                best = row;
                best_value = value;
            }
        }
        picked.push_back(best);
        left.erase(best);
    }
    return picked;
}

TEST(Diversity, AgreesWithItsDefinitionOnRandomRankings) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<> uniform(0, 1);
    for (int round = 0; round < 100; ++round) {
        std::vector<double> scores(1 + random() % 30);
        for (double &score : scores)
            score = uniform(random);
        std::sort(scores.rbegin(), scores.rend());
        std::vector<std::vector<double>> similarity(scores.size());
        for (auto &row : similarity)
            for (std::size_t i = 0; i < scores.size(); ++i)
                row.push_back(uniform(random));
        const double novelty = uniform(random);
        const std::size_t wanted = random() % 35;
        const auto found =
            diversified(scores, novelty, wanted, std::pmr::get_default_resource(),
                        [&](std::size_t a, std::size_t b) { return similarity[a][b]; });
        ASSERT_EQ(std::vector<std::size_t>(found.begin(), found.end()),
                  by_definition(scores, novelty, wanted, similarity));
    }
}

class Count final : public memory::text::Interruption {
  public:
    void check() override { ++checks; }
    std::size_t checks = 0;
};

// Each may take long. Here all rows are as good as each other, so that each is compared with each.
TEST(MarginalRelevance, ChecksBeforeEachSimilarity) {
    const std::vector<double> scores{1, 1, 1, 1};
    Count count;
    std::size_t asked = 0;
    diversified(
        scores, 0.5, 4, std::pmr::get_default_resource(),
        [&](std::size_t, std::size_t) {
            EXPECT_EQ(count.checks, ++asked);
            return 1 - 0.1 * static_cast<double>(asked);
        },
        count);
    EXPECT_GE(asked, 3U);
    EXPECT_LE(asked, 3U + 2 + 1);
}

TEST(MarginalRelevance, ComparesNoRowThatIsWorthLessThanTheNextWhateverItSays) {
    std::vector<double> scores(100, 0.1);
    scores[0] = 1;
    scores[1] = 0.9;
    std::size_t asked = 0;
    const auto found = diversified(scores, 0.2, 2, std::pmr::get_default_resource(),
                                   [&](std::size_t a, std::size_t b) {
                                       EXPECT_EQ(a + b, 1U);
                                       ++asked;
                                       return 0.5;
                                   });
    EXPECT_EQ(found[1], 1U);
    EXPECT_EQ(asked, 1U);
}

} // namespace
