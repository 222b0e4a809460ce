// The products of two vectors: in lanes of floats, so that the compiler uses vector registers, and
// added up as doubles.
#include "rank/cosine.h"

#include <algorithm>
#include <array>
#include <cmath>

// Lanes of floats, which a compiler turns into what the machine has; on x86-64 once more for those
// with 256-bit registers, chosen when the library is loaded.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define FOR_EVERY_MACHINE __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EVERY_MACHINE
#endif

namespace memory::rank {

namespace {

constexpr std::size_t lanes = 16;

struct Products {
    double dot;
    double square; // of the second
};

FOR_EVERY_MACHINE
Products products(const float *a, const float *b, std::size_t size) {
    std::array<float, lanes> dot{};
    std::array<float, lanes> square{};
    std::size_t at = 0;
    for (; at + lanes <= size; at += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            dot[lane] += a[at + lane] * b[at + lane];
            square[lane] += b[at + lane] * b[at + lane];
        }
    }
    Products sums{0, 0};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        sums.dot += static_cast<double>(dot[lane]);
        sums.square += static_cast<double>(square[lane]);
    }
    for (; at < size; ++at) {
        sums.dot += static_cast<double>(a[at]) * static_cast<double>(b[at]);
        sums.square += static_cast<double>(b[at]) * static_cast<double>(b[at]);
    }
    return sums;
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
