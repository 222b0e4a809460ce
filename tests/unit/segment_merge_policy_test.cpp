// What is merged, and how many segments and how much work that leaves, over the life of a tenant.
#include "index/segment/merge_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace memory::segment {

namespace {

constexpr MergeBound unbounded{UINT32_MAX, UINT64_MAX};

std::vector<Size> many(std::size_t count, Size size) { return std::vector<Size>(count, size); }

TEST(MergePolicy, LeavesThreeOfAClassAndMergesFour) {
    EXPECT_EQ(choose_merge(many(3, {100, 1}), Which::all, unbounded), 0U);
    EXPECT_EQ(choose_merge(many(4, {100, 1}), Which::all, unbounded), 0b1111U);
    EXPECT_EQ(choose_merge(many(6, {100, 1}), Which::all, unbounded), 0b111111U);
}

TEST(MergePolicy, TakesTheLeastClassThatHasEnough) {
    std::vector<Size> sizes = many(4, {3000, 20});
    EXPECT_EQ(choose_merge(sizes, Which::all, unbounded), 0b1111U);
    const std::vector<Size> small = many(4, {100, 1});
    sizes.insert(sizes.end(), small.begin(), small.end());
    EXPECT_EQ(choose_merge(sizes, Which::all, unbounded), 0b11110000U);
}

TEST(MergePolicy, CountsTheFewestDocumentsAsOneClass) {
    EXPECT_EQ(
        choose_merge(std::vector<Size>{{1, 1}, {64, 1}, {127, 1}, {0, 1}}, Which::all, unbounded),
        0b1111U);
}

TEST(MergePolicy, TakesTheSmallestWithinTheBound) {
    const std::vector<Size> sizes{{100, 9}, {100, 2}, {100, 3}, {100, 9}, {100, 2}, {100, 3}};
    EXPECT_EQ(choose_merge(sizes, Which::all, {1000, 10}), 0b110110U);
    EXPECT_EQ(choose_merge(sizes, Which::all, {1000, 9}), 0U);
    EXPECT_EQ(choose_merge(sizes, Which::all, {399, 1000}), 0U) << "documents are bounded, too";
    EXPECT_EQ(choose_merge(sizes, Which::all, {400, 10}), 0b110110U);
}

TEST(MergePolicy, PassesOverAClassThatIsBeyondTheBound) {
    std::vector<Size> sizes = many(4, {100, 50});
    const std::vector<Size> larger = many(4, {400, 5});
    sizes.insert(sizes.end(), larger.begin(), larger.end());
    EXPECT_EQ(choose_merge(sizes, Which::all, {4096, 24}), 0b11110000U);
}

TEST(MergePolicy, HasABitForEachOf64) {
    EXPECT_EQ(choose_merge(many(64, {100, 1}), Which::all, unbounded), UINT64_MAX);
    EXPECT_EQ(choose_merge({}, Which::all, unbounded), 0U);
}

TEST(MergePolicy, KeepsSmallAndLargeApart) {
    std::vector<Size> sizes = many(4, {100, 5});
    EXPECT_EQ(choose_merge(sizes, Which::small, unbounded), 0U) << "few documents, but long ones";
    EXPECT_EQ(choose_merge(sizes, Which::large, unbounded), 0b1111U);
    sizes.insert(sizes.end(), 4, {100, 4});
    EXPECT_EQ(choose_merge(sizes, Which::small, unbounded), 0b11110000U);
    EXPECT_EQ(choose_merge(sizes, Which::large, unbounded), 0b1111U);
    EXPECT_EQ(choose_merge(sizes, Which::all, unbounded), 0b11111111U);
}

TEST(MergePolicy, FourSmallSegmentsAreWithinTheBoundOfAnInsert) {
    for (std::uint32_t pages = 1; is_small({64, pages}); ++pages)
        EXPECT_EQ(choose_merge(many(4, {64, pages}), Which::small, bound_of_insert(2)), 0b1111U);
    for (std::uint32_t documents = 1; is_small({documents, 1}); documents *= 2)
        EXPECT_EQ(choose_merge(many(4, {documents, 1}), Which::small, bound_of_insert(2)), 0b1111U);
}

TEST(MergePolicy, LeavesLessToMergeToAnInsertThatHasSealed) {
    EXPECT_EQ(bound_of_insert(3).pages, bound_of_insert(0).pages - 3);
    EXPECT_EQ(bound_of_insert(1000).pages, 0U);
}

TEST(MergePolicy, AsksLargeMergesOfAnInsertOnlyWhenRunsHaveBecomeMany) {
    EXPECT_EQ(bound_of_large_merge(31, true, false).pages, 0U);
    EXPECT_EQ(bound_of_large_merge(32, true, false).pages, 4 * bound_of_insert(0).pages);
    EXPECT_EQ(bound_of_large_merge(40, true, false).pages, 16 * bound_of_insert(0).pages);
    EXPECT_EQ(bound_of_large_merge(15, false, false).pages, 0U);
    EXPECT_EQ(bound_of_large_merge(16, false, false).pages, 4 * bound_of_insert(0).pages);
    for (std::size_t runs = 0; runs <= 64; ++runs)
        for (const bool helped : {false, true})
            EXPECT_LE(bound_of_large_merge(runs, helped, false).documents, bound_apart.documents);
}

TEST(MergePolicy, AlwaysAsksSomeOfAnUpdate) {
    EXPECT_EQ(bound_of_large_merge(0, true, true).pages, 4 * bound_of_insert(0).pages);
    EXPECT_EQ(bound_of_large_merge(40, true, true).pages,
              bound_of_large_merge(40, true, false).pages);
}

TEST(MergePolicy, AsksForHelpOnlyIfThereIsSomethingToDo) {
    EXPECT_FALSE(merges_apart(many(23, {100, 5})));
    EXPECT_TRUE(merges_apart(many(24, {100, 5})));
    EXPECT_FALSE(merges_apart(many(24, {100, 1}))) << "small ones are an INSERT's";
    std::vector<Size> apart; // three of each of eight classes
    for (std::uint32_t documents = 64; apart.size() < 24; documents *= 4)
        apart.insert(apart.end(), 3, Size{documents, 5});
    EXPECT_FALSE(merges_apart(apart));
}

// A tenant that only grows, by segments of so many documents, so many pages a document.
class Growth {
  public:
    explicit Growth(double pages_each) : pages_each_(pages_each) {}

    void seal(std::uint32_t documents) { put(documents); }

    // Returns how many pages were read.
    std::uint64_t merge(Which which, MergeBound most) {
        std::uint64_t read = 0;
        while (const std::uint64_t chosen = choose_merge(sizes_, which, most)) {
            std::uint32_t documents = 0;
            std::uint64_t pages = 0;
            std::vector<Size> left;
            for (std::size_t i = 0; i < sizes_.size(); ++i)
                if ((chosen >> i & 1) != 0) {
                    documents += sizes_[i].documents;
                    pages += sizes_[i].pages;
                } else {
                    left.push_back(sizes_[i]);
                }
            sizes_ = left;
            put(documents);
            most.pages -= pages;
            read += pages;
        }
        return read;
    }

    const std::vector<Size> &sizes() const { return sizes_; }

  private:
    void put(std::uint32_t documents) {
        sizes_.push_back(
            {documents, static_cast<std::uint32_t>(std::ceil(documents * pages_each_))});
    }

    double pages_each_;
    std::vector<Size> sizes_;
};

struct Lived {
    std::uint64_t worst = 0; // pages that one INSERT read
    std::uint64_t read = 0;  // by INSERTs and apart
    std::size_t most_runs = 0;
};

Lived live(double pages_each, std::uint32_t sealed, std::uint32_t documents, bool helped) {
    Growth tenant(pages_each);
    Lived lived;
    for (std::uint32_t count = 0; count < documents; count += sealed) {
        tenant.seal(sealed);
        std::uint64_t read = tenant.merge(Which::small, bound_of_insert(2));
        read +=
            tenant.merge(Which::large, bound_of_large_merge(tenant.sizes().size(), helped, false));
        lived.worst = std::max(lived.worst, read);
        lived.read += read;
        if (helped && merges_apart(tenant.sizes()))
            lived.read += tenant.merge(Which::large, bound_apart);
        lived.most_runs = std::max(lived.most_runs, tenant.sizes().size());
    }
    return lived;
}

constexpr double short_texts = 53.0 / 8152;
constexpr double long_texts = 8 * short_texts;

TEST(MergePolicy, BoundsInsertsReadersAndWorkWhenHelped) {
    for (const auto &[each, sealed, documents] :
         {std::tuple(short_texts, 110U, 1000000U), std::tuple(long_texts, 80U, 200000U),
          std::tuple(20 * short_texts, 40U, 50000U), std::tuple(short_texts / 5, 400U, 2000000U)}) {
        const Lived lived = live(each, sealed, documents, true);
        EXPECT_LE(lived.worst, bound_of_insert(0).pages);
        EXPECT_LE(lived.most_runs, 28U);
        EXPECT_LE(static_cast<double>(lived.read), 7 * each * documents);
    }
}

TEST(MergePolicy, BoundsReadersAndWorkWithoutHelp) {
    for (const auto &[each, sealed, documents] :
         {std::tuple(short_texts, 110U, 1000000U), std::tuple(long_texts, 80U, 200000U)}) {
        const Lived lived = live(each, sealed, documents, false);
        EXPECT_LE(lived.most_runs, 40U);
        EXPECT_LE(static_cast<double>(lived.read), 7 * each * documents);
    }
}

} // namespace

} // namespace memory::segment
