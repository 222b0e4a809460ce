#include "rank/top_k.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace {

using namespace memory::rank;

using Entry = Scored<int>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<int> keys(std::span<const Entry> entries) {
    std::vector<int> result;
    for (const Entry &entry : entries)
        result.push_back(entry.key);
    return result;
}

std::vector<int> best(std::size_t k, const std::vector<Entry> &entries) {
    TopK<int> top(k, std::pmr::get_default_resource());
    for (const Entry &entry : entries)
        top.offer(entry);
    return keys(top.ranked());
}

// Many ties and every kind of special value: where an order that is not total would show.
std::vector<Entry> awkward_entries(std::mt19937 &random, std::size_t count) {
    const double specials[] = {nan, infinity, -infinity, 0.0, -0.0, 1e-310, 1e308};
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        const int kind = std::uniform_int_distribution<>(0, 9)(random);
        const double score = kind < 7   ? std::uniform_int_distribution<>(0, 20)(random) / 4.0
                             : kind < 9 ? std::uniform_real_distribution<>(-1, 1)(random)
                                        : specials[random() % std::size(specials)];
        entries.push_back({score, static_cast<int>(i)});
    }
    std::shuffle(entries.begin(), entries.end(), random);
    return entries;
}

std::vector<Entry> sorted(std::vector<Entry> entries) {
    std::sort(entries.begin(), entries.end(), better<int>);
    return entries;
}

TEST(Better, PutsHigherScoresFirstThenSmallerKeys) {
    EXPECT_TRUE(better(Entry{2, 9}, Entry{1, 1}));
    EXPECT_TRUE(better(Entry{1, 1}, Entry{1, 2}));
    EXPECT_FALSE(better(Entry{1, 2}, Entry{1, 1}));
    EXPECT_FALSE(better(Entry{1, 1}, Entry{1, 1}));
}

TEST(Better, PutsNanBelowEverything) {
    EXPECT_TRUE(better(Entry{-infinity, 9}, Entry{nan, 1}));
    EXPECT_FALSE(better(Entry{nan, 1}, Entry{-infinity, 9}));
    EXPECT_TRUE(better(Entry{nan, 1}, Entry{nan, 2}));
}

TEST(Better, TakesBothZerosAsEqual) { EXPECT_TRUE(better(Entry{-0.0, 1}, Entry{0.0, 2})); }

TEST(NewerThenId, PutsTheLaterTimeFirstThenTheSmallerId) {
    const NewerThenId old_first{.time = 10, .id = {1}};
    const NewerThenId old_second{.time = 10, .id = {2}};
    const NewerThenId newer{.time = 11, .id = {3}};
    EXPECT_LT(newer, old_first);
    EXPECT_LT(old_first, old_second);
    EXPECT_EQ(old_first, old_first);
    const NewerThenId forever{.time = std::numeric_limits<std::int64_t>::max(), .id = {}};
    const NewerThenId never{.time = std::numeric_limits<std::int64_t>::min(), .id = {}};
    EXPECT_LT(forever, never);
}

TEST(TopK, KeepsTheBestInOrder) {
    EXPECT_EQ(best(3, {{1, 10}, {5, 11}, {3, 12}, {4, 13}, {2, 14}}),
              (std::vector<int>{11, 13, 12}));
}

TEST(TopK, BreaksTiesByKeyWhateverTheOrderOfArrival) {
    EXPECT_EQ(best(2, {{1, 3}, {1, 1}, {1, 2}}), (std::vector<int>{1, 2}));
    EXPECT_EQ(best(2, {{1, 1}, {1, 2}, {1, 3}}), (std::vector<int>{1, 2}));
}

TEST(TopK, KeepsAllWhenThereAreFewer) {
    EXPECT_EQ(best(10, {{1, 1}, {2, 2}}), (std::vector<int>{2, 1}));
    EXPECT_TRUE(best(10, {}).empty());
}

TEST(TopK, KeepsNothingForZero) { EXPECT_TRUE(best(0, {{1, 1}, {2, 2}}).empty()); }

TEST(TopK, SaysWhichScoresMayStillEnter) {
    TopK<int> top(2, std::pmr::get_default_resource());
    EXPECT_TRUE(top.may_enter(-infinity));
    top.offer({1, 1});
    top.offer({2, 2});
    EXPECT_FALSE(top.may_enter(0.5));
    EXPECT_TRUE(top.may_enter(1)) << "a tie may win by its key";
    EXPECT_TRUE(top.may_enter(3));
    EXPECT_FALSE(top.may_enter(nan));
    TopK<int> none(0, std::pmr::get_default_resource());
    EXPECT_FALSE(none.may_enter(infinity));
}

TEST(TopK, AgreesWithSortingOnRandomEntries) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 300; ++round) {
        const auto entries = awkward_entries(random, random() % 200);
        const std::size_t k = random() % 40;
        auto expected = keys(sorted(entries));
        expected.resize(std::min(k, expected.size()));
        ASSERT_EQ(best(k, entries), expected) << "k " << k << " of " << entries.size();
    }
}

class CountingResource : public std::pmr::memory_resource {
  public:
    int allocations = 0;

  private:
    void *do_allocate(std::size_t bytes, std::size_t alignment) override {
        ++allocations;
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void *pointer, std::size_t bytes, std::size_t alignment) override {
        std::pmr::new_delete_resource()->deallocate(pointer, bytes, alignment);
    }
    bool do_is_equal(const memory_resource &other) const noexcept override {
        return this == &other;
    }
};

TEST(TopK, AllocatesForWhatItKeepsNotForWhatItSees) {
    CountingResource memory;
    TopK<int> top(16, &memory);
    for (int i = 0; i < 16; ++i)
        top.offer({static_cast<double>(i), i});
    const int allocations = memory.allocations;
    for (int i = 16; i < 100000; ++i)
        top.offer({static_cast<double>(i), i});
    EXPECT_EQ(memory.allocations, allocations);
}

TEST(TopK, DoesNotReserveForAHugeK) {
    TopK<int> top(std::numeric_limits<std::size_t>::max(), std::pmr::get_default_resource());
    top.offer({1, 1});
    EXPECT_EQ(top.ranked().size(), 1U);
}

TEST(BestFirst, HandsOutEverythingInOrder) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    auto entries = awkward_entries(random, 500);
    const auto expected = keys(sorted(entries));
    std::vector<int> taken;
    for (BestFirst<int> stream(entries); !stream.empty();)
        taken.push_back(stream.take().key);
    EXPECT_EQ(taken, expected);
}

TEST(BestFirst, IsEmptyOverNothing) { EXPECT_TRUE(BestFirst<int>({}).empty()); }

TEST(Ranks, ArePositionsFromOneWithTiesBrokenByKey) {
    const std::vector<Entry> entries = {{1, 5}, {3, 1}, {1, 2}, {nan, 0}};
    const auto found = ranks<int>(entries, std::pmr::get_default_resource());
    EXPECT_EQ(std::vector<std::uint32_t>(found.begin(), found.end()),
              (std::vector<std::uint32_t>{3, 1, 2, 4}));
}

TEST(Ranks, OfNothingAreNone) {
    EXPECT_TRUE(ranks<int>({}, std::pmr::get_default_resource()).empty());
}

} // namespace
