// Gathered hits are ranked as one list of rows, each with its best cosine.
#include "rank/gathered.h"

#include <gtest/gtest.h>

#include <cmath>

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

// Cosines of rows by their ids, all distinct. Rows are made known as they are looked at, and not
// before.
class Rest final : public ArmRest<RowId> {
  public:
    Rest(Gathered &found, std::vector<std::pair<NewerThenId, double>> rows)
        : found_(found), rows_(std::move(rows)) {
        std::ranges::sort(rows_, std::ranges::greater{},
                          [](const auto &one) { return one.second; });
    }

    ArmFigures figures() override {
        double sum = 0;
        for (const auto &[row, cosine] : rows_)
            sum += cosine;
        const double mean = sum / static_cast<double>(rows_.size());
        double squares = 0;
        for (const auto &[row, cosine] : rows_)
            squares += (cosine - mean) * (cosine - mean);
        return {rows_.size(), rows_.back().second, mean,
                std::sqrt(squares / static_cast<double>(rows_.size()))};
    }
    void more(std::size_t count, std::pmr::vector<Scored<RowId>> &hits) override {
        for (; count > 0 && given < rows_.size(); ++given, --count)
            hits.push_back(look_at(given));
    }
    void read(std::span<const RowId> ids, std::span<double> scores) override {
        for (std::size_t at = 0; at < ids.size(); ++at) {
            scores[at] = 0;
            for (std::size_t n = 0; n < rows_.size(); ++n)
                if (rows_[n].first.id == ids[at])
                    scores[at] = look_at(n).score;
        }
    }
    std::size_t above(double score) override {
        return static_cast<std::size_t>(
            std::count_if(rows_.begin() + static_cast<std::ptrdiff_t>(given), rows_.end(),
                          [score](const auto &one) { return one.second > score; }));
    }

    std::size_t given = 0;

  private:
    Scored<RowId> look_at(std::size_t n) {
        found_.know(rows_[n].first);
        return {rows_[n].second, rows_[n].first.id};
    }

    Gathered &found_;
    std::vector<std::pair<NewerThenId, double>> rows_;
};

// What is answered by such an arm is what all cosines give that are added; few are looked at.
TEST_F(RankGathered, VectorsThatAreLookedAtAsTheyAreNeededGiveTheSame) {
    for (const Fusion fusion : {Fusion::rrf, Fusion::blend, Fusion::rrf_replicated})
        for (const bool with_texts : {true, false}) {
            Gathered all(memory::text::Interruption::none(), memory_);
            Gathered some(memory::text::Interruption::none(), memory_);
            std::vector<std::pair<NewerThenId, double>> cosines;
            for (int n = 0; n < 250; ++n) {
                const NewerThenId one = row(static_cast<std::uint8_t>(n), n % 7);
                if (with_texts && n % 3 == 0) {
                    all.add_text(one, n * 37 % 101);
                    some.add_text(one, n * 37 % 101);
                }
                if (n % 5 == 4)
                    continue;
                cosines.emplace_back(one, (n * 91 % 251 + 1) / 300.0);
                all.add_vector(one, cosines.back().second);
            }
            Rest rest(some, cosines);
            const HybridQuery query{.k = 12, .fusion = fusion, .alpha = with_texts ? 0.5 : 1.0};
            const auto expected = all.best(query);
            const auto best = some.best(query, rest);
            ASSERT_EQ(best.size(), 12U);
            for (std::size_t at = 0; at < best.size(); ++at) {
                EXPECT_EQ(best[at].row.order.id, expected[at].row.order.id);
                EXPECT_EQ(best[at].row.order.time, expected[at].row.order.time);
                EXPECT_DOUBLE_EQ(best[at].score, expected[at].score);
                EXPECT_EQ(best[at].vector.own.rank, expected[at].vector.own.rank);
                EXPECT_EQ(best[at].vector.own.score, expected[at].vector.own.score);
            }
            EXPECT_LT(rest.given, cosines.size());
        }
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
