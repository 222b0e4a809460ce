#include "rank/order.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace memory::rank;

using Hit = Scored<std::uint32_t>;

// How scores may lie: spread, in few values, all alike, one far from all others, very close.
double score_of(int shape, std::mt19937 &random) {
    const double evenly = std::uniform_real_distribution<>(0, 1)(random);
    switch (shape) {
    case 0:
        return evenly;
    case 1:
        return std::floor(evenly * 7) / 4;
    case 2:
        return 0.25;
    case 3:
        return evenly < 0.001 ? 1e300 : evenly * 1e-9;
    default:
        return 1 + evenly * 1e-15;
    }
}

TEST(Order, IsThatOfBetterHoweverScoresLie) {
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        std::pmr::vector<Hit> hits(random() % 2000);
        for (std::uint32_t at = 0; at < hits.size(); ++at)
            hits[at] = {score_of(round % 5, random), at};
        std::shuffle(hits.begin(), hits.end(), random);
        std::pmr::vector<Hit> expected = hits;
        std::sort(expected.begin(), expected.end(), better<std::uint32_t>);
        put_in_order(hits);
        ASSERT_TRUE(std::equal(
            hits.begin(), hits.end(), expected.begin(), expected.end(),
            [](const Hit &a, const Hit &b) { return a.key == b.key && a.score == b.score; }))
            << round;
    }
}

} // namespace
