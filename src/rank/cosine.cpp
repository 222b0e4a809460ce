// The products of two vectors: in lanes of floats, which the machine's registers hold as many of as
// they can, and added up as doubles. The order of additions is that of the lanes, whatever the
// registers are, and no product is fused with a sum: so a cosine has the same bits on every
// machine.
#include "rank/cosine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace memory::rank {

namespace {

constexpr std::size_t lanes = 16;

struct Products {
    double dot;
    double square; // of the second
};

// Vector registers of 4 and of 8 floats. Where the machine has none, the compiler does with less.
using Four = float __attribute__((vector_size(16)));
using Eight = float __attribute__((vector_size(32)));

// Accumulators are whole registers, so that they stay there: of an array of floats the compiler
// makes memory, which is written and read again for every sixteen elements.
template <class Register>
[[gnu::always_inline]] inline Products products_in(const float *a, const float *b,
                                                   std::size_t size) {
    constexpr std::size_t width = sizeof(Register) / sizeof(float);
    constexpr std::size_t registers = lanes / width;
    std::array<Register, registers> dot{};
    std::array<Register, registers> square{};
    std::size_t at = 0;
    for (; at + lanes <= size; at += lanes) {
#pragma GCC unroll 4
        for (std::size_t n = 0; n < registers; ++n) {
            Register one;
            Register other;
            std::memcpy(&one, a + at + n * width, sizeof one);
            std::memcpy(&other, b + at + n * width, sizeof other);
            dot[n] += one * other;
            square[n] += other * other;
        }
    }
    Products sums{0, 0};
#pragma GCC unroll 16
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        sums.dot += static_cast<double>(dot[lane / width][lane % width]);
        sums.square += static_cast<double>(square[lane / width][lane % width]);
    }
    for (; at < size; ++at) {
        sums.dot += static_cast<double>(a[at]) * static_cast<double>(b[at]);
        sums.square += static_cast<double>(b[at]) * static_cast<double>(b[at]);
    }
    return sums;
}

// On x86-64 once more for machines with registers of 256 bits; which one is called is decided when
// the library is loaded.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
__attribute__((target("avx2"))) Products products(const float *a, const float *b,
                                                  std::size_t size) {
    return products_in<Eight>(a, b, size);
}
__attribute__((target("default")))
#endif
Products
products(const float *a, const float *b, std::size_t size) {
    return products_in<Four>(a, b, size);
}

} // namespace

Cosine::Cosine(std::span<const float> one)
    : one_(one), length_(std::sqrt(products(one.data(), one.data(), one.size()).square)) {}

bool Cosine::has_direction() const { return length_ > 0 && std::isfinite(length_); }

double Cosine::with(std::span<const float> other) const {
    const Products sums = products(one_.data(), other.data(), one_.size());
    const double cosine = sums.dot / (length_ * std::sqrt(sums.square));
    return std::isnan(cosine) ? cosine : std::clamp(cosine, -1.0, 1.0);
}

} // namespace memory::rank
