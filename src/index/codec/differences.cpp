// The same loop thrice: with registers of 512 bits that count bits, with an instruction that counts
// those of 64, and with neither. Each kernel goes through many codes in one call.
#include "index/codec/differences.h"

#include <algorithm>
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
[[gnu::always_inline]] inline std::uint32_t in_words(const std::uint8_t *code,
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
    return static_cast<std::uint32_t>(sum);
}

[[gnu::always_inline]] inline void any_in_words(const CodeColumn &codes, const Planes &planes,
                                                std::uint32_t *sums) {
    for (std::size_t n = 0; n < codes.count; ++n) {
        const std::uint8_t *code = codes.planes + n * codes.step;
        switch (planes.query_planes) {
        case 4:
            sums[n] = in_words<4>(code, planes);
            break;
        case 6:
            sums[n] = in_words<6>(code, planes);
            break;
        default:
            sums[n] = in_words<8>(code, planes);
        }
    }
}

void everywhere(const CodeColumn &codes, const Planes &planes, std::uint32_t *sums) {
    any_in_words(codes, planes, sums);
}

constexpr Kernel portable = {"portable", everywhere};

#if defined(__x86_64__)

__attribute__((target("popcnt"))) void with_popcnt(const CodeColumn &codes, const Planes &planes,
                                                   std::uint32_t *sums) {
    any_in_words(codes, planes, sums);
}

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vpopcntdq")))

using Register = std::uint64_t __attribute__((vector_size(64)));

WIDE inline Register load(const std::uint8_t *from) {
    Register loaded;
    std::memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

// The first bytes, and zeros behind them.
WIDE inline Register load(const std::uint8_t *from, std::size_t bytes) {
    const auto there = bytes < sizeof(Register) ? (__mmask64{1} << bytes) - 1 : ~__mmask64{0};
    return Register(_mm512_maskz_loadu_epi8(there, from));
}

WIDE inline Register bits_of(Register lanes) {
    return Register(_mm512_popcnt_epi64(__m512i(lanes)));
}

template <class Half, class Whole>
WIDE inline Half sum_of_halves(const Whole &whole) {
    static_assert(2 * sizeof(Half) == sizeof(Whole));
    Half halves[2];
    std::memcpy(halves, &whole, sizeof whole);
    return halves[0] + halves[1];
}

WIDE inline std::uint32_t sum_of(Register lanes) {
    using Four = std::uint64_t __attribute__((vector_size(32)));
    using Two = std::uint64_t __attribute__((vector_size(16)));
    const auto two = sum_of_halves<Two>(sum_of_halves<Four>(lanes));
    return static_cast<std::uint32_t>(two[0] + two[1]);
}

// A query's planes as they lie beside all planes of a code, one right behind the other, and by how
// much the counts of each word are to be shifted.
template <unsigned query_planes, unsigned registers>
struct Beside {
    Register query[query_planes][registers]; // the highest plane first
    Register shifts[registers];

    WIDE explicit Beside(const Planes &planes) {
        alignas(Register) std::array<std::uint8_t, registers * sizeof(Register)> row{};
        for (unsigned k = 0; k < query_planes; ++k) {
            const std::uint8_t *plane = planes.query + (query_planes - 1 - k) * planes.stride;
            for (unsigned j = 0; j < planes.code_planes; ++j)
                std::memcpy(row.data() + j * planes.bytes, plane, planes.bytes);
            std::memcpy(query[k], row.data(), row.size());
        }
        std::array<std::uint64_t, registers * sizeof(Register) / word_bytes> words{};
        for (std::size_t word = 0; word < words.size(); ++word)
            words[word] = word * word_bytes / planes.bytes;
        std::memcpy(shifts, words.data(), sizeof shifts);
    }
};

// Codes whose planes fill `registers` registers together, the last one or two in part: the query
// stays in registers, too. No word has bits of two planes.
template <unsigned query_planes, unsigned registers>
WIDE void beside(const CodeColumn &codes, const Planes &planes, std::uint32_t *sums) {
    const Beside<query_planes, registers> beside(planes);
    const std::size_t bytes = planes.code_planes * planes.bytes;
    std::array<std::size_t, registers> there{}; // bytes of a code in each register
    for (unsigned n = 0; n < registers; ++n)
        there[n] = bytes - std::min(bytes, n * sizeof(Register));
    const std::uint8_t *code = codes.planes;
    for (std::size_t at = 0; at < codes.count; ++at, code += codes.step) {
        Register sum{};
#pragma GCC unroll 4
        for (unsigned n = 0; n < registers; ++n) {
            const Register bits = load(code + n * sizeof(Register), there[n]);
            Register part{};
#pragma GCC unroll 8
            for (unsigned k = 0; k < query_planes; ++k)
                part += part + bits_of(bits ^ beside.query[k][n]);
            sum += part << beside.shifts[n];
        }
        sums[at] = sum_of(sum);
    }
}

template <unsigned query_planes>
WIDE std::uint32_t of_any_planes(const std::uint8_t *code, const Planes &planes) {
    Register sum{};
    for (unsigned plane = 0; plane < planes.code_planes; ++plane, code += planes.bytes) {
        Register counts[query_planes] = {};
        for (std::size_t at = 0; at < planes.bytes; at += sizeof(Register)) {
            const Register bits = load(code + at, planes.bytes - at);
#pragma GCC unroll 8
            for (unsigned k = 0; k < query_planes; ++k)
                counts[k] += bits_of(bits ^ load(planes.query + k * planes.stride + at));
        }
#pragma GCC unroll 8
        for (unsigned k = 0; k < query_planes; ++k)
            sum += counts[k] << (plane + k);
    }
    return sum_of(sum);
}

template <unsigned query_planes>
WIDE void of_planes(const CodeColumn &codes, const Planes &planes, std::uint32_t *sums) {
    const std::uint8_t *code = codes.planes;
    for (std::size_t n = 0; n < codes.count; ++n, code += codes.step)
        sums[n] = of_any_planes<query_planes>(code, planes);
}

template <unsigned query_planes>
WIDE void fastest(const CodeColumn &codes, const Planes &planes, std::uint32_t *sums) {
    const std::size_t bytes = planes.code_planes * planes.bytes;
    const bool by_words = planes.code_planes == 1 || planes.bytes % word_bytes == 0;
    if (by_words && bytes <= 2 * sizeof(Register))
        return beside<query_planes, 2>(codes, planes, sums);
    if (by_words && bytes <= 3 * sizeof(Register))
        return beside<query_planes, 3>(codes, planes, sums);
    if (by_words && bytes <= 4 * sizeof(Register))
        return beside<query_planes, 4>(codes, planes, sums);
    of_planes<query_planes>(codes, planes, sums);
}

WIDE void with_avx512(const CodeColumn &codes, const Planes &planes, std::uint32_t *sums) {
    switch (planes.query_planes) {
    case 4:
        return fastest<4>(codes, planes, sums);
    case 6:
        return fastest<6>(codes, planes, sums);
    default:
        return fastest<8>(codes, planes, sums);
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
