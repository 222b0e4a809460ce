#include "rank/fusion.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace {

using namespace memory::rank;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Standing unranked{};

Standing at(std::uint32_t rank, double score = 0) { return {.rank = rank, .score = score}; }

TEST(Rrf, IsExactlyOneForTheFirstOnBothListsAtAnyAlpha) {
    for (int i = 0; i <= 1000; ++i) {
        const double alpha = i / 1000.0;
        EXPECT_EQ(Fuser(Fusion::rrf, alpha).score(at(1), at(1)), 1.0) << alpha;
    }
}

TEST(Rrf, IsTheFormulaOfTheContract) {
    const Fuser fuser(Fusion::rrf, 0.3);
    EXPECT_NEAR(*fuser.score(at(7), at(2)), (0.7 / (60 + 7) + 0.3 / (60 + 2)) * 61, 1e-15);
    EXPECT_NEAR(*fuser.score(at(7), unranked), 0.7 / 67 * 61, 1e-15);
    EXPECT_NEAR(*fuser.score(unranked, at(2)), 0.3 / 62 * 61, 1e-15);
}

TEST(Rrf, LeavesOutRowsThatOnlyAnArmWithoutWeightRanks) {
    const Fuser lexical(Fusion::rrf, 0);
    EXPECT_EQ(lexical.score(unranked, at(1)), std::nullopt);
    EXPECT_EQ(lexical.score(at(1), at(999)), 1.0);
    const Fuser vector(Fusion::rrf, 1);
    EXPECT_EQ(vector.score(at(1), unranked), std::nullopt);
    EXPECT_EQ(vector.score(at(999), at(1)), 1.0);
}

TEST(EveryFusion, LeavesOutRowsThatNoArmRanks) {
    for (const Fusion method : {Fusion::rrf, Fusion::blend, Fusion::rrf_replicated})
        EXPECT_EQ(Fuser(method, 0.5).score(unranked, unranked), std::nullopt);
}

TEST(Blend, AddsScoresAsSharesOfTheHighest) {
    const Fuser fuser(Fusion::blend, 0.25, {.lexical = 8, .vector = 0.9});
    EXPECT_DOUBLE_EQ(*fuser.score(at(1, 8), at(1, 0.9)), 1);
    EXPECT_DOUBLE_EQ(*fuser.score(at(2, 4), at(2, 0.3)),
                     0.75 * 0.5 + 0.25 * std::pow(1.0 / 3, 1.5));
    EXPECT_DOUBLE_EQ(*fuser.score(at(2, 4), unranked), 0.75 * 0.5);
}

TEST(Blend, MeasuresCosinesFromTheFloorOfTheirBand) {
    const Fuser fuser(Fusion::blend, 0.25, {.lexical = 8, .vector = 0.9, .vector_floor = 0.7});
    EXPECT_DOUBLE_EQ(*fuser.score(at(2, 4), at(1, 0.9)), 0.75 * 0.5 + 0.25);
    EXPECT_DOUBLE_EQ(*fuser.score(at(2, 4), at(2, 0.75)), 0.75 * 0.5 + 0.25 * 0.125);
    EXPECT_DOUBLE_EQ(*fuser.score(at(2, 4), at(3, 0.7)), 0.75 * 0.5);
    EXPECT_DOUBLE_EQ(floor_under(0.6, 0.9, 3), 0.5);
    EXPECT_EQ(floor_under(0.6, 0.6, 1), 0);
    EXPECT_EQ(floor_under(0, 0, 0), 0);
}

// 48 scores: `best`, three of 60, and 44 down to 1, which are 21.5 above the last on average.
std::vector<double> scores_with(double best) {
    std::vector<double> scores{best, 60, 60, 60};
    for (double score = 44; score > 0; --score)
        scores.push_back(score);
    return scores;
}

TEST(Lead, IsHowFarTheBestIsAheadOfTheFifthInUnitsOfTheTail) {
    EXPECT_EQ(scores_with(87).size(), lead_sample);
    EXPECT_DOUBLE_EQ(*lead_of(scores_with(44 + 2 * 21.5)), 2);
    EXPECT_DOUBLE_EQ(*lead_of(scores_with(44 + 9 * 21.5)), 9);
    EXPECT_EQ(lead_of(scores_with(60)), 1) << "16 ahead is less than one unit";
    EXPECT_EQ(lead_of(scores_with(500)), 10);
}

TEST(Lead, DoesNotChangeWhenScoresAreStretchedOrMoved) {
    std::vector<double> scores = scores_with(100);
    const double lead = *lead_of(scores);
    for (double &score : scores)
        score = 0.7 + score / 1000;
    EXPECT_NEAR(*lead_of(scores), lead, 1e-9);
}

TEST(Lead, IsNotKnownOfFewScoresAndShortestOrLongestOverEqualOnes) {
    EXPECT_EQ(lead_of({}), std::nullopt);
    EXPECT_EQ(lead_of(std::vector<double>(23, 1)), std::nullopt);
    std::vector<double> scores(24, 1);
    EXPECT_EQ(lead_of(scores), 1);
    scores.front() = 1.5;
    EXPECT_EQ(lead_of(scores), 10);
    scores.front() = nan;
    EXPECT_EQ(lead_of(scores), 1);
}

TEST(Height, IsInUnitsOfWhatTheBestOfSoManyNormallyDistributedScoresHas) {
    const double usual = std::sqrt(2 * std::log(100.0));
    EXPECT_DOUBLE_EQ(*height_of(0.5 + 0.1 * usual, 0.5, 0.1, 100), 1);
    EXPECT_DOUBLE_EQ(*height_of(0.5 + 0.05 * usual, 0.5, 0.1, 100), 0.5);
    EXPECT_LT(*height_of(0.9, 0.5, 0.1, 1000000), *height_of(0.9, 0.5, 0.1, 100));
}

TEST(Height, IsNotKnownOfFewScoresNorOfEqualOnes) {
    EXPECT_EQ(height_of(0, 0, 0, 0), std::nullopt);
    EXPECT_EQ(height_of(0.9, 0.5, 0.1, 23), std::nullopt);
    EXPECT_NE(height_of(0.9, 0.5, 0.1, 24), std::nullopt);
    EXPECT_EQ(height_of(0.9, 0.9, 0, 100), std::nullopt);
    EXPECT_EQ(height_of(0.9, nan, nan, 100), std::nullopt);
}

TEST(Blend, TrustsALeadNoFurtherThanTheBestStandsHigh) {
    const auto odds = [](double lead, std::optional<double> height) {
        const double a = blend_weight(0.5, {.vector_lead = lead, .vector_height = height});
        return a / (1 - a);
    };
    EXPECT_NEAR(odds(6, std::nullopt), 2.5, 1e-12);
    EXPECT_NEAR(odds(6, 1.4), 2.5, 1e-12);
    EXPECT_NEAR(odds(6, 1.2), 1.728, 1e-12);
    EXPECT_NEAR(odds(6, 1), 1, 1e-12);
    EXPECT_NEAR(odds(6, 0.8), 0.8, 1e-12);
    EXPECT_NEAR(odds(6, 0.1), 0.2, 1e-12) << "never less than an arm without a lead";
    EXPECT_NEAR(odds(1, 3), 0.2, 1e-12) << "to stand high alone says nothing";
}

TEST(Blend, TrustsVectorsThatDoNotStandHighLessBesideWordsThatKnowMore) {
    const auto odds = [](std::optional<double> lead, std::optional<double> height) {
        Scale scale{.vector_lead = lead, .vector_height = height, .words_know_more = true};
        EXPECT_EQ(blend_weight(1, scale), 1);
        const double a = blend_weight(0.5, scale);
        return a / (1 - a);
    };
    EXPECT_NEAR(odds(6, 1.4), 2.5, 1e-12);
    EXPECT_NEAR(odds(6, 1.2), 1.728, 1e-12);
    EXPECT_NEAR(odds(6, 0.92), 0.92 * std::pow(0.8, 4), 1e-12);
    EXPECT_NEAR(odds(1, 0.92), 0.2 * std::pow(0.8, 4), 1e-12);
    EXPECT_NEAR(odds(6, 0.575), 0.575 / 16, 1e-12);
    EXPECT_NEAR(odds(6, 0), 0.2e-4, 1e-12);
    EXPECT_NEAR(odds(6, std::nullopt), 2.5, 1e-12) << "nothing is known against them";
    EXPECT_NEAR(odds(std::nullopt, std::nullopt), 1, 1e-12);
}

TEST(Blend, WeighsAnArmByItsLead) {
    const auto weight = [](double alpha, std::optional<double> lexical,
                           std::optional<double> vector) {
        return blend_weight(alpha, {.lexical_lead = lexical, .vector_lead = vector});
    };
    EXPECT_DOUBLE_EQ(weight(0.35, std::nullopt, std::nullopt), 0.35);
    EXPECT_DOUBLE_EQ(weight(0.35, 5, 1.8), 0.35) << "the leads that are usual";
    EXPECT_DOUBLE_EQ(weight(0.35, 5, 1), 0.35 * 0.2 / (0.35 * 0.2 + 0.65));
    EXPECT_DOUBLE_EQ(weight(0.35, 5, 6), 0.35 * 2.5 / (0.35 * 2.5 + 0.65));
    EXPECT_DOUBLE_EQ(weight(0.5, 5.0 / 8, std::nullopt), 0.5 / (0.5 + 0.5 / 2));
    for (const double lead : {1.0, 10.0}) {
        EXPECT_EQ(weight(0, lead, 10), 0);
        EXPECT_EQ(weight(1, 10, lead), 1);
    }
}

TEST(Blend, IsOneForTheBestOfBothWhateverTheLeads) {
    for (const double lead : {1.0, 1.8, 10.0}) {
        const Scale scale{.lexical = 3,
                          .vector = 0.9,
                          .vector_floor = 0.1,
                          .lexical_lead = 2,
                          .vector_lead = lead};
        EXPECT_EQ(Fuser(Fusion::blend, 0.35, scale).score(at(1, 3), at(1, 0.9)), 1);
    }
}

TEST(Rrf, TakesAConstant) {
    const Fuser fuser(Fusion::rrf, 0.25, {}, 0);
    EXPECT_DOUBLE_EQ(*fuser.score(at(1), at(1)), 1);
    EXPECT_DOUBLE_EQ(*fuser.score(at(2), at(4)), 0.75 / 2 + 0.25 / 4);
    EXPECT_DOUBLE_EQ(*Fuser(Fusion::rrf_replicated, 0.5, {}, 0).score(at(1), unranked),
                     *Fuser(Fusion::rrf_replicated, 0.5).score(at(1), unranked));
}

TEST(Blend, GivesNothingForAnArmWithoutAPositiveScore) {
    EXPECT_EQ(Fuser(Fusion::blend, 0.5, {.lexical = 0, .vector = 1}).score(at(1, 0), at(1, 1)),
              0.5);
    EXPECT_EQ(Fuser(Fusion::blend, 0.5, {.lexical = 1, .vector = -1}).score(at(1, 1), at(1, -1)),
              0.5);
}

TEST(Blend, TakesNanAndNegativeScoresAsZeroAndStaysWithinOne) {
    const Fuser fuser(Fusion::blend, 0.5, {.lexical = 2, .vector = 1});
    EXPECT_EQ(fuser.score(at(1, 2), at(1, nan)), 0.5);
    EXPECT_EQ(fuser.score(at(1, 2), at(1, -0.5)), 0.5);
    EXPECT_EQ(fuser.score(at(1, 99), at(1, 99)), 1.0);
    EXPECT_EQ(Fuser(Fusion::blend, 0.5, {.lexical = nan, .vector = 1}).score(at(1, 2), at(1, 1)),
              0.5);
}

// The lists of the golden numbers: lexical order 0, 1, 2; vector order 2, 1, 3.
TEST(RrfReplicated, GivesTheGoldenNumbers) {
    const Fuser fuser(Fusion::rrf_replicated, 0.5);
    EXPECT_NEAR(*fuser.score(at(3), at(1)), 0.064532917, 5e-10);
    EXPECT_NEAR(*fuser.score(at(2), at(2)), 0.064516129, 5e-10);
    EXPECT_NEAR(*fuser.score(at(1), unranked), 0.032786885, 5e-10);
    EXPECT_NEAR(*fuser.score(unranked, at(3)), 0.031746032, 5e-10);
}

TEST(RrfReplicated, RoundsHalvesToEvenAsPythonDoes) {
    struct Case {
        double alpha;
        int lexical, vector;
    };
    const Case cases[] = {{0, 4, 1},     {0.125, 4, 1}, {0.25, 3, 1},  {0.375, 2, 2}, {0.5, 2, 2},
                          {0.625, 2, 2}, {0.75, 1, 3},  {0.875, 1, 4}, {1, 1, 4},     {0.3, 3, 1},
                          {0.7, 1, 3},   {0.4, 2, 2},   {0.1, 4, 1},   {0.9, 1, 4}};
    for (const Case &c : cases) {
        const Fuser fuser(Fusion::rrf_replicated, c.alpha);
        EXPECT_NEAR(*fuser.score(at(1), unranked) * 61, c.lexical, 1e-12) << c.alpha;
        EXPECT_NEAR(*fuser.score(unranked, at(1)) * 61, c.vector, 1e-12) << c.alpha;
    }
}

TEST(RrfReplicated, RepeatsTheModelsLoopBitForBit) {
    for (std::uint32_t lexical = 1; lexical < 50; ++lexical) {
        for (std::uint32_t vector = 1; vector < 50; ++vector) {
            double expected = 0.0;
            for (int copy = 0; copy < 3; ++copy)
                expected += 1.0 / (60 + lexical);
            expected += 1.0 / (60 + vector);
            EXPECT_EQ(Fuser(Fusion::rrf_replicated, 0.25).score(at(lexical), at(vector)), expected);
        }
    }
}

TEST(SingleArmAlpha, GivesTheOnlyArmTheWholeWeightExceptWhereTheModelDoesNot) {
    EXPECT_EQ(single_arm_alpha(Fusion::rrf, true, 0.5), 1);
    EXPECT_EQ(single_arm_alpha(Fusion::rrf, false, 0.5), 0);
    EXPECT_EQ(single_arm_alpha(Fusion::blend, false, 1), 0);
    EXPECT_EQ(single_arm_alpha(Fusion::rrf_replicated, false, 0.5), 0.5);
}

TEST(ReciprocalRankSum, AddsWeightOverKPlusRank) {
    ReciprocalRankSum sum;
    EXPECT_EQ(sum.value(), 0);
    sum.add(1, 1, 60);
    sum.add(3, 0.5, 60);
    sum.add(2, -0.25, 0);
    EXPECT_DOUBLE_EQ(sum.value(), 1.0 / 61 + 0.5 / 63 - 0.125);
}

TEST(ReciprocalRankSum, DoesNotDependOnOrderNorOnHowWorkersSplitTheRows) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::pair<std::int64_t, double>> votes(2 + random() % 30);
        for (auto &[rank, weight] : votes) {
            rank = 1 + static_cast<std::int64_t>(random() % 100000);
            weight = std::uniform_real_distribution<>(-1, 3)(random);
        }
        ReciprocalRankSum forwards;
        for (const auto &[rank, weight] : votes)
            forwards.add(rank, weight, 60);
        std::shuffle(votes.begin(), votes.end(), random);
        ReciprocalRankSum workers[3];
        for (const auto &[rank, weight] : votes)
            workers[random() % 3].add(rank, weight, 60);
        workers[0].merge(workers[1]);
        workers[0].merge(workers[2]);
        ASSERT_EQ(workers[0].value(), forwards.value());
    }
}

TEST(ReciprocalRankSum, OverflowsToInfinityNotToNan) {
    ReciprocalRankSum sum;
    for (int i = 0; i < 5; ++i)
        sum.add(1, std::numeric_limits<double>::max(), 0);
    EXPECT_EQ(sum.value(), std::numeric_limits<double>::infinity());
}

TEST(ReciprocalRankSum, RefusesWhatHasNoMeaning) {
    using Refusal = ReciprocalRankSum::Refusal;
    EXPECT_EQ(ReciprocalRankSum::check(1, 1, 60), Refusal::none);
    EXPECT_EQ(ReciprocalRankSum::check(1, -1, 0), Refusal::none);
    EXPECT_EQ(ReciprocalRankSum::check(0, 1, 60), Refusal::rank_below_one);
    EXPECT_EQ(ReciprocalRankSum::check(-5, 1, 60), Refusal::rank_below_one);
    EXPECT_EQ(ReciprocalRankSum::check(1, nan, 60), Refusal::weight_not_finite);
    EXPECT_EQ(ReciprocalRankSum::check(1, std::numeric_limits<double>::infinity(), 60),
              Refusal::weight_not_finite);
    EXPECT_EQ(ReciprocalRankSum::check(1, 1, -1), Refusal::k_negative);
}

} // namespace
