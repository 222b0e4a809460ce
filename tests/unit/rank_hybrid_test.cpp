#include "unit/hybrid_support.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace hybrid_test;

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
