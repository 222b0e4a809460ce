#include "rank/hybrid.h"

#include "rank/diversity.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace {

using namespace memory::rank;

// A tenant in memory: every row with its two scores (0: the arm does not know it).
struct Stored {
    Row row;
    double lexical = 0;
    double vector = 0;
};

class Tenant final : public ConversationSource {
  public:
    std::vector<Stored> all;
    std::size_t fetched = 0;
    bool has_times = false; // an index by time
    std::size_t dated = 0;  // rows that it gave

    void fetch(std::span<const std::uint64_t> places, KnownRows &rows) override {
        for (const std::uint64_t place : places) {
            for (const Stored &one : all) {
                if (one.row.place == place) {
                    rows.add(one.row);
                    ++fetched;
                }
            }
        }
    }
    void fetch(std::span<const RowId> ids, KnownRows &rows) override {
        for (const RowId &id : ids) {
            for (const Stored &one : all) {
                if (one.row.order.id == id) {
                    rows.add(one.row);
                    ++fetched;
                }
            }
        }
    }
    void neighbours(std::span<const std::uint32_t> of, KnownRows &rows,
                    std::pmr::vector<Neighbours> &pairs) override {
        for (const std::uint32_t number : of) {
            const Row row = rows[number];
            for (const Stored *beside : besides(row))
                pairs.push_back({number, rows.add(beside->row)});
        }
    }

    bool knows_times() const override { return has_times; }
    void lasting(std::pmr::vector<Dated> &rows) override {
        for (const Stored &one : all)
            if (!one.row.fades)
                rows.push_back({one.row.place, one.row.order});
    }
    void newest(std::size_t count, std::pmr::vector<Dated> &rows) override {
        if (dated == 0) {
            for (const Stored &one : all)
                by_time.push_back({one.row.place, one.row.order});
            std::sort(by_time.begin(), by_time.end(),
                      [](const Dated &a, const Dated &b) { return a.order < b.order; });
        }
        for (; count > 0 && dated < by_time.size(); --count)
            rows.push_back(by_time[dated++]);
    }

    // The row before and the one after, by time and id.
    std::vector<const Stored *> besides(const Row &row) const {
        const auto place = [](const Row &r) { return std::pair(r.order.time, r.order.id); };
        const Stored *before = nullptr;
        const Stored *after = nullptr;
        for (const Stored &one : all) {
            if (one.row.session != row.session || row.session == 0)
                continue;
            if (place(one.row) < place(row) &&
                (before == nullptr || place(one.row) > place(before->row)))
                before = &one;
            if (place(one.row) > place(row) &&
                (after == nullptr || place(one.row) < place(after->row)))
                after = &one;
        }
        std::vector<const Stored *> found;
        for (const Stored *one : {before, after})
            if (one != nullptr)
                found.push_back(one);
        return found;
    }

  private:
    std::vector<Dated> by_time;
};

Row row(std::uint64_t place, std::int64_t time, std::uint8_t id, std::uint32_t session = 0) {
    Row made;
    made.place = place;
    made.order = {time,
                  {id, static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(place >> 8)}};
    made.session = session;
    return made;
}

// Both arms over what a tenant has, and the answer.
struct Answered {
    std::vector<Scored<std::uint64_t>> texts;
    std::vector<Scored<RowId>> vectors;
    std::pmr::vector<HybridRow> best;

    Answered(Tenant &tenant, const HybridQuery &query, const std::vector<Row> *keep = nullptr) {
        for (const Stored &one : tenant.all) {
            if (one.lexical > 0)
                texts.push_back({one.lexical, one.row.place});
            if (one.vector > 0)
                vectors.push_back({one.vector, one.row.order.id});
        }
        auto *memory = std::pmr::get_default_resource();
        LexicalArm lexical(texts, memory);
        VectorArm vector(vectors, memory);
        Hybrid hybrid(query, lexical, vector, tenant, memory);
        if (keep != nullptr)
            hybrid.keep(*keep);
        best = hybrid.best();
    }
};

// The same by the definition, all rows measured and sorted; no context.
std::vector<std::pair<double, RowId>> by_definition(const Tenant &tenant, const HybridQuery &query,
                                                    const std::set<std::uint64_t> &kept) {
    std::vector<Stored> rows;
    for (const Stored &one : tenant.all)
        if (kept.contains(one.row.place))
            rows.push_back(one);
    std::map<RowId, Standing> standings[2];
    Scale scale;
    for (int arm = 0; arm < 2; ++arm) {
        const auto score = [arm](const Stored &one) { return arm == 0 ? one.lexical : one.vector; };
        std::sort(rows.begin(), rows.end(), [&](const Stored &a, const Stored &b) {
            return score(a) != score(b) ? score(a) > score(b) : a.row.order < b.row.order;
        });
        for (std::uint32_t at = 0; at < rows.size() && score(rows[at]) > 0; ++at) {
            standings[arm][rows[at].row.order.id] = {at + 1, score(rows[at])};
            auto &most = arm == 0 ? scale.lexical : scale.vector;
            most = std::max(most, score(rows[at]));
            if (arm == 1)
                scale.vector_floor = floor_under(score(rows[at]), most, at + 1);
        }
        std::vector<double> best;
        for (const Stored &one : rows)
            if (score(one) > 0 && best.size() < lead_sample)
                best.push_back(score(one));
        (arm == 0 ? scale.lexical_lead : scale.vector_lead) = lead_of(best);
    }
    const Fuser fuser(query.fusion, query.alpha, scale);
    std::vector<std::pair<double, NewerThenId>> scored;
    for (const Stored &one : rows) {
        const auto fused =
            fuser.score(standings[0][one.row.order.id], standings[1][one.row.order.id]);
        if (fused && relevance(one.lexical, query.most, one.vector) >= query.min_relevance) {
            const double age = static_cast<double>(query.now - one.row.order.time);
            scored.emplace_back(
                *fused * one.row.importance *
                    (query.half_life > 0 && one.row.fades ? decay(age, query.half_life) : 1),
                one.row.order);
        }
    }
    std::sort(scored.begin(), scored.end(), [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    scored.resize(std::min(scored.size(), query.k));
    std::vector<std::pair<double, RowId>> found;
    for (const auto &[score, order] : scored)
        found.emplace_back(score, order.id);
    return found;
}

std::vector<std::pair<double, RowId>> short_form(const std::pmr::vector<HybridRow> &best) {
    std::vector<std::pair<double, RowId>> found;
    for (const HybridRow &one : best)
        found.emplace_back(one.score, one.row.order.id);
    return found;
}

Tenant random_tenant(std::mt19937 &random, std::size_t size) {
    Tenant tenant;
    const auto sessions = static_cast<std::uint32_t>(random() % 6);
    for (std::size_t n = 0; n < size; ++n) {
        Stored one;
        one.row = row(n + 1, static_cast<std::int64_t>(random() % 20),
                      static_cast<std::uint8_t>(random() % 250),
                      sessions == 0 ? 0 : static_cast<std::uint32_t>(random() % (sessions + 1)));
        one.row.importance = random() % 3 == 0 ? 0.5 : 1.0;
        // Few distinct values, so that there are ties.
        one.lexical = random() % 3 == 0 ? 0 : static_cast<double>(1 + random() % 12) / 4;
        one.vector = random() % 3 == 0 ? 0 : static_cast<double>(1 + random() % 40) / 50;
        tenant.all.push_back(one);
    }
    std::shuffle(tenant.all.begin(), tenant.all.end(), random);
    return tenant;
}

HybridQuery random_query(std::mt19937 &random) {
    HybridQuery query;
    query.k = 1 + random() % 20;
    query.fusion = static_cast<Fusion>(random() % 3);
    query.alpha = static_cast<double>(random() % 5) / 4;
    query.most = 3;
    query.min_relevance = random() % 3 == 0 ? 0.5 : 0;
    query.half_life = random() % 3 == 0 ? 2 : 0;
    query.now = 20;
    return query;
}

TEST(Hybrid, IsTheDefinitionOverRandomTenants) {
    std::mt19937 random(17);
    for (int round = 0; round < 1000; ++round) {
        Tenant tenant = random_tenant(random, random() % 200);
        const HybridQuery query = random_query(random);
        std::set<std::uint64_t> everybody;
        for (const Stored &one : tenant.all)
            everybody.insert(one.row.place);
        const Answered answered(tenant, query);
        ASSERT_EQ(short_form(answered.best), by_definition(tenant, query, everybody)) << round;
    }
}

// Times spread over so many rows that they are read in several portions, some never.
Tenant aged_tenant(std::mt19937 &random) {
    Tenant tenant = random_tenant(random, 600 + random() % 1500);
    tenant.has_times = true;
    const bool some_last = random() % 2 == 0;
    for (Stored &one : tenant.all) {
        one.row.order.time = static_cast<std::int64_t>(random() % 4000);
        one.row.order.id[3] = static_cast<std::uint8_t>(one.row.place >> 16);
        one.row.fades = !some_last || random() % 20 != 0;
        one.vector = random() % 3 == 0 ? 0 : static_cast<double>(1 + random() % 400) / 500;
    }
    return tenant;
}

TEST(Fading, IsTheDefinitionWhereAnIndexKnowsTimes) {
    std::mt19937 random(21);
    for (int round = 0; round < 100; ++round) {
        Tenant tenant = aged_tenant(random);
        HybridQuery query = random_query(random);
        query.half_life = std::pow(10.0, static_cast<double>(random() % 5));
        query.now = 3000; // some rows are in the future
        query.k = random() % 10 == 0 ? 5000 : query.k;
        std::set<std::uint64_t> everybody;
        for (const Stored &one : tenant.all)
            everybody.insert(one.row.place);
        const Answered answered(tenant, query);
        ASSERT_EQ(short_form(answered.best), by_definition(tenant, query, everybody)) << round;
    }
}

TEST(Fading, GivesTheSameWithContextWhetherTimesAreKnownOrNot) {
    std::mt19937 random(22);
    for (int round = 0; round < 60; ++round) {
        Tenant tenant = aged_tenant(random);
        HybridQuery query = random_query(random);
        query.half_life = std::pow(10.0, static_cast<double>(random() % 5));
        query.now = 4000;
        query.context_weight = 1;
        const Answered by_time(tenant, query);
        tenant.has_times = false;
        const Answered deep(tenant, query);
        ASSERT_EQ(short_form(by_time.best), short_form(deep.best)) << round;
    }
}

// Everything matches about as well as everything else; ten rows are old, and last.
Tenant uniform_tenant() {
    Tenant tenant;
    tenant.has_times = true;
    for (std::uint64_t n = 0; n < 6000; ++n) {
        Stored one;
        one.row = row(n, static_cast<std::int64_t>(n), static_cast<std::uint8_t>(n >> 16));
        one.row.fades = n >= 10;
        one.lexical = 1 + static_cast<double>(n * 7919 % 20011) / 1e6;
        one.vector = 0.5 + static_cast<double>(n * 104729 % 20011) / 1e6;
        tenant.all.push_back(one);
    }
    return tenant;
}

TEST(Fading, LeavesWhatIsOldUnreadAndFindsWhatLasts) {
    HybridQuery query;
    query.fusion = Fusion::blend;
    query.k = 20;
    query.half_life = 300;
    query.now = 6000;
    Tenant tenant = uniform_tenant();
    const Answered answered(tenant, query);
    ASSERT_EQ(answered.best.size(), 20U);
    EXPECT_TRUE(std::any_of(answered.best.begin(), answered.best.end(),
                            [](const HybridRow &one) { return one.row.place < 10; }));
    EXPECT_LE(tenant.fetched, 600U);
    EXPECT_LE(tenant.dated, 2000U);
    tenant.has_times = false;
    tenant.fetched = 0;
    EXPECT_EQ(short_form(Answered(tenant, query).best), short_form(answered.best));
    EXPECT_GE(tenant.fetched, 3000U) << "without times it takes nearly all of them";
}

TEST(Hybrid, RanksOnlyTheRowsThatAreKept) {
    std::mt19937 random(18);
    for (int round = 0; round < 500; ++round) {
        Tenant tenant = random_tenant(random, random() % 200);
        const HybridQuery query = random_query(random);
        std::set<std::uint64_t> kept;
        std::vector<Row> rows;
        for (const Stored &one : tenant.all) {
            if (random() % 3 != 0) {
                kept.insert(one.row.place);
                rows.push_back(one.row);
            }
        }
        const Answered answered(tenant, query, &rows);
        ASSERT_EQ(short_form(answered.best), by_definition(tenant, query, kept)) << round;
        ASSERT_EQ(tenant.fetched, 0U) << "rows that are known are not fetched";
    }
}

TEST(Hybrid, GivesTheSameWithContextWhetherRowsAreKnownOrFetched) {
    std::mt19937 random(19);
    for (int round = 0; round < 500; ++round) {
        Tenant tenant = random_tenant(random, random() % 400);
        HybridQuery query = random_query(random);
        query.context_weight = 1;
        std::vector<Row> rows;
        for (const Stored &one : tenant.all)
            rows.push_back(one.row);
        const Answered fetched(tenant, query);
        const Answered known(tenant, query, &rows);
        ASSERT_EQ(short_form(fetched.best), short_form(known.best)) << round;
    }
}

TEST(Hybrid, ReadsFewRowsOfManyWhenTheAnswerIsClear) {
    Tenant tenant;
    for (std::uint64_t n = 0; n < 5000; ++n) {
        Stored one;
        one.row = row(n, 0, static_cast<std::uint8_t>(n >> 8));
        one.lexical = 1.0 + static_cast<double>(n);
        one.vector = 1 / (1.0 + static_cast<double>(4999 - n));
        tenant.all.push_back(one);
    }
    HybridQuery query;
    query.k = 10;
    const Answered answered(tenant, query);
    ASSERT_EQ(answered.best.size(), 10U);
    EXPECT_EQ(answered.best[0].row.place, 4999U);
    EXPECT_EQ(answered.best[0].score, 1.0);
    EXPECT_LE(tenant.fetched, 64U);
}

TEST(Hybrid, PutsRowsOfOneScoreInOrderOnlyForAnswers) {
    std::mt19937 random(20);
    Tenant tenant;
    for (std::uint64_t n = 0; n < 6000; ++n) {
        Stored one;
        one.row = row(n, 0, static_cast<std::uint8_t>(n >> 8));
        // The best are alone with their scores, all others are twenty.
        one.lexical = n < 100 ? 1000 - static_cast<double>(n) : 400 - static_cast<double>(n / 20);
        one.vector = static_cast<double>(1 + random()) / 5e9;
        tenant.all.push_back(one);
    }
    HybridQuery query;
    query.k = 10;
    ASSERT_EQ(Answered(tenant, query).best.size(), 10U);
    EXPECT_LE(tenant.fetched, 500U);
}

TEST(Hybrid, ARowOfOneArmHasItsTrueRankOnTheOther) {
    Tenant tenant;
    for (std::uint64_t n = 0; n < 3000; ++n) {
        Stored one;
        one.row = row(n, 0, static_cast<std::uint8_t>(n >> 8));
        one.lexical = n == 2999 ? 7 : 0;
        one.vector = 1 / (1.0 + static_cast<double>(n));
        tenant.all.push_back(one);
    }
    const Answered answered(tenant, HybridQuery{});
    ASSERT_EQ(answered.best.size(), 5U);
    const auto exact = std::find_if(answered.best.begin(), answered.best.end(),
                                    [](const HybridRow &one) { return one.row.place == 2999; });
    ASSERT_NE(exact, answered.best.end());
    EXPECT_EQ(exact->lexical.own.rank, 1U);
    EXPECT_EQ(exact->vector.own.rank, 3000U);
}

TEST(Context, NeighboursAndSessionLendTheirParts) {
    Tenant tenant;
    // A session of four; the second matches best, the fourth a little. Another row, without
    // a session, lies between what the third has and what it is lent.
    const double scores[] = {0, 4, 0, 1};
    for (std::uint64_t n = 0; n < 4; ++n)
        tenant.all.push_back({row(n + 1, static_cast<std::int64_t>(n), 1, 1), scores[n], 0});
    tenant.all.push_back({row(9, 9, 9), 2, 0});
    HybridQuery query;
    query.alpha = 0;
    query.context_weight = 1;
    const Answered answered(tenant, query);
    std::vector<std::pair<std::uint64_t, double>> found;
    for (const HybridRow &one : answered.best)
        found.emplace_back(one.row.place, one.lexical.lent.score);
    // Of others: 0.2 of each neighbour, 0.3 of the session's best other row.
    const std::vector<std::pair<std::uint64_t, double>> expected = {
        {2, 4 + 0.3 * 1},
        {4, 1 + 0.3 * 4},
        {3, 0.2 * 4 + 0.2 * 1 + 0.3 * 4},
        {1, 0.2 * 4 + 0.3 * 4},
        {9, 2}};
    ASSERT_EQ(found.size(), expected.size());
    std::map<std::uint64_t, double> by_place(found.begin(), found.end());
    for (const auto &[place, score] : expected)
        EXPECT_NEAR(by_place[place], score, 1e-12) << place;
    EXPECT_EQ(found[0].first, 2U);
    // What is a row's own stays its own.
    const auto third = std::find_if(answered.best.begin(), answered.best.end(),
                                    [](const HybridRow &one) { return one.row.place == 3; });
    ASSERT_NE(third, answered.best.end());
    EXPECT_FALSE(third->lexical.own.ranked());
}

TEST(Context, WhoHasMostHimselfStaysFirst) {
    Tenant tenant;
    // The middle of three good ones is lent more than the best, which is alone, is ahead by.
    const double scores[] = {3, 3.5, 3};
    for (std::uint64_t n = 0; n < 3; ++n)
        tenant.all.push_back({row(n + 1, static_cast<std::int64_t>(n), 1, 1), scores[n], 0});
    tenant.all.push_back({row(9, 9, 9), 4, 0});
    HybridQuery query;
    query.alpha = 0;
    query.context_weight = 1;
    const Answered answered(tenant, query);
    ASSERT_EQ(answered.best.size(), 4U);
    EXPECT_EQ(answered.best[0].row.place, 9U);
    EXPECT_EQ(answered.best[0].lexical.lent.rank, 1U);
    EXPECT_EQ(answered.best[1].row.place, 2U);
}

TEST(Context, WhatHasMostIsFirstInABlendToo) {
    Tenant tenant;
    // The best, which is alone, is the oldest of four; the middle of the others is lent more.
    const double scores[] = {3, 3.5, 3};
    for (std::uint64_t n = 0; n < 3; ++n)
        tenant.all.push_back({row(n + 1, static_cast<std::int64_t>(n + 1), 1, 1), scores[n], 0});
    tenant.all.push_back({row(9, 0, 9), 4, 0});
    HybridQuery query;
    query.fusion = Fusion::blend;
    query.alpha = 0;
    query.context_weight = 1;
    const Answered answered(tenant, query);
    ASSERT_EQ(answered.best.size(), 4U);
    EXPECT_EQ(answered.best[0].row.place, 9U);
    EXPECT_EQ(answered.best[0].score, 1.0);
    // The other has 3.5 and is lent 0.2 of both neighbours and 0.3 of one.
    EXPECT_EQ(answered.best[1].row.place, 2U);
    EXPECT_NEAR(answered.best[1].score, 1 / 1.15, 1e-12);
    EXPECT_NEAR(answered.best[1].lexical.lent.score, 3.5 + 0.4 * 3 + 0.3 * 3, 1e-12);
}

// A hundred rows with words, whose best matches somewhat better than the next; the best vector is
// that of a row that has hardly a word.
Tenant two_opinions(double best_cosine) {
    Tenant tenant;
    for (std::uint64_t n = 0; n < 100; ++n) {
        Stored one;
        one.row = row(n + 1, 0, static_cast<std::uint8_t>(n));
        one.lexical = n == 0 ? 10 : 8 - 0.05 * static_cast<double>(n);
        one.vector = n == 99 ? best_cosine : 0.5 - 0.002 * static_cast<double>(n * 37 % 99);
        tenant.all.push_back(one);
    }
    return tenant;
}

TEST(Blend, FollowsVectorsThatStandOutAndWordsWhereTheyDoNot) {
    HybridQuery query;
    query.fusion = Fusion::blend;
    query.alpha = 0.35;
    for (const auto &[cosine, place] : {std::pair(0.51, 1U), std::pair(0.9, 100U)}) {
        Tenant tenant = two_opinions(cosine);
        EXPECT_EQ(Answered(tenant, query).best[0].row.place, place) << cosine;
        // As much in a narrow band.
        for (Stored &one : tenant.all)
            one.vector = 0.8 + one.vector / 10;
        EXPECT_EQ(Answered(tenant, query).best[0].row.place, place) << cosine;
    }
}

TEST(Context, ChangesNothingWhereThereAreNoSessions) {
    std::mt19937 random(20);
    for (int round = 0; round < 300; ++round) {
        Tenant tenant = random_tenant(random, random() % 200);
        for (Stored &one : tenant.all)
            one.row.session = 0;
        HybridQuery query = random_query(random);
        const Answered without(tenant, query);
        query.context_weight = 1;
        const Answered with(tenant, query);
        ASSERT_EQ(short_form(without.best), short_form(with.best));
    }
}

} // namespace
