// A search by codes reads what may be among the nearest, fills what is wanted whatever is dropped,
// and agrees with brute force on random vectors.
#include "index/codec/code_search.h"

#include "rank/cosine.h"

#include <gtest/gtest.h>
#include <random>

namespace {

using namespace memory::codec;

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

// Reads all rows that the search asks for, of which the cosines are those of their estimates.
std::vector<std::uint32_t> read_all(CodeSearch &search, const std::vector<double> &cosines) {
    std::vector<std::uint32_t> read;
    while (const auto row = search.next()) {
        read.push_back(row->block);
        search.keep(cosines[row->block]);
    }
    return read;
}

CodeSearch search_for(std::size_t wanted, double least, const std::vector<double> &cosines,
                      double deviation) {
    CodeSearch search(wanted, least, memory(), 2);
    for (std::uint32_t row = 0; row < cosines.size(); ++row)
        search.add({row, 1}, {cosines[row], deviation});
    return search;
}

TEST(CodeSearch, ReadsInTheOrderOfEstimatesUntilTheRestIsOutOfReach) {
    const std::vector<double> cosines = {-0.2, 0.1, 0.5, 0.6, 0.45, 0.3};
    CodeSearch search = search_for(2, -1, cosines, 0.05); // .5 reaches down to .41
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{3, 2, 4}));
    EXPECT_EQ(search.read(), 3U);
}

TEST(CodeSearch, ReadsAllWhereThereAreNotAsManyAsWanted) {
    const std::vector<double> cosines = {0.1, -1, 0.9};
    CodeSearch search = search_for(4, -1, cosines, 0.001);
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{2, 0, 1}));
}

TEST(CodeSearch, ReadsOnWhereRowsAreDropped) {
    const std::vector<double> cosines = {0.9, 0.8, 0.7, 0.6, 0.1};
    CodeSearch search = search_for(1, -1, cosines, 0.001);
    EXPECT_EQ(search.next()->block, 0U);
    EXPECT_EQ(search.next()->block, 1U);
    EXPECT_EQ(search.next()->block, 2U);
    search.keep(0.7);
    EXPECT_FALSE(search.next());
}

TEST(CodeSearch, StopsAtTheLeastCosineThatCounts) {
    const std::vector<double> cosines = {0.9, 0.5, 0.49, 0.2};
    CodeSearch search = search_for(10, 0.5, cosines, 0.05);
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(CodeSearch, GoesOnWhenMoreAreWanted) {
    const std::vector<double> cosines = {0.9, 0.2, 0.8, 0.3, 0.7, 0.5};
    CodeSearch search = search_for(0, -1, cosines, 0.01);
    EXPECT_TRUE(read_all(search, cosines).empty());
    search.want(1);
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(search.estimates().rows.size(), 5U);
    search.want(2);
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{2, 4}));
    search.want(10);
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{5, 3, 1}));
}

// What was read for few is not read again for more: its cosines count.
TEST(CodeSearch, RemembersWhatItReadForFewer) {
    const std::vector<double> estimates = {0.9, 0.89, 0.88, 0.5};
    CodeSearch search = search_for(1, -1, estimates, 0.05);
    const std::vector<double> cosines = {0.9, 0.89, 0.88, 0.5};
    EXPECT_EQ(read_all(search, cosines).size(), 3U);
    search.want(2);
    EXPECT_TRUE(read_all(search, cosines).empty());
    search.want(1);
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{3}));
}

TEST(CodeSearch, WantsNothingOrHasNothing) {
    CodeSearch none = search_for(0, -1, {0.5}, 0.05);
    EXPECT_FALSE(none.next());
    CodeSearch empty = search_for(5, -1, {}, 0.05);
    EXPECT_FALSE(empty.next());
}

TEST(CodeSearch, PutsEqualEstimatesInTheOrderOfTheirRows) {
    const std::vector<double> cosines(4, 0.5);
    CodeSearch search = search_for(2, -1, cosines, 0.05);
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

// Each row's own deviation counts: the one of .5 may have .8, that of .55 may not.
TEST(CodeSearch, PassesOverRowsThatAreOutOfTheirOwnReach) {
    const std::vector<double> cosines = {0.9, 0.8, 0.55, 0.5};
    const std::vector<double> deviations = {0.01, 0.01, 0.01, 0.3};
    CodeSearch search(2, -1, memory(), 2);
    for (std::uint32_t row = 0; row < cosines.size(); ++row)
        search.add({row, 1}, {cosines[row], deviations[row]});
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{0, 1, 3}));
    EXPECT_EQ(search.read(), 3U);
    EXPECT_TRUE(search.estimates().rows.empty());
    EXPECT_EQ(search.estimates().passed.size(), 1U);
    search.want(1);
    EXPECT_EQ(read_all(search, cosines), (std::vector<std::uint32_t>{2}));
}

// Of 500 rows four are held, then 32, then all: they are given as if all had been held.
TEST(CodeSearch, GoesOnBehindTheRowsThatItHeld) {
    std::mt19937 random(13);
    std::vector<double> cosines(500);
    for (double &cosine : cosines)
        cosine = std::uniform_int_distribution<int>(0, 100)(random) / 200.0; // many are equal
    const auto add_all = [&](CodeSearch &search) {
        for (std::uint32_t row = 0; row < cosines.size(); ++row)
            search.add({row, 1}, {cosines[row], 0.01});
    };
    CodeSearch whole(200, -1, memory(), 2);
    add_all(whole);
    CodeSearch search(200, -1, memory(), 2, 4);
    add_all(search);
    std::vector<std::uint32_t> read = read_all(search, cosines);
    EXPECT_LT(read.size(), 8U);
    for (int times = 0; search.must_add_again(); ++times) {
        ASSERT_LT(times, 3);
        search.add_again();
        add_all(search);
        const auto more = read_all(search, cosines);
        read.insert(read.end(), more.begin(), more.end());
    }
    EXPECT_EQ(read, read_all(whole, cosines));
}

TEST(CodeSearch, HoldsNoMoreThanItNeeds) {
    CodeSearch search(1, -1, memory(), 2, 4);
    for (std::uint32_t row = 0; row < 1000; ++row)
        search.add({row, 1}, {row / 1000.0, 0.0001});
    EXPECT_LT(search.estimates().rows.size(), 8U);
    EXPECT_EQ(search.next()->block, 999U);
    search.keep(0.999);
    EXPECT_FALSE(search.next());
    EXPECT_FALSE(search.must_add_again());
}

// A deviation so large that no estimate is out of reach: all rows are read, once.
TEST(CodeSearch, EndsWhereEstimatesSayNothing) {
    CodeSearch search(1, -0.5, memory(), 3, 4);
    search.add({0, 1}, {0.5, 30});
    EXPECT_EQ(search.next()->block, 0U);
    EXPECT_FALSE(search.next());
    EXPECT_FALSE(search.must_add_again());
}

constexpr std::size_t dimensions = 384;

// Vectors around ten centres.
struct Clusters {
    std::mt19937 random{9};
    std::normal_distribution<float> normal;
    std::vector<std::vector<float>> centres;

    Clusters() {
        for (int n = 0; n < 10; ++n) {
            centres.emplace_back(dimensions);
            for (float &value : centres.back())
                value = normal(random);
        }
    }
    std::vector<float> vector() {
        std::vector<float> made = centres[random() % centres.size()];
        for (float &value : made)
            value += normal(random);
        return made;
    }
};

// A third of the rows are dropped. Of 40 questions 400 cosines are to be found; one in 740 of the
// hardest may be missed.
TEST(CodeSearch, FindsWhatBruteForceFinds) {
    constexpr std::size_t wanted = 10;
    const CodeForm form = CodeForm::of(dimensions);
    Clusters clusters;
    VectorEncoder encoder(form, memory());
    std::vector<std::vector<float>> rows;
    std::vector<std::vector<std::uint8_t>> codes(1000, std::vector<std::uint8_t>(form.bytes()));
    for (auto &code : codes) {
        rows.push_back(clusters.vector());
        ASSERT_TRUE(encoder.encode(rows.back(), code));
    }
    std::size_t found = 0;
    for (int question = 0; question < 40; ++question) {
        const std::vector<float> asked = clusters.vector();
        const CodeQuery query(asked, form, memory());
        const memory::rank::Cosine cosine(asked);
        CodeSearch search(wanted, -1, memory());
        std::vector<double> cosines;
        for (std::uint32_t row = 0; row < rows.size(); ++row) {
            search.add({row, 1}, query.estimate(codes[row]));
            if (row % 3 != 0)
                cosines.push_back(cosine.with(rows[row]));
        }
        std::sort(cosines.rbegin(), cosines.rend());
        while (const auto row = search.next())
            if (row->block % 3 != 0) {
                const double here = cosine.with(rows[row->block]);
                found += here >= cosines[wanted - 1];
                search.keep(here);
            }
        EXPECT_LT(search.read(), 500U);
    }
    EXPECT_GE(found, 398U);
}

} // namespace
