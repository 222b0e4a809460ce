// Positions of keys in an array that grows.
#include "rank/positions.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using memory::rank::PositionsInArray;

// Keys that collide, and how many were looked at.
struct Keys {
    std::vector<std::uint64_t> all;
    std::size_t asked = 0;

    auto at() {
        return [this](std::uint32_t position) {
            ++asked;
            return all[position];
        };
    }
};

TEST(PositionsInArray, KnowsEachKeyWheneverTheArrayGrows) {
    for (const std::size_t step : {1U, 2U, 7U, 300U}) {
        PositionsInArray positions(std::pmr::get_default_resource());
        Keys keys;
        for (std::size_t size = 0; size < 1000; size += step) {
            for (std::size_t n = 0; n < step; ++n)
                keys.all.push_back((keys.all.size() % 10) << 40 | keys.all.size() * 64);
            positions.fill(static_cast<std::uint32_t>(keys.all.size()), keys.at());
            for (std::uint32_t n = 0; n < keys.all.size(); n += 17)
                ASSERT_EQ(positions.find(keys.all[n], keys.at()), n) << step << ' ' << size;
            ASSERT_FALSE(positions.find(std::uint64_t{3}, keys.at()));
        }
    }
}

TEST(PositionsInArray, LooksAtFewKeysMoreThanOnceWhenTheyComeOneByOne) {
    PositionsInArray positions(std::pmr::get_default_resource());
    Keys keys;
    for (std::uint32_t n = 0; n < 10000; ++n) {
        keys.all.push_back(n);
        positions.fill(n + 1, keys.at());
    }
    EXPECT_LE(keys.asked, 3 * keys.all.size());
}

TEST(PositionsInArray, OfNothingFindsNothing) {
    PositionsInArray positions(std::pmr::get_default_resource());
    Keys keys;
    EXPECT_TRUE(positions.empty());
    EXPECT_FALSE(positions.find(std::uint64_t{1}, keys.at()));
    positions.fill(0, keys.at());
    EXPECT_FALSE(positions.find(std::uint64_t{1}, keys.at()));
}

} // namespace
