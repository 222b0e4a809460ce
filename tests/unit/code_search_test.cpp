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
