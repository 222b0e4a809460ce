// Quantises what is rotated to the levels that suit a normal distribution, and the query to more
// levels than matter.
#include "index/codec/vector_code.h"

#include <array>
#include <cassert>
#include <cmath>

namespace memory::codec {

namespace {

// Between the levels, for elements with a deviation of 1: of least squared error for a normal
// distribution, by the number of bits. Of one bit, only the sign counts.
constexpr std::array<double, max_code_bits + 1> steps = {0, 1.5958, 0.9957, 0.5860, 0.3352};

// What the query's levels add to the deviation is a fiftieth of the code's, or less.
unsigned query_planes(unsigned bits) { return bits == 1 ? 4 : bits == 2 ? 6 : 8; }

// A bit to each of `planes` planes, the lowest in the first.
void put_level(std::uint8_t *first_plane, std::size_t stride, unsigned planes, std::size_t at,
               unsigned level) {
    for (unsigned plane = 0; plane < planes; ++plane)
        first_plane[plane * stride + at / 8] |=
            static_cast<std::uint8_t>((level >> plane & 1) << (at % 8));
}

// The level whose middle is nearest to value / step, among `levels` that lie around 0.
unsigned level_of(double value, double step, unsigned levels) {
    const double level = std::floor(value / step + levels / 2.0);
    return static_cast<unsigned>(std::clamp(level, 0.0, levels - 1.0));
}

double middle_of(unsigned level, unsigned levels) { return level - (levels - 1) / 2.0; }

double length_of(std::span<const float> vector) {
    double square = 0;
    for (const float element : vector)
        square += static_cast<double>(element) * static_cast<double>(element);
    return std::sqrt(square);
}

// `vector` at length 1, rotated; false when it has no direction.
bool rotated_unit(std::span<const float> vector, std::pmr::vector<float> &unit) {
    const double length = length_of(vector);
    if (!(length > 0) || !std::isfinite(length))
        return false;
    for (std::size_t at = 0; at < vector.size(); ++at)
        unit[at] = static_cast<float>(static_cast<double>(vector[at]) / length);
    rotate(unit);
    return true;
}

// Products of the levels with the vector that they stand for and with themselves.
struct Fit {
    double with_vector = 0;
    double with_itself = 0;

    void add(double middle, double value) {
        with_vector += middle * value;
        with_itself += middle * middle;
    }
    float scale() const { return static_cast<float>(1 / with_vector); }
    float deviation(std::size_t dimensions) const {
        const double tangent = with_itself / (with_vector * with_vector) - 1; // squared
        const double freedom = std::max(1.0, static_cast<double>(dimensions) - 1);
        return static_cast<float>(std::sqrt(std::max(0.0, tangent) / freedom));
    }
};

// Of a vector of unit length: above it by rounding only.
constexpr float largest_scale = 2.001F;
constexpr float largest_deviation = 32;

bool padding_is_zero(Bytes planes, CodeForm form) {
    const std::size_t used = form.dimensions % 8;
    if (used == 0)
        return true;
    const std::size_t bytes = form.plane_bytes();
    std::uint8_t last = 0;
    for (std::size_t end = bytes; end <= planes.size(); end += bytes)
        last |= planes[end - 1];
    return last >> used == 0;
}

// What stands in front of the planes.
struct Factors {
    float scale;
    float deviation;
};

constexpr std::size_t factors_bytes = 2 * sizeof(float);

Factors factors_of(const std::uint8_t *code, CodeForm form) {
    const auto scale = std::bit_cast<float>(load<std::uint32_t>(code));
    const auto deviation = std::bit_cast<float>(load<std::uint32_t>(code + sizeof scale));
    if (!(scale > 0 && scale <= largest_scale && deviation >= 0 && deviation <= largest_deviation))
        throw Corrupt("a code has an impossible scale or deviation");
    if (!padding_is_zero({code + factors_bytes, form.bytes() - factors_bytes}, form))
        throw Corrupt("a code has bits behind its last dimension");
    return {scale, deviation};
}

void check_size(Bytes code, CodeForm form) {
    if (code.size() != form.bytes())
        throw Corrupt("a code has another size than its form");
}

} // namespace

void check_code(Bytes code, CodeForm form) {
    check_size(code, form);
    factors_of(code.data(), form);
}

CodeForm CodeForm::of(std::size_t dimensions) {
    return {dimensions, dimensions <= 256 ? 4U : dimensions <= 1024 ? 2U : 1U};
}

VectorEncoder::VectorEncoder(CodeForm form, std::pmr::memory_resource *memory)
    : form_(form), rotated_(form.dimensions, memory) {
    assert(form.dimensions >= 1 && form.dimensions <= max_code_dimensions);
    assert(form.bits >= 1 && form.bits <= max_code_bits);
}

bool VectorEncoder::encode(std::span<const float> vector, std::span<std::uint8_t> code) {
    assert(vector.size() == form_.dimensions && code.size() == form_.bytes());
    if (!rotated_unit(vector, rotated_))
        return false;
    std::fill(code.begin(), code.end(), std::uint8_t{0});
    std::uint8_t *planes = code.data() + factors_bytes;
    const unsigned levels = 1U << form_.bits;
    const double step = steps[form_.bits] / std::sqrt(static_cast<double>(form_.dimensions));
    Fit fit;
    for (std::size_t at = 0; at < rotated_.size(); ++at) {
        const auto value = static_cast<double>(rotated_[at]);
        const unsigned level = level_of(value, step, levels);
        put_level(planes, form_.plane_bytes(), form_.bits, at, level);
        fit.add(middle_of(level, levels), value);
    }
    store(code.data(), std::bit_cast<std::uint32_t>(fit.scale()));
    store(code.data() + sizeof(float),
          std::bit_cast<std::uint32_t>(fit.deviation(form_.dimensions)));
    return true;
}

CodeQuery::CodeQuery(std::span<const float> vector, CodeForm form,
                     std::pmr::memory_resource *memory, Differences differences)
    : form_(form), planes_(query_planes(form.bits)), bits_(memory), differences_(differences) {
    assert(vector.size() == form.dimensions);
    std::pmr::vector<float> unit(vector.size(), memory);
    if (rotated_unit(vector, unit))
        quantise(unit);
}

void CodeQuery::quantise(std::span<const float> unit) {
    const std::size_t stride =
        (form_.plane_bytes() + plane_alignment - 1) / plane_alignment * plane_alignment;
    bits_.assign(planes_ * stride, 0);
    double largest = 0;
    for (const float value : unit)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    const unsigned levels = 1U << planes_;
    step_ = 2 * largest / levels;
    double left = 0;
    for (std::size_t at = 0; at < unit.size(); ++at) {
        const auto value = static_cast<double>(unit[at]);
        const unsigned level = level_of(value, step_, levels);
        put_level(bits_.data(), stride, planes_, at, level);
        const double rest = value - step_ * middle_of(level, levels);
        left += rest * rest;
    }
    residual_ = std::sqrt(left);
}

void CodeQuery::estimate(const std::uint8_t *first, std::size_t step,
                         std::span<Estimate> estimates) const {
    constexpr std::size_t at_once = 128;
    const Planes planes{bits_.data(), bits_.size() / planes_, planes_, form_.bits,
                        form_.plane_bytes()};
    // A level's middle is the sum of 2^(j-1) with the sign of each bit: docs/codes.md.
    const double all =
        static_cast<double>(form_.dimensions) * ((1U << form_.bits) - 1) * ((1U << planes_) - 1);
    const double spread = residual_ * residual_;
    const double of_query = spread / static_cast<double>(form_.dimensions);
    std::array<std::uint32_t, at_once> differences;
    while (!estimates.empty()) {
        const std::size_t count = std::min(at_once, estimates.size());
        differences_({first + factors_bytes, step, count}, planes, differences.data());
        for (std::size_t n = 0; n < count; ++n, first += step) {
            const Factors factors = factors_of(first, form_);
            const double product = step_ / 4 * (all - 2 * static_cast<double>(differences[n]));
            const auto own = static_cast<double>(factors.deviation);
            estimates[n] = {std::clamp(product * static_cast<double>(factors.scale), -1.0, 1.0),
                            std::sqrt(own * own * (1 + spread) + of_query)};
        }
        estimates = estimates.subspan(count);
    }
}

Estimate CodeQuery::estimate(Bytes code) const {
    check_size(code, form_);
    Estimate one;
    estimate(code.data(), code.size(), std::span(&one, 1));
    return one;
}

double reach(double cosine, double deviation, double certainty) {
    return cosine - certainty * deviation * std::sqrt(std::max(0.0, 1 - cosine * cosine));
}

} // namespace memory::codec
