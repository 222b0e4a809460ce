#include "rank/bm25.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace memory::rank;

TEST(Idf, IsTheFormulaOfTheContract) {
    EXPECT_DOUBLE_EQ(inverse_document_frequency(3, 1), std::log(1 + (3 - 1 + 0.5) / (1 + 0.5)));
    EXPECT_DOUBLE_EQ(inverse_document_frequency(1000000, 17),
                     std::log(1 + (1000000 - 17 + 0.5) / (17 + 0.5)));
}

TEST(Idf, StaysPositiveForATermInEveryDocument) {
    EXPECT_GT(inverse_document_frequency(1, 1), 0);
    EXPECT_GT(inverse_document_frequency(1000000000, 1000000000), 0);
}

TEST(Idf, CountsAFrequencyAboveTheCorpusAsTheWholeCorpus) {
    EXPECT_EQ(inverse_document_frequency(10, 11), inverse_document_frequency(10, 10));
    EXPECT_GT(inverse_document_frequency(0, 5), 0);
}

TEST(Idf, FallsAsATermGetsCommoner) {
    for (std::uint64_t df = 0; df < 100; ++df)
        EXPECT_GT(inverse_document_frequency(100, df), inverse_document_frequency(100, df + 1));
}

TEST(Bm25, ScoresATermAsTheContractSpellsIt) {
    const Bm25Parameters parameters{.k1 = 1.2, .b = 0.75};
    const Bm25 bm25(parameters, {.documents = 50, .total_length = 1450});
    const double dl = 40;
    const double avgdl = 29;
    const double f = 3;
    const double expected = 2 * inverse_document_frequency(50, 7) * f * (1.2 + 1) /
                            (f + 1.2 * (1 - 0.75 + 0.75 * dl / avgdl));
    EXPECT_DOUBLE_EQ(bm25.score(bm25.weight(7, 2), f, bm25.norm(40)), expected);
}

TEST(Bm25, NeverScoresATermAboveItsWeight) {
    const Bm25 bm25({.k1 = 0.9, .b = 0.4}, {.documents = 10, .total_length = 1000000});
    const double weight = bm25.weight(1, 1);
    EXPECT_LT(bm25.score(weight, 1000000, bm25.norm(1)), weight);
    EXPECT_GT(bm25.score(weight, 1000000, bm25.norm(1)), 0.999 * weight);
}

TEST(Bm25, RewardsFrequencyAndPenalisesLength) {
    const Bm25 bm25({}, {.documents = 10, .total_length = 300});
    EXPECT_GT(bm25.score(1, 2, bm25.norm(30)), bm25.score(1, 1, bm25.norm(30)));
    EXPECT_GT(bm25.score(1, 2, bm25.norm(30)), bm25.score(1, 2, bm25.norm(31)));
}

TEST(Bm25, IgnoresLengthWhenBIsZeroAndFrequencyWhenK1IsZero) {
    const Bm25 no_length({.k1 = 1.2, .b = 0}, {.documents = 2, .total_length = 10});
    EXPECT_EQ(no_length.norm(1), no_length.norm(1000));
    const Bm25 no_frequency({.k1 = 0, .b = 1}, {.documents = 2, .total_length = 10});
    EXPECT_EQ(no_frequency.score(3, 1, no_frequency.norm(7)), 3);
    EXPECT_EQ(no_frequency.score(3, 99, no_frequency.norm(7)), 3);
}

TEST(Bm25, NeverFallsWithTheFrequencyNorRisesWithTheLengthByRounding) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
        const Bm25Parameters parameters{.k1 = std::ldexp(1.0, -static_cast<int>(random() % 40)),
                                        .b = static_cast<double>(random() % 101) / 100};
        Bm25 bm25(parameters, {.documents = 100, .total_length = 1 + random() % 100000});
        std::vector<double> weights{bm25.weight(7, 1), bm25.weight(100, 2)};
        bm25.settle(weights);
        const std::uint64_t length = random() % 2000;
        const std::uint32_t from = static_cast<std::uint32_t>(random() % 4000000000);
        for (std::uint32_t f = from + 1; f < from + 50; ++f) {
            EXPECT_GE(bm25.score(weights[0], f + 1, bm25.norm(length)),
                      bm25.score(weights[0], f, bm25.norm(length)));
            EXPECT_GE(bm25.score(weights[0], f, bm25.norm(length)),
                      bm25.score(weights[0], f, bm25.norm(length + 1)));
        }
    }
}

TEST(Bm25, SettledGivesTheSameSumInAnyOrder) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 500; ++round) {
        Bm25 bm25({}, {.documents = 1000000, .total_length = 29000000});
        std::vector<double> weights;
        for (std::size_t i = 0; i < 1 + random() % 300; ++i) {
            const auto times = static_cast<std::uint32_t>(1 + random() % 9);
            weights.push_back(bm25.weight(random() % 1000001, times));
        }
        bm25.settle(weights);
        std::vector<double> parts;
        for (const double weight : weights) {
            const auto frequency = static_cast<double>(1 + random() % 5);
            const double score = bm25.score(weight, frequency, bm25.norm(random() % 100));
            EXPECT_GT(score, 0);
            EXPECT_LE(score, weight);
            parts.push_back(score);
        }
        const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
        std::shuffle(parts.begin(), parts.end(), random);
        EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), 0.0), sum);
    }
}

TEST(Bm25, SettlesWeightsOfAnySize) {
    for (const double size : {0.0, 1e-300, 1e-9, 1.0, 1e300, 1e308}) {
        Bm25 bm25({}, {.documents = 10, .total_length = 300});
        std::vector<double> weights{size, 0, size / 3};
        bm25.settle(weights);
        EXPECT_NEAR(weights[0], size, size * 1e-15);
        EXPECT_EQ(weights[1], 0);
        EXPECT_NEAR(weights[2], size / 3, size * 1e-15);
    }
}

TEST(Bm25, StaysFiniteForAnEmptyCorpusAndForEmptyDocuments) {
    const Bm25 nothing({}, {});
    EXPECT_TRUE(std::isfinite(nothing.norm(5)));
    EXPECT_TRUE(std::isfinite(nothing.weight(0, 1)));
    const Bm25 empty_documents({}, {.documents = 3, .total_length = 0});
    EXPECT_TRUE(std::isfinite(empty_documents.norm(0)));
}

TEST(Bm25Parameters, AcceptTheUsualRangesAndNothingElse) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(Bm25Parameters{}.valid());
    EXPECT_TRUE((Bm25Parameters{.k1 = 0, .b = 0}).valid());
    EXPECT_TRUE((Bm25Parameters{.k1 = 100, .b = 1}).valid());
    EXPECT_FALSE((Bm25Parameters{.k1 = -0.1, .b = 0.5}).valid());
    EXPECT_FALSE((Bm25Parameters{.k1 = 1, .b = 1.01}).valid());
    EXPECT_FALSE((Bm25Parameters{.k1 = 1, .b = -0.01}).valid());
    EXPECT_FALSE((Bm25Parameters{.k1 = nan, .b = 0.5}).valid());
    EXPECT_FALSE((Bm25Parameters{.k1 = 1, .b = nan}).valid());
    EXPECT_FALSE((Bm25Parameters{.k1 = infinity, .b = 0.5}).valid());
}

TEST(Bm25Parameters, FollowTheAverageLengthWhereTheyAreToldTo) {
    const Bm25Parameters both{0.9, 0.4, true, true};
    const auto at = [&](std::uint64_t total) { return both.in({100, total}); };
    for (const std::uint64_t total : {0U, 1U, 3000U, 6000U}) {
        EXPECT_EQ(at(total).k1, 0.9);
        EXPECT_EQ(at(total).b, 0.4);
    }
    EXPECT_NEAR(at(7000).k1, 0.975, 1e-12);
    EXPECT_NEAR(at(7000).b, 0.4875, 1e-12);
    for (const std::uint64_t total : {10000U, 90000U}) {
        EXPECT_EQ(at(total).k1, 1.2);
        EXPECT_EQ(at(total).b, 0.75);
    }
    EXPECT_EQ(both.in({}).k1, 0.9);
    const Bm25Parameters one = Bm25Parameters{2, 0.4, false, true}.in({100, 10000});
    EXPECT_EQ(one.k1, 2);
    EXPECT_EQ(one.b, 0.75);
    const Bm25 settled({1.2, 0.75}, {100, 10000});
    const Bm25 by_length(both, {100, 10000});
    EXPECT_EQ(by_length.weight(7, 1), settled.weight(7, 1));
    EXPECT_EQ(by_length.norm(40), settled.norm(40));
}

TEST(Bm25Parameters, MakeNoJumpWhereTheLengthGrowsByATokenAText) {
    const Bm25Parameters both{0.9, 0.4, true, true};
    for (std::uint64_t average = 1; average < 150; ++average) {
        const Bm25Parameters here = both.in({1000, average * 1000});
        const Bm25Parameters next = both.in({1000, (average + 1) * 1000});
        EXPECT_LE(std::abs(next.k1 - here.k1), 0.0076);
        EXPECT_LE(std::abs(next.b - here.b), 0.0089);
    }
}

TEST(DistinctTerms, AreSortedByBytesAndCounted) {
    const std::string_view tokens[] = {"wine", "red", "\xc3\xa9t\xc3\xa9", "wine", "Red", "wine"};
    const auto terms = distinct_terms(tokens, std::pmr::get_default_resource());
    const std::vector<QueryTerm> expected = {
        {"Red", 1}, {"red", 1}, {"wine", 3}, {"\xc3\xa9t\xc3\xa9", 1}};
    EXPECT_TRUE(std::equal(terms.begin(), terms.end(), expected.begin(), expected.end()));
}

TEST(DistinctTerms, OfNothingAreNone) {
    EXPECT_TRUE(distinct_terms({}, std::pmr::get_default_resource()).empty());
}

} // namespace
