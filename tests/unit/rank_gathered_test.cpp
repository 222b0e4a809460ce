// Gathered hits are ranked as one list of rows, each with its best cosine.
#include "rank/gathered.h"

#include <gtest/gtest.h>

namespace {

using namespace memory::rank;

NewerThenId row(std::uint8_t id, std::int64_t time = 0) {
    RowId bytes{};
    bytes.back() = id;
    return {time, bytes};
}

std::vector<int> ids_of(const std::pmr::vector<HybridRow> &rows) {
    std::vector<int> ids;
    for (const HybridRow &one : rows)
        ids.push_back(one.row.order.id.back());
    return ids;
}

class RankGathered : public testing::Test {
  protected:
    std::pmr::memory_resource *memory_ = std::pmr::new_delete_resource();
    Gathered found_{memory::text::Interruption::none(), memory_};
};

TEST_F(RankGathered, NothingFoundIsNothing) { EXPECT_TRUE(found_.best({}).empty()); }

TEST_F(RankGathered, ARowOfBothArmsIsOneRow) {
    found_.add_text(row(1), 2);
    found_.add_text(row(2), 1);
    found_.add_vector(row(2), 0.5);
    found_.add_vector(row(3), 0.4);
    const auto best = found_.best({.k = 10});
    EXPECT_EQ(ids_of(best), (std::vector{2, 1, 3}));
    EXPECT_EQ(best[0].lexical.own.rank, 2U);
    EXPECT_EQ(best[0].vector.own.rank, 1U);
    EXPECT_FALSE(best[1].vector.own.ranked());
    EXPECT_FALSE(best[2].lexical.own.ranked());
}

TEST_F(RankGathered, OfSeveralCosinesTheBestCounts) {
    found_.add_vector(row(1), 0.2);
    found_.add_vector(row(2), 0.7);
    found_.add_vector(row(1), 0.9);
    found_.add_vector(row(1), 0.1);
    const auto best = found_.best({.k = 10, .alpha = 1});
    EXPECT_EQ(ids_of(best), (std::vector{1, 2}));
    EXPECT_EQ(best[0].vector.own.score, 0.9);
}

TEST_F(RankGathered, EqualScoresAreInTheOrderOfTimesAndIds) {
    for (const std::uint8_t id : std::initializer_list<std::uint8_t>{5, 3, 9, 1})
        found_.add_text(row(id, id == 9 ? 7 : 0), 1);
    EXPECT_EQ(ids_of(found_.best({.k = 3, .alpha = 0})), (std::vector{9, 1, 3}));
}

TEST_F(RankGathered, WhatIsLessRelevantIsLeftOut) {
    found_.add_text(row(1), 4);
    found_.add_text(row(2), 1);
    found_.add_vector(row(2), 0.3);
    found_.add_vector(row(3), 0.6);
    EXPECT_EQ(ids_of(found_.best({.k = 10, .most = 8, .min_relevance = 0.5})), (std::vector{1, 3}));
}

class Impatient final : public memory::text::Interruption {
  public:
    void check() override { throw std::runtime_error("enough"); }
};

TEST(RankGatheredInterrupted, LongWorkEnds) {
    Impatient impatient;
    Gathered found(impatient, std::pmr::new_delete_resource());
    for (int n = 0; n < 100'000; ++n)
        found.add_text(row(static_cast<std::uint8_t>(n % 200), n), n);
    EXPECT_THROW(found.best({.k = 100'000}), std::runtime_error);
}

} // namespace
