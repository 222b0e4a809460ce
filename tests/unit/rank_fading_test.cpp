// What fades: the answer is that of the definition, and what is old and faint is not read.
#include "unit/hybrid_support.h"

#include <gtest/gtest.h>

namespace {

using namespace hybrid_test;

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

} // namespace
