// Packs and unpacks four fields at a time with the compiler's vector types, and chooses the width
// that makes a block smallest.
#include "index/codec/bitpack.h"

#include <cassert>

namespace memory::codec {

namespace {

// Four numbers at once, in whatever way the machine has for it: SSE2 and NEON are in the baselines
// of x86-64 and ARM64, and without either the compiler takes four registers.
constexpr std::size_t lanes = 4;
constexpr std::size_t rows = packed_count / lanes;
using Row = std::uint32_t __attribute__((vector_size(lanes * sizeof(std::uint32_t))));

Row load_row(const std::uint8_t *from) {
    Row row;
    std::memcpy(&row, from, sizeof row);
    if constexpr (std::endian::native == std::endian::big)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            row[lane] = load<std::uint32_t>(from + lane * sizeof(std::uint32_t));
    return row;
}

Row load_row(const std::uint32_t *from) {
    Row row;
    std::memcpy(&row, from, sizeof row);
    return row;
}

void store_row(std::uint32_t *to, Row row) { std::memcpy(to, &row, sizeof row); }

std::uint32_t low_bits(unsigned width) {
    return width == 32 ? UINT32_MAX : (std::uint32_t{1} << width) - 1;
}

} // namespace

Packing smallest_packing(const Numbers &numbers) {
    std::array<std::size_t, 33> of_width{};
    for (const std::uint32_t number : numbers)
        ++of_width[static_cast<std::size_t>(std::bit_width(number))];
    Packing best{.width = 32, .exceptions = 0};
    std::size_t best_bytes = best.packed_bytes();
    std::size_t wider = 0; // numbers that need more than `width` bits
    for (unsigned width = 32; width-- > 0;) {
        wider += of_width[width + 1];
        std::size_t bytes = packed_count / 8 * width;
        for (unsigned needed = width + 1; needed <= 32; ++needed)
            bytes += of_width[needed] * (1 + (needed - width + 6) / 7);
        if (bytes < best_bytes) {
            best = {.width = static_cast<std::uint8_t>(width),
                    .exceptions = static_cast<std::uint8_t>(wider)};
            best_bytes = bytes;
        }
    }
    return best;
}

void append_packed(ByteWriter &writer, const Numbers &numbers, const Packing &packing) {
    const std::uint32_t mask = low_bits(packing.width);
    std::array<std::uint64_t, lanes> pending{};
    unsigned pending_bits = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::uint64_t number = numbers[row * lanes + lane] & mask;
            pending[lane] |= number << pending_bits;
        }
        pending_bits += packing.width;
        if (pending_bits >= 32) {
            for (std::uint64_t &lane : pending) {
                writer.fixed(static_cast<std::uint32_t>(lane));
                lane >>= 32;
            }
            pending_bits -= 32;
        }
    }
}

void append_exceptions(ByteWriter &writer, const Numbers &numbers, const Packing &packing) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::uint64_t above = static_cast<std::uint64_t>(numbers[i]) >> packing.width;
        if (above != 0) {
            writer.fixed(static_cast<std::uint8_t>(i));
            writer.varint(static_cast<std::uint32_t>(above));
        }
    }
}

void read_packed(Bytes packed, const Packing &packing, Numbers &numbers) {
    assert(packed.size() == packing.packed_bytes());
    if (packing.width == 0) {
        numbers.fill(0);
        return;
    }
    const std::uint8_t *words = packed.data();
    const Row mask = Row{} + low_bits(packing.width);
    Row word = load_row(words);
    unsigned shift = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        Row value = word >> shift;
        shift += packing.width;
        if (shift >= 32 && row + 1 < rows) {
            shift -= 32;
            words += sizeof word;
            word = load_row(words);
            if (shift > 0)
                value |= word << (packing.width - shift);
        }
        store_row(numbers.data() + row * lanes, value & mask);
    }
}

void read_exceptions(ByteReader &reader, const Packing &packing, Numbers &numbers) {
    for (unsigned i = 0; i < packing.exceptions; ++i) {
        const auto place = reader.fixed<std::uint8_t>();
        const std::uint64_t above = static_cast<std::uint64_t>(reader.varint()) << packing.width;
        if (place >= numbers.size() || above > UINT32_MAX)
            throw Corrupt("an exception beyond what is packed");
        numbers[place] |= static_cast<std::uint32_t>(above);
    }
}

bool add_gaps(std::uint32_t first, std::uint32_t last, Numbers &gaps) {
    constexpr Row zero{};
    constexpr Row steps{0, 1, 2, 3};
    const Row limit = zero + last;
    Row start = zero + first; // in every lane, what the row's first gap is added to
    auto beyond = zero > limit;
    gaps[0] = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        Row sum = load_row(gaps.data() + row * lanes);
        sum += __builtin_shufflevector(sum, zero, 4, 0, 1, 2);
        sum += __builtin_shufflevector(sum, zero, 4, 5, 0, 1);
        const Row numbers = sum + start + steps;
        store_row(gaps.data() + row * lanes, numbers);
        beyond |= numbers > limit;
        start += __builtin_shufflevector(sum, sum, 3, 3, 3, 3) + static_cast<std::uint32_t>(lanes);
    }
    return (beyond[0] | beyond[1] | beyond[2] | beyond[3]) == 0 && gaps.back() == last;
}

} // namespace memory::codec
