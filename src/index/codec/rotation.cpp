// Rounds of random signs and fast Hadamard transforms. A transform takes a power of two elements;
// where that is not all, one of the first and one of the last take turns and overlap, and then the
// two halves are mixed pair by pair. So no element is added.
#include "index/codec/rotation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace memory::codec {

namespace {

constexpr unsigned rounds = 3;

// The n-th of a stream of random words.
std::uint64_t random_word(std::uint64_t seed, std::uint64_t n) {
    std::uint64_t word = seed + (n + 1) * 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

// Multiplies each element by `scale` or by its negative. Returns the next place in the stream.
std::uint64_t scatter_signs(std::span<float> block, float scale, std::uint64_t seed,
                            std::uint64_t n) {
    for (std::size_t from = 0; from < block.size(); from += 64) {
        std::uint64_t signs = random_word(seed, n++);
        const std::size_t end = std::min(block.size(), from + 64);
        for (std::size_t at = from; at < end; ++at, signs >>= 1) {
            const auto sign = static_cast<std::uint32_t>(signs & 1) << 31;
            block[at] *= std::bit_cast<float>(std::bit_cast<std::uint32_t>(scale) ^ sign);
        }
    }
    return n;
}

// Sums and differences of elements `half` apart, of four pairs at once.
using Four = float __attribute__((vector_size(16)));

void add_and_subtract(float *a, float *b, std::size_t half) {
    if (half < 4) {
        for (std::size_t at = 0; at < half; ++at) {
            const float sum = a[at] + b[at];
            b[at] = a[at] - b[at];
            a[at] = sum;
        }
        return;
    }
    for (std::size_t at = 0; at < half; at += 4) {
        Four one;
        Four other;
        std::memcpy(&one, a + at, sizeof one);
        std::memcpy(&other, b + at, sizeof other);
        const Four sum = one + other;
        const Four difference = one - other;
        std::memcpy(a + at, &sum, sizeof sum);
        std::memcpy(b + at, &difference, sizeof difference);
    }
}

// The transform of four elements: what add_and_subtract() of halves of 1 and of 2 gives.
void transform_four(float *block) {
    const float sum = block[0] + block[1];
    const float difference = block[0] - block[1];
    const float other_sum = block[2] + block[3];
    const float other_difference = block[2] - block[3];
    block[0] = sum + other_sum;
    block[1] = difference + other_difference;
    block[2] = sum - other_sum;
    block[3] = difference - other_difference;
}

// The Hadamard transform of a power of two elements. Lengths grow by the root of their number.
void transform(std::span<float> block) {
    std::size_t half = 1;
    if (block.size() >= 4) {
        for (std::size_t from = 0; from < block.size(); from += 4)
            transform_four(&block[from]);
        half = 4;
    }
    for (; half < block.size(); half *= 2)
        for (std::size_t from = 0; from < block.size(); from += 2 * half)
            add_and_subtract(&block[from], &block[from + half], half);
}

// The sums and the differences of the two halves; of an odd number the middle one stays.
void mix_halves(std::span<float> vector) {
    const std::size_t half = vector.size() / 2;
    const float scale = 1 / std::sqrt(2.0F);
    const std::span<float> last = vector.last(half);
    for (std::size_t at = 0; at < half; ++at) {
        const float one = vector[at];
        vector[at] = (one + last[at]) * scale;
        last[at] = (one - last[at]) * scale;
    }
}

} // namespace

void rotate(std::span<float> vector, std::uint64_t seed) {
    if (vector.empty())
        return;
    const std::size_t size = std::bit_floor(vector.size());
    const float scale = 1 / std::sqrt(static_cast<float>(size));
    std::uint64_t n = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        n = scatter_signs(vector.first(size), scale, seed, n);
        transform(vector.first(size));
        if (size == vector.size())
            continue;
        n = scatter_signs(vector.last(size), scale, seed, n);
        transform(vector.last(size));
        mix_halves(vector);
    }
}

} // namespace memory::codec
