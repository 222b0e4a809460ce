// Stretches as the index of the exclusion constraint sees them.
#include "facts/algebra/stretch.h"

#include <random>

#include <gtest/gtest.h>

namespace memory::facts::algebra {
namespace {

Stretch of(std::uint64_t tenant, std::int64_t line, Instant from, Instant until) {
    return {{tenant, line, from}, {tenant, line, until}};
}

Stretch on(std::int64_t line, Instant from, Instant until) { return of(1, line, from, until); }

TEST(Stretch, OverlapsOnlyOnItsOwnLine) {
    EXPECT_TRUE(overlap(on(1, 0, 10), on(1, 9, 20)));
    EXPECT_TRUE(overlap(on(1, beginning, forever), on(1, 5, 6)));
    EXPECT_FALSE(overlap(on(1, 0, 10), on(1, 10, 20))) << "half-open";
    EXPECT_FALSE(overlap(on(1, 0, 10), on(2, 0, 10)));
    EXPECT_FALSE(overlap(on(1, 0, forever), on(2, beginning, 10)))
        << "the ends of time do not meet";
}

TEST(Stretch, OverlapsOnlyWithinItsTenant) {
    EXPECT_FALSE(overlap(of(1, 7, 0, 10), of(2, 7, 0, 10)));
    const std::int64_t last = std::numeric_limits<std::int64_t>::max();
    EXPECT_FALSE(overlap(of(1, last, 0, forever), of(2, -last, beginning, 10)))
        << "the ends of a tenant's lines do not meet";
    const std::uint64_t great = std::numeric_limits<std::uint64_t>::max();
    EXPECT_LT((Place{1, 7, 0}), (Place{great, 7, 0})) << "no sign";
}

// Whatever a page is said to hold, a search for what one of its entries overlaps must go there.
TEST(Stretch, WhatIsJoinedOverlapsAllThatItsPartsDo) {
    std::mt19937_64 random(7);
    const auto any = [&] {
        const std::uint64_t tenant = random() % 3;
        const auto line = static_cast<std::int64_t>(random() % 4);
        const auto from = static_cast<Instant>(random() % 20);
        return of(tenant, line, random() % 8 == 0 ? beginning : from,
                  random() % 8 == 0 ? forever : from + 1 + static_cast<Instant>(random() % 9));
    };
    for (int round = 0; round < 20'000; ++round) {
        const Stretch a = any(), b = any(), asked = any();
        const Stretch whole = joined(a, b);
        EXPECT_EQ(whole, joined(b, a));
        EXPECT_LE(overlap(a, asked) || overlap(b, asked), overlap(whole, asked));
        EXPECT_EQ(growth(whole, a), 0);
        EXPECT_EQ(growth(a, b) == 0, joined(a, b) == a) << "what grows costs something";
    }
}

TEST(Stretch, GrowsLessTowardsItsNeighbours) {
    const Stretch far = on(1, 0, 10), near = on(7, 0, 10);
    EXPECT_LT(growth(near, on(8, 0, 10)), growth(far, on(8, 0, 10)));
    EXPECT_LT(growth(near, on(7, 20, 30)), growth(near, on(7, 20, 40)));
    EXPECT_LT(growth(near, on(7, beginning, forever)), growth(near, on(8, beginning, 0)));
    const std::int64_t last = std::numeric_limits<std::int64_t>::max();
    EXPECT_GT(growth(on(last, 0, 1), on(-last, 0, 1)), 0) << "no overflow";
    EXPECT_GT(growth(of(1, 1, 0, 1), of(2, 1, 0, 1)), growth(on(1, 0, 1), on(last, 0, 1)));
    EXPECT_GE(growth(of(1, last, 0, 1), of(2, -last, 0, 1)), 0) << "the next tenant";
}

// As GiST keeps it in a float.
TEST(Stretch, GrowsByNoMoreThanAFloatHoldsAndByNoLessThanItTells) {
    const std::uint64_t great = std::numeric_limits<std::uint64_t>::max();
    const std::int64_t last = std::numeric_limits<std::int64_t>::max();
    const Stretch all{{0, -last, beginning}, {great, last, forever}};
    const Stretch middle = of(great / 2, 0, 0, 1);
    EXPECT_LT(growth(middle, all), static_cast<double>(std::numeric_limits<float>::max()));
    EXPECT_GT(static_cast<float>(growth(on(last, 0, 1), on(last, 0, 2))), 0.0F) << "a microsecond";
    const std::int64_t many = std::int64_t{1} << 62;
    EXPECT_LT(growth(on(many, 0, 1), on(many + 1, 0, 1)),
              growth(on(many, 0, 1), on(many + 2, 0, 1)))
        << "neighbours among random numbers";
}

TEST(Stretch, APageThatGrowsAtItsEndIsLeftAlmostFull) {
    EXPECT_EQ(left_of_split(100, 99, 99), 90U);
    EXPECT_EQ(left_of_split(100, 40, 99), 50U) << "grows in the middle";
    EXPECT_EQ(left_of_split(400, 399, 100), 200U) << "four pages of a build";
    for (std::size_t count = 2; count < 300; ++count)
        for (const std::size_t newest : {std::size_t{0}, count / 2, count - 1}) {
            EXPECT_GT(left_of_split(count, newest, 185), 0U);
            EXPECT_LT(left_of_split(count, newest, 185), count);
        }
}

} // namespace
} // namespace memory::facts::algebra
