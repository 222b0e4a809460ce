// The shard of a user: published values, halves of halves, and even shares.
#include "scale/shard.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace memory::scale {
namespace {

constexpr std::int64_t most_shards = std::int64_t{1} << 62;

// docs/scale.md has the same.
TEST(ShardOf, IsAsPublished) {
    struct Vector {
        std::string user;
        std::int64_t of_4, of_64, of_1024, of_most;
    };
    const Vector vectors[] = {
        {"", 0, 20, 20, 2571771177542097940},
        {"ada", 2, 30, 990, 4462578004970526686},
        {"bob", 2, 26, 730, 123347444893402842},
        {"Zo\u00eb", 0, 16, 272, 477705471234392336},
        {"\u6771\u4eac", 1, 37, 997, 1369119241984014309},
        {"0", 0, 56, 824, 2300472337289998136},
        {std::string(1000, 'x'), 3, 3, 515, 358094739043891715},
    };
    for (const Vector &vector : vectors) {
        EXPECT_EQ(shard_of(vector.user, 1), 0) << vector.user;
        EXPECT_EQ(shard_of(vector.user, 4), vector.of_4) << vector.user;
        EXPECT_EQ(shard_of(vector.user, 64), vector.of_64) << vector.user;
        EXPECT_EQ(shard_of(vector.user, 1024), vector.of_1024) << vector.user;
        EXPECT_EQ(shard_of(vector.user, most_shards), vector.of_most) << vector.user;
    }
}

TEST(ShardOf, TwiceAsManyShardsSplitEachInTwo) {
    for (int n = 0; n < 1000; ++n) {
        const std::string user = "user " + std::to_string(n);
        for (std::int64_t shards = 1; shards < most_shards; shards *= 2) {
            const std::int64_t before = shard_of(user, shards);
            const std::int64_t after = shard_of(user, 2 * shards);
            EXPECT_TRUE(after == before || after == before + shards);
        }
    }
}

// Names as applications make them: numbers, padded numbers, e-mail addresses, UUIDs that differ in
// few digits. Chi-squared with 63 degrees of freedom is above 103.4 once in a thousand.
TEST(ShardOf, SharesAreEven) {
    constexpr int users = 64'000;
    constexpr int shards = 64;
    const auto padded = [](int n) {
        const std::string digits = std::to_string(n);
        return std::string(12 - digits.size(), '0') + digits;
    };
    for (int form = 0; form < 4; ++form) {
        std::vector<double> counts(shards);
        for (int n = 0; n < users; ++n) {
            const std::string names[] = {std::to_string(n), padded(n),
                                         "user" + std::to_string(n) + "@example.org",
                                         "00000000-0000-4000-8000-" + padded(n)};
            ++counts[static_cast<std::size_t>(shard_of(names[form], shards))];
        }
        double chi_squared = 0;
        for (const double count : counts)
            chi_squared += (count - 1000) * (count - 1000) / 1000;
        EXPECT_LT(chi_squared, 103.4) << "form " << form;
    }
}

TEST(IsShardCount, IsAPowerOfTwo) {
    for (std::int64_t shards = 1; shards < most_shards; shards *= 2) {
        EXPECT_TRUE(is_shard_count(shards));
        EXPECT_EQ(is_shard_count(shards + 1), shards == 1);
        EXPECT_EQ(is_shard_count(3 * (shards / 4)), false);
    }
    EXPECT_TRUE(is_shard_count(most_shards));
    for (const std::int64_t none :
         {std::int64_t{0}, std::int64_t{-1}, std::int64_t{-4},
          std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
        EXPECT_FALSE(is_shard_count(none));
}

} // namespace
} // namespace memory::scale
