#include "rank/cosine.h"

#include "unit/vector_support.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace {

using memory::rank::Cosine;
using vector_test::uneven_vector;

constexpr std::size_t lanes = 16;

// Keeps a compiler from computing more than one lane at a time.
float kept(float value) {
    volatile float there = value;
    return there;
}

// The definition: sixteen sums of floats, each of every sixteenth element; these added up as
// doubles from the first to the last, and then the products of what is left, one by one.
double sum_of_products(const std::vector<float> &a, const std::vector<float> &b) {
    std::array<float, lanes> sums{};
    std::size_t at = 0;
    for (; at + lanes <= a.size(); at += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            sums[lane] = kept(sums[lane] + kept(a[at + lane] * b[at + lane]));
    double sum = 0;
    for (const float lane : sums)
        sum += static_cast<double>(lane);
    for (; at < a.size(); ++at)
        sum += static_cast<double>(a[at]) * static_cast<double>(b[at]);
    return sum;
}

double defined(const std::vector<float> &a, const std::vector<float> &b) {
    const double cosine = sum_of_products(a, b) /
                          (std::sqrt(sum_of_products(a, a)) * std::sqrt(sum_of_products(b, b)));
    return std::isnan(cosine) ? cosine : std::clamp(cosine, -1.0, 1.0);
}

TEST(Cosine, HasTheBitsOfItsDefinitionInEveryLength) {
    std::mt19937 random(7);
    for (std::size_t size = 1; size <= 2100; size += size < 100 ? 1 : 97) {
        const std::vector<float> one = uneven_vector(random, size);
        const Cosine cosine(one);
        for (int round = 0; round < 20; ++round) {
            const std::vector<float> other = uneven_vector(random, size);
            EXPECT_EQ(std::bit_cast<std::uint64_t>(cosine.with(other)),
                      std::bit_cast<std::uint64_t>(defined(one, other)))
                << size;
        }
    }
}

TEST(Cosine, ReadsVectorsWhereverTheyBegin) {
    std::mt19937 random(8);
    const std::vector<float> one = uneven_vector(random, 100);
    const std::vector<float> all = uneven_vector(random, 140);
    for (std::size_t from = 0; from < 40; ++from) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
        EXPECT_EQ(Cosine(one).with(std::span(all).subspan(from, 100)),
                  defined(one, {begin, begin + 100}));
    }
}

TEST(Cosine, IsOneForTheSameDirectionAndMinusOneForTheOpposite) {
    const std::vector<float> one(33, 0.5F);
    EXPECT_DOUBLE_EQ(Cosine(one).with(std::vector<float>(33, 4.0F)), 1);
    EXPECT_DOUBLE_EQ(Cosine(one).with(std::vector<float>(33, -4.0F)), -1);
    EXPECT_LE(Cosine(one).with(one), 1);
}

TEST(Cosine, IsNoNumberWithoutADirection) {
    const std::vector<float> one(20, 1.0F);
    const std::vector<float> zero(20, 0.0F);
    const std::vector<float> large(20, std::numeric_limits<float>::max());
    EXPECT_TRUE(Cosine(one).has_direction());
    EXPECT_FALSE(Cosine(zero).has_direction());
    EXPECT_FALSE(Cosine(large).has_direction()) << "its squares are infinite";
    EXPECT_TRUE(std::isnan(Cosine(one).with(zero)));
    EXPECT_TRUE(std::isnan(Cosine(zero).with(one)));
    EXPECT_TRUE(std::isnan(Cosine(one).with(std::vector<float>(20, NAN))));
}

} // namespace
