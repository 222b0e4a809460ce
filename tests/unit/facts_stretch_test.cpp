// Stretches as the index of the exclusion constraint sees them.
#include "facts/algebra/stretch.h"

#include <random>

#include <gtest/gtest.h>

namespace memory::facts::algebra {
namespace {

Stretch on(std::int64_t line, Instant from, Instant until) { return {{line, from}, {line, until}}; }

TEST(Stretch, OverlapsOnlyOnItsOwnLine) {
    EXPECT_TRUE(overlap(on(1, 0, 10), on(1, 9, 20)));
    EXPECT_TRUE(overlap(on(1, beginning, forever), on(1, 5, 6)));
    EXPECT_FALSE(overlap(on(1, 0, 10), on(1, 10, 20))) << "half-open";
    EXPECT_FALSE(overlap(on(1, 0, 10), on(2, 0, 10)));
    EXPECT_FALSE(overlap(on(1, 0, forever), on(2, beginning, 10)))
        << "the ends of time do not meet";
}

// Whatever a page is said to hold, a search for what one of its entries overlaps must go there.
TEST(Stretch, WhatIsJoinedOverlapsAllThatItsPartsDo) {
    std::mt19937_64 random(7);
    const auto any = [&] {
        const auto line = static_cast<std::int64_t>(random() % 4);
        const auto from = static_cast<Instant>(random() % 20);
        return on(line, random() % 8 == 0 ? beginning : from,
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
