// A vector arm of which not all rows have been looked at: the answer is that of an arm which has
// them all, and few are read.
#include "unit/hybrid_support.h"

#include <gtest/gtest.h>

namespace {

using namespace hybrid_test;

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

// The rest of a tenant in memory. What it says is exact.
class Rest final : public ArmRest<RowId> {
  public:
    explicit Rest(const Tenant &tenant) {
        for (const Stored &one : tenant.all)
            if (one.vector > 0)
                all_.push_back({one.vector, one.row.order.id});
        put_in_order(all_);
    }

    ArmFigures figures() override {
        ArmFigures all;
        all.count = all_.size();
        if (all_.empty())
            return all;
        const auto count = static_cast<double>(all_.size());
        double sum = 0;
        for (const auto &one : all_)
            sum += one.score;
        double squares = 0;
        for (const auto &one : all_)
            squares += (one.score - sum / count) * (one.score - sum / count);
        all.lowest = all_.back().score;
        all.mean = sum / count;
        all.deviation = std::sqrt(squares / count);
        return all;
    }
    void more(std::size_t count, std::pmr::vector<Scored<RowId>> &hits) override {
        for (; given < all_.size() &&
               (count > 0 || (given > 0 && all_[given].score == all_[given - 1].score));
             ++given) {
            hits.push_back(all_[given]);
            count -= count > 0 ? 1 : 0;
        }
    }
    void read(std::span<const RowId> ids, std::span<double> scores) override {
        EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
        for (std::size_t at = 0; at < ids.size(); ++at) {
            const auto found = std::find_if(all_.begin(), all_.end(),
                                            [&](const auto &one) { return one.key == ids[at]; });
            scores[at] = found == all_.end() ? 0 : found->score;
        }
        asked += ids.size();
    }
    std::size_t above(double score) override {
        return static_cast<std::size_t>(
            std::count_if(all_.begin() + static_cast<std::ptrdiff_t>(given), all_.end(),
                          [score](const auto &one) { return one.score > score; }));
    }

    std::size_t given = 0;
    std::size_t asked = 0;

  private:
    std::pmr::vector<Scored<RowId>> all_;
};

// The best rows by such an arm, and what explains them.
struct ByRest {
    Rest rest;
    std::pmr::vector<HybridRow> best;
    std::optional<HybridRow> last; // the row of the tenant that comes last

    ByRest(Tenant &tenant, const HybridQuery &query) : rest(tenant) {
        std::vector<Scored<std::uint64_t>> texts;
        for (const Stored &one : tenant.all)
            if (one.lexical > 0)
                texts.push_back({one.lexical, one.row.place});
        LexicalArm lexical(texts, memory());
        VectorArm vector(rest, memory());
        Hybrid hybrid(query, lexical, vector, tenant, memory());
        best = hybrid.best();
        if (!tenant.all.empty())
            last = hybrid.standing(tenant.all.back().row.order.id);
    }
};

// Cosines are distinct: the ranks of equal ones are estimates.
Tenant distinct_tenant(std::mt19937 &random, std::size_t size) {
    Tenant tenant = random_tenant(random, size);
    for (Stored &one : tenant.all) {
        one.row.order.id[3] = static_cast<std::uint8_t>(one.row.place >> 16);
        if (one.vector > 0)
            one.vector = (one.vector + static_cast<double>(one.row.place) / 1e5) / 2;
    }
    return tenant;
}

TEST(Rest, GivesWhatAnArmWithAllRowsGives) {
    std::mt19937 random(31);
    for (int round = 0; round < 150; ++round) {
        Tenant tenant = distinct_tenant(random, random() % 500);
        HybridQuery query = random_query(random);
        query.context_weight = random() % 2 == 0 ? 0 : 1;
        query.k = random() % 20 == 0 ? 2000 : query.k;
        tenant.has_times = random() % 2 == 0;
        const Answered all(tenant, query);
        tenant.dated = 0;
        const ByRest some(tenant, query);
        ASSERT_EQ(short_form(some.best), short_form(all.best)) << round;
        for (std::size_t at = 0; at < all.best.size(); ++at) {
            ASSERT_EQ(some.best[at].vector.own.rank, all.best[at].vector.own.rank) << round;
            ASSERT_EQ(some.best[at].vector.own.score, all.best[at].vector.own.score) << round;
            ASSERT_EQ(some.best[at].relevance, all.best[at].relevance) << round;
        }
    }
}

TEST(Rest, GivesAllOfOneScoreTogether) {
    std::mt19937 random(32);
    for (int round = 0; round < 60; ++round) {
        Tenant tenant = random_tenant(random, random() % 500);
        HybridQuery query = random_query(random);
        query.fusion = Fusion::blend;
        const Answered all(tenant, query);
        const ByRest some(tenant, query);
        ASSERT_EQ(short_form(some.best), short_form(all.best)) << round;
    }
}

TEST(Rest, StandsWhereItsCosineSays) {
    std::mt19937 random(33);
    for (int round = 0; round < 40; ++round) {
        Tenant tenant = distinct_tenant(random, 300 + random() % 300);
        HybridQuery query = random_query(random);
        const Stored &last = tenant.all.back();
        std::uint32_t rank = last.vector > 0 ? 1 : 0;
        for (const Stored &one : tenant.all)
            rank += last.vector > 0 && one.vector > last.vector ? 1U : 0U;
        const ByRest some(tenant, query);
        ASSERT_TRUE(some.last);
        ASSERT_EQ(some.last->vector.own.rank, rank) << round;
        ASSERT_EQ(some.last->vector.own.score, last.vector) << round;
    }
}

TEST(Rest, ReadsFewRowsOfManyWhenTheAnswerIsClear) {
    std::mt19937 random(34);
    Tenant tenant;
    for (std::uint64_t n = 0; n < 5000; ++n) {
        Stored one;
        one.row = row(n, 0, static_cast<std::uint8_t>(n >> 8));
        one.lexical = n % 10 == 0 ? 1 + 10 / (1.0 + static_cast<double>(n)) : 0;
        one.vector = n < 20 ? 0.9 - 0.01 * static_cast<double>(n)
                            : static_cast<double>(1 + random() % 1000) / 2500;
        tenant.all.push_back(one);
    }
    HybridQuery query;
    query.fusion = Fusion::blend;
    query.alpha = 0.35;
    const ByRest some(tenant, query);
    EXPECT_EQ(short_form(some.best), short_form(Answered(tenant, query).best));
    EXPECT_LE(some.rest.given, 200U);
    EXPECT_LE(some.rest.asked, 200U);
}

TEST(Rest, MayBeEmpty) {
    Tenant tenant;
    tenant.all.push_back({row(1, 0, 1), 2, 0});
    HybridQuery query;
    query.context_weight = 1;
    const ByRest some(tenant, query);
    ASSERT_EQ(some.best.size(), 1U);
    EXPECT_FALSE(some.best[0].vector.own.ranked());
}

} // namespace
