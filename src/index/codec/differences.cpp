// The same loop thrice: with registers of 512 bits that count bits, with an instruction that counts
// those of 64, and with neither.
#include "index/codec/differences.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace memory::codec {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

std::uint64_t load_word(const std::uint8_t *from, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes < word_bytes ? bytes : word_bytes);
    return word;
}

template <unsigned query_planes>
[[gnu::always_inline]] inline std::uint64_t in_words(const std::uint8_t *code,
                                                     const Planes &planes) {
    std::uint64_t sum = 0;
    for (unsigned plane = 0; plane < planes.code_planes; ++plane, code += planes.bytes) {
        std::array<std::uint64_t, query_planes> counts{};
        for (std::size_t at = 0; at < planes.bytes; at += word_bytes) {
            const std::uint64_t word = load_word(code + at, planes.bytes - at);
#pragma GCC unroll 8
            for (unsigned k = 0; k < query_planes; ++k) {
                const auto *other = planes.query + k * planes.stride + at;
                counts[k] += static_cast<std::uint64_t>(
                    __builtin_popcountll(word ^ load_word(other, word_bytes)));
            }
        }
        for (unsigned k = 0; k < query_planes; ++k)
            sum += counts[k] << (plane + k);
    }
    return sum;
}

[[gnu::always_inline]] inline std::uint64_t any_in_words(const std::uint8_t *code,
                                                         const Planes &planes) {
    switch (planes.query_planes) {
    case 4:
        return in_words<4>(code, planes);
    case 6:
        return in_words<6>(code, planes);
    default:
        return in_words<8>(code, planes);
    }
}

std::uint64_t everywhere(const std::uint8_t *code, const Planes &planes) {
    return any_in_words(code, planes);
}

constexpr Kernel portable = {"portable", everywhere};

#if defined(__x86_64__)

__attribute__((target("popcnt"))) std::uint64_t with_popcnt(const std::uint8_t *code,
                                                            const Planes &planes) {
    return any_in_words(code, planes);
}

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vpopcntdq")))

using Register = std::uint64_t __attribute__((vector_size(64)));

template <unsigned query_planes>
WIDE std::uint64_t in_registers(const std::uint8_t *code, const Planes &planes) {
    Register sum{};
    for (unsigned plane = 0; plane < planes.code_planes; ++plane, code += planes.bytes) {
        Register counts[query_planes] = {};
        for (std::size_t at = 0; at < planes.bytes; at += sizeof(Register)) {
            const std::size_t left = planes.bytes - at;
            const auto there = left < sizeof(Register) ? (__mmask64{1} << left) - 1 : ~__mmask64{0};
            const auto bits = Register(_mm512_maskz_loadu_epi8(there, code + at));
#pragma GCC unroll 8
            for (unsigned k = 0; k < query_planes; ++k) {
                Register other;
                std::memcpy(&other, planes.query + k * planes.stride + at, sizeof other);
                counts[k] += Register(_mm512_popcnt_epi64(__m512i(bits ^ other)));
            }
        }
#pragma GCC unroll 8
        for (unsigned k = 0; k < query_planes; ++k)
            sum += counts[k] << (plane + k);
    }
    std::uint64_t total = 0;
    for (std::size_t lane = 0; lane < sizeof(Register) / word_bytes; ++lane)
        total += sum[lane];
    return total;
}

WIDE std::uint64_t with_avx512(const std::uint8_t *code, const Planes &planes) {
    switch (planes.query_planes) {
    case 4:
        return in_registers<4>(code, planes);
    case 6:
        return in_registers<6>(code, planes);
    default:
        return in_registers<8>(code, planes);
    }
}

#undef WIDE

constexpr std::array all_kernels = {Kernel{"avx512", with_avx512}, Kernel{"popcnt", with_popcnt},
                                    portable};

std::size_t first_possible() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vpopcntdq"))
        return 0;
    return __builtin_cpu_supports("popcnt") ? 1 : 2;
}

#else

constexpr std::array all_kernels = {portable};

std::size_t first_possible() { return 0; }

#endif

} // namespace

std::span<const Kernel> kernels() { return std::span(all_kernels).subspan(first_possible()); }

} // namespace memory::codec
