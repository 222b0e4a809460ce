// Bit fields by way of 64-bit words: those that cross a word, and the ends that are checked.
#include "index/codec/bits.h"

#include <algorithm>
#include <cassert>

namespace memory::codec {

std::uint64_t BitReader::last_window(std::size_t byte) const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i)
        bits = (bits << 8) | (byte + i < bytes_.size() ? bytes_[byte + i] : 0U);
    return bits;
}

std::uint32_t BitReader::zeros() {
    std::uint64_t count = 0;
    for (;;) {
        const auto run = static_cast<unsigned>(std::countl_zero(window()));
        if (run < max_field_bits) {
            skip(run + 1);
            return checked(count + run);
        }
        skip(max_field_bits);
        count += max_field_bits;
    }
}

std::uint32_t BitReader::long_gamma() {
    const std::uint32_t below_top = zeros();
    if (below_top > 31)
        throw Corrupt("a number of more than 32 bits");
    return (1U << below_top) | static_cast<std::uint32_t>(fixed(below_top));
}

std::uint32_t BitReader::long_rice(unsigned parameter) {
    const std::uint64_t quotient = zeros();
    return checked((quotient << parameter) | fixed(parameter));
}

void BitWriter::fixed(std::uint64_t value, unsigned width) {
    assert(width <= max_field_bits && value >> width == 0);
    pending_ = (pending_ << width) | value;
    pending_bits_ += width;
    while (pending_bits_ >= 8) {
        pending_bits_ -= 8;
        buffer_.push_back(static_cast<std::uint8_t>(pending_ >> pending_bits_));
    }
}

void BitWriter::gamma(std::uint32_t value) {
    assert(value > 0);
    const auto width = static_cast<unsigned>(std::bit_width(value));
    zeros(width - 1);
    fixed(value, width);
}

void BitWriter::rice(std::uint32_t value, unsigned parameter) {
    zeros(value >> parameter);
    fixed(1, 1);
    fixed(value & ((std::uint64_t{1} << parameter) - 1), parameter);
}

void BitWriter::zeros(std::size_t count) {
    while (count > 0) {
        const std::size_t step = std::min<std::size_t>(count, max_field_bits);
        fixed(0, static_cast<unsigned>(step));
        count -= step;
    }
}

void BitWriter::finish() {
    if (pending_bits_ > 0)
        fixed(0, 8 - pending_bits_);
}

} // namespace memory::codec
