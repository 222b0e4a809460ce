// Reading and writing bits, from the top of each byte down: fixed fields, Elias gamma, Rice.
#pragma once

#include "index/codec/bytes.h"

namespace memory::codec {

inline constexpr unsigned max_field_bits = 57;

// The Rice parameter for `count` >= 1 numbers that add up to at most `sum`. It is computed in
// integers, so that reader and writer agree on it without storing it.
constexpr unsigned rice_parameter(std::uint64_t sum, std::uint64_t count) {
    // ln 2, the mean-to-median ratio of what gaps of random sets follow, as 45426/2^16
    const std::uint64_t median = (sum * 45426 >> 16) / count;
    return median == 0 ? 0 : static_cast<unsigned>(std::bit_width(median)) - 1;
}

// Reads forwards through a span that must outlive it. What would reach past the end throws.
class BitReader {
  public:
    // Starts at the byte `start`, at most bytes.size().
    explicit BitReader(Bytes bytes, std::size_t start = 0) : bytes_(bytes), at_(start * 8) {}

    // 0 <= width <= max_field_bits
    std::uint64_t fixed(unsigned width) {
        if (width == 0)
            return 0;
        const std::uint64_t value = window() >> (64 - width);
        skip(width);
        return value;
    }

    // At least 1; of at most 32 bits.
    std::uint32_t gamma() {
        const std::uint64_t bits = window();
        const auto zeros = static_cast<unsigned>(std::countl_zero(bits));
        if (zeros < (max_field_bits + 1) / 2) {
            skip(2 * zeros + 1);
            return static_cast<std::uint32_t>(bits >> (63 - 2 * zeros));
        }
        return long_gamma();
    }

    // `parameter` < 32; of at most 32 bits.
    std::uint32_t rice(unsigned parameter) {
        const std::uint64_t bits = window();
        const auto zeros = static_cast<unsigned>(std::countl_zero(bits));
        if (zeros + 1 + parameter <= max_field_bits) {
            skip(zeros + 1 + parameter);
            const std::uint64_t low = (bits << zeros << 1) >> 1 >> (63 - parameter);
            return checked((static_cast<std::uint64_t>(zeros) << parameter) | low);
        }
        return long_rice(parameter);
    }

    // The next bits, the first one on top: at least max_field_bits of them, zeros past the end.
    std::uint64_t window() const {
        const std::size_t byte = at_ >> 3;
        std::uint64_t bits = 0;
        if (byte + 8 <= bytes_.size())
            bits = __builtin_bswap64(load<std::uint64_t>(bytes_.data() + byte));
        else
            bits = last_window(byte);
        return bits << (at_ & 7);
    }

    void skip(std::size_t width) {
        at_ += width;
        if (at_ > bytes_.size() * 8)
            throw Corrupt("the data end inside a bit field");
    }

  private:
    static std::uint32_t checked(std::uint64_t value) {
        if (value > UINT32_MAX)
            throw Corrupt("a number of more than 32 bits");
        return static_cast<std::uint32_t>(value);
    }

    std::uint64_t last_window(std::size_t byte) const;
    std::uint32_t long_gamma();
    std::uint32_t long_rice(unsigned parameter);
    std::uint32_t zeros();

    Bytes bytes_;
    std::size_t at_; // in bits, at most 8·bytes_.size()
};

// Appends to a buffer of the caller's, from its end on; `finish` writes out what does not fill a
// byte yet.
class BitWriter {
  public:
    explicit BitWriter(ByteBuffer &buffer) : buffer_(buffer) {}

    void fixed(std::uint64_t value, unsigned width);
    void gamma(std::uint32_t value);
    void rice(std::uint32_t value, unsigned parameter);

    // Fills the last byte with zeros. What follows starts a byte.
    void finish();

    // Where the next bit goes, counted from the start of the buffer.
    std::size_t position() const { return buffer_.size() * 8 + pending_bits_; }

  private:
    void zeros(std::size_t count);

    ByteBuffer &buffer_;
    std::uint64_t pending_ = 0; // the low pending_bits_ bits wait to be written
    unsigned pending_bits_ = 0; // < 8
};

constexpr std::size_t gamma_bits(std::uint32_t value) {
    return 2 * static_cast<std::size_t>(std::bit_width(value)) - 1;
}

constexpr std::size_t rice_bits(std::uint32_t value, unsigned parameter) {
    return (value >> parameter) + std::size_t{1} + parameter;
}

} // namespace memory::codec
