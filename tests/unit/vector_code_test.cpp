// Codes of vectors: the estimate is that of its definition, has no bias and the deviation that it
// says, whatever kernel counts; and what no writer wrote is refused.
#include "index/codec/vector_code.h"

#include "rank/cosine.h"
#include "unit/vector_support.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace {

using namespace memory::codec;
using vector_test::random_vector;

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

std::vector<std::uint8_t> code_of(const std::vector<float> &vector, CodeForm form) {
    std::vector<std::uint8_t> code(form.bytes());
    EXPECT_TRUE(VectorEncoder(form, memory()).encode(vector, code));
    return code;
}

double length(const std::vector<float> &vector) {
    double square = 0;
    for (const float value : vector)
        square += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(square);
}

TEST(Rotation, KeepsLengthsAndAngles) {
    std::mt19937 random(1);
    for (const std::size_t dimensions : {1U, 2U, 3U, 7U, 64U, 100U, 384U, 515U, 768U, 1536U}) {
        const std::vector<float> one = random_vector(random, dimensions);
        const std::vector<float> other = random_vector(random, dimensions);
        std::vector<float> rotated = one;
        std::vector<float> too = other;
        rotate(rotated);
        rotate(too);
        EXPECT_NEAR(length(rotated), length(one), 1e-4 * length(one)) << dimensions;
        EXPECT_NEAR(memory::rank::Cosine(rotated).with(too), memory::rank::Cosine(one).with(other),
                    1e-5)
            << dimensions;
    }
}

// Of an axis: no element keeps more than a random direction would.
TEST(Rotation, LeavesNoAxisWhereItWas) {
    for (const std::size_t dimensions : {384U, 515U, 768U, 1000U}) {
        const double even = 1 / std::sqrt(static_cast<double>(dimensions));
        for (std::size_t axis = 0; axis < dimensions; axis += 37) {
            std::vector<float> vector(dimensions, 0.0F);
            vector[axis] = 1;
            rotate(vector);
            for (const float value : vector)
                EXPECT_LT(std::abs(static_cast<double>(value)), 6 * even) << dimensions;
        }
    }
}

TEST(Rotation, HasTheSameBitsEverywhere) {
    std::vector<float> vector(5);
    for (std::size_t at = 0; at < vector.size(); ++at)
        vector[at] = static_cast<float>(at + 1);
    rotate(vector);
    std::vector<std::uint32_t> bits;
    for (const float value : vector)
        bits.push_back(std::bit_cast<std::uint32_t>(value));
    EXPECT_EQ(bits, (std::vector<std::uint32_t>{3232343207, 3229678817, 1071854123, 3222038719,
                                                1070707876}));
}

std::uint32_t differences_of(const std::uint8_t *code, const Planes &planes) {
    std::uint32_t sum = 0;
    for (unsigned j = 0; j < planes.code_planes; ++j)
        for (unsigned k = 0; k < planes.query_planes; ++k)
            for (std::size_t bit = 0; bit < 8 * planes.bytes; ++bit) {
                const unsigned one = code[j * planes.bytes + bit / 8] >> (bit % 8) & 1;
                const unsigned other = planes.query[k * planes.stride + bit / 8] >> (bit % 8) & 1;
                sum += (one ^ other) << (j + k);
            }
    return sum;
}

// One kernel after another, on planes that do not end with a word or with a register, of codes that
// do not lie close together, the last one at the end of its memory.
TEST(Differences, AreThoseOfTheDefinitionInEveryKernel) {
    constexpr std::size_t codes = 3;
    std::mt19937 random(2);
    const auto random_bytes = [&](std::uint8_t *first, std::size_t count) {
        std::generate_n(first, count, [&] { return static_cast<std::uint8_t>(random()); });
    };
    for (const unsigned query_planes : {4U, 6U, 8U})
        for (const unsigned code_planes : {1U, 2U, 3U, 4U})
            for (std::size_t bytes = 1; bytes < 300; bytes += bytes < 20 ? 1 : 17) {
                const std::size_t stride = (bytes + plane_alignment - 1) / plane_alignment * 64;
                std::vector<std::uint8_t> query(stride * query_planes, 0);
                for (unsigned k = 0; k < query_planes; ++k)
                    random_bytes(&query[k * stride], bytes);
                const std::size_t step = bytes * code_planes + 5;
                std::vector<std::uint8_t> code(codes * step - 5);
                random_bytes(code.data(), code.size());
                const Planes planes{query.data(), stride, query_planes, code_planes, bytes};
                for (const Kernel &kernel : kernels()) {
                    std::array<std::uint32_t, codes> sums{};
                    kernel.differences({code.data(), step, codes}, planes, sums.data());
                    for (std::size_t n = 0; n < codes; ++n)
                        EXPECT_EQ(sums[n], differences_of(&code[n * step], planes))
                            << kernel.name << " " << query_planes << " " << code_planes << " "
                            << bytes;
                }
            }
    EXPECT_STREQ(kernels().back().name, "portable");
}

// Of more codes than are counted at once.
TEST(VectorCode, EstimatesManyAsItEstimatesOne) {
    std::mt19937 random(6);
    const CodeForm form = CodeForm::of(768);
    const CodeQuery query(random_vector(random, 768), form, memory());
    const std::size_t step = form.bytes() + 8;
    std::vector<std::uint8_t> codes(300 * step);
    for (std::size_t n = 0; n < 300; ++n)
        std::ranges::copy(code_of(random_vector(random, 768), form), &codes[n * step]);
    std::vector<Estimate> estimates(300);
    query.estimate(codes.data(), step, estimates);
    for (std::size_t n = 0; n < 300; ++n) {
        const Estimate one = query.estimate(Bytes(codes).subspan(n * step, form.bytes()));
        EXPECT_EQ(estimates[n].cosine, one.cosine);
        EXPECT_EQ(estimates[n].deviation, one.deviation);
    }
}

TEST(VectorCode, IsNoLongerThanItSays) {
    EXPECT_EQ(CodeForm::of(128).bits, 4U);
    EXPECT_EQ(CodeForm::of(256).bytes(), 8 + 128U);
    EXPECT_EQ(CodeForm::of(384).bits, 2U);
    EXPECT_EQ(CodeForm::of(512).bytes(), 8 + 128U);
    EXPECT_EQ(CodeForm::of(768).bytes(), 8 + 192U);
    EXPECT_EQ(CodeForm::of(1024).bytes(), 8 + 256U);
    EXPECT_EQ(CodeForm::of(1536).bytes(), 8 + 192U);
    EXPECT_EQ(CodeForm::of(1).bytes(), 8 + 4U);
}

// Over many pairs of known cosines: the mean of (estimate - cosine) / deviation is 0, its mean
// square 1.
TEST(VectorCode, EstimatesWithoutABiasAndWithTheDeviationThatItSays) {
    std::mt19937 random(3);
    for (const CodeForm form : {CodeForm{768, 1}, CodeForm{384, 2}, CodeForm{515, 3},
                                CodeForm{128, 4}, CodeForm{100, 1}}) {
        double sum = 0;
        double squares = 0;
        constexpr int count = 1200;
        for (int n = 0; n < count; ++n) {
            const std::vector<float> one = random_vector(random, form.dimensions);
            std::vector<float> other = random_vector(random, form.dimensions);
            for (std::size_t at = 0; at < other.size(); ++at)
                other[at] += static_cast<float>(n % 4) * one[at];
            const double cosine = memory::rank::Cosine(one).with(other);
            const Estimate estimate = CodeQuery(other, form, memory()).estimate(code_of(one, form));
            const double error =
                (estimate.cosine - cosine) / (estimate.deviation * std::sqrt(1 - cosine * cosine));
            sum += error;
            squares += error * error;
        }
        EXPECT_NEAR(sum / count, 0, 0.1) << form.dimensions << " " << form.bits;
        EXPECT_NEAR(squares / count, 1, 0.2) << form.dimensions << " " << form.bits;
    }
}

TEST(VectorCode, IsTheSameForEveryLengthOfAVector) {
    std::mt19937 random(4);
    std::vector<float> vector = random_vector(random, 768);
    const CodeForm form = CodeForm::of(768);
    const auto code = code_of(vector, form);
    for (float &value : vector)
        value *= 64;
    EXPECT_EQ(code_of(vector, form), code);
    EXPECT_NEAR(CodeQuery(vector, form, memory()).estimate(code).cosine, 1, 0.03);
}

TEST(VectorCode, NeedsADirection) {
    const CodeForm form = CodeForm::of(20);
    std::vector<std::uint8_t> code(form.bytes(), 7);
    for (const float value : {0.0F, std::numeric_limits<float>::infinity(), NAN}) {
        EXPECT_FALSE(VectorEncoder(form, memory()).encode(std::vector<float>(20, value), code));
        EXPECT_FALSE(CodeQuery(std::vector<float>(20, value), form, memory()).has_direction());
    }
    EXPECT_EQ(code, std::vector<std::uint8_t>(form.bytes(), 7));
    const std::vector<float> large(20, std::numeric_limits<float>::max());
    EXPECT_TRUE(VectorEncoder(form, memory()).encode(large, code));
}

TEST(VectorCode, WithOneDimensionIsItsSign) {
    const CodeForm form = CodeForm::of(1);
    const auto code = code_of({-2}, form);
    EXPECT_NEAR(CodeQuery(std::vector<float>{-5}, form, memory()).estimate(code).cosine, 1, 0.01);
    EXPECT_NEAR(CodeQuery(std::vector<float>{0.1F}, form, memory()).estimate(code).cosine, -1,
                0.01);
}

void expect_refused(const CodeQuery &query, Bytes code) {
    EXPECT_THROW(query.estimate(code), Corrupt);
}

TEST(VectorCode, RefusesWhatNoWriterWrote) {
    std::mt19937 random(5);
    const std::vector<float> vector = random_vector(random, 100);
    const CodeForm form{100, 1};
    const CodeQuery query(vector, form, memory());
    const auto code = code_of(vector, form);
    expect_refused(query, Bytes(code).first(code.size() - 1));
    for (const float bad : {0.0F, -1.0F, 3.0F, std::numeric_limits<float>::infinity(), NAN}) {
        auto damaged = code;
        store(damaged.data(), std::bit_cast<std::uint32_t>(bad));
        expect_refused(query, damaged);
    }
    for (const float bad : {-0.5F, 33.0F, NAN}) {
        auto damaged = code;
        store(damaged.data() + sizeof(float), std::bit_cast<std::uint32_t>(bad));
        expect_refused(query, damaged);
    }
    auto damaged = code;
    damaged.back() |= 0x80; // dimension 103 of 100
    expect_refused(query, damaged);
}

TEST(VectorCode, ReachesFartherWhereItIsLessCertain) {
    EXPECT_DOUBLE_EQ(reach(0, 0.1, 2.5), -0.25);
    EXPECT_DOUBLE_EQ(reach(0.6, 0.1, 2.5), 0.6 - 0.2);
    EXPECT_DOUBLE_EQ(reach(1, 0.1, 2.5), 1);
}

} // namespace
