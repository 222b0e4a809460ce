#include "rank/bm25.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

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
    for (std::uint64_t df = 0; df < 100; ++df) {
        EXPECT_GT(inverse_document_frequency(100, df), inverse_document_frequency(100, df + 1));
    }
}

TEST(Bm25, ScoresATermAsTheContractSpellsIt) {
    const Bm25Parameters parameters{.k1 = 1.2, .b = 0.75};
    const Bm25 bm25(parameters, {.documents = 50, .total_length = 1450});
    const double dl = 40;
    const double avgdl = 29;
    const double f = 3;
    const double expected = 2 * inverse_document_frequency(50, 7) * f * (1.2 + 1) /
                            (f + 1.2 * (1 - 0.75 + 0.75 * dl / avgdl));
    EXPECT_DOUBLE_EQ(Bm25::score(bm25.weight(7, 2), f, bm25.norm(40)), expected);
}

TEST(Bm25, NeverScoresATermAboveItsWeight) {
    const Bm25 bm25({.k1 = 0.9, .b = 0.4}, {.documents = 10, .total_length = 1000000});
    const double weight = bm25.weight(1, 1);
    EXPECT_LT(Bm25::score(weight, 1000000, bm25.norm(1)), weight);
    EXPECT_GT(Bm25::score(weight, 1000000, bm25.norm(1)), 0.999 * weight);
}

TEST(Bm25, RewardsFrequencyAndPenalisesLength) {
    const Bm25 bm25({}, {.documents = 10, .total_length = 300});
    EXPECT_GT(Bm25::score(1, 2, bm25.norm(30)), Bm25::score(1, 1, bm25.norm(30)));
    EXPECT_GT(Bm25::score(1, 2, bm25.norm(30)), Bm25::score(1, 2, bm25.norm(31)));
}

TEST(Bm25, IgnoresLengthWhenBIsZeroAndFrequencyWhenK1IsZero) {
    const Bm25 no_length({.k1 = 1.2, .b = 0}, {.documents = 2, .total_length = 10});
    EXPECT_EQ(no_length.norm(1), no_length.norm(1000));
    const Bm25 no_frequency({.k1 = 0, .b = 1}, {.documents = 2, .total_length = 10});
    EXPECT_EQ(Bm25::score(3, 1, no_frequency.norm(7)), 3);
    EXPECT_EQ(Bm25::score(3, 99, no_frequency.norm(7)), 3);
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
