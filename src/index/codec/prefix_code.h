// A canonical Huffman code of bytes and an end mark, stored as what it is decoded from.
// Format: docs/codecs.md.
//
// A code is complete, which is checked when it is read: every string of bits decodes to something.
#pragma once

#include "index/codec/bits.h"

#include <array>

namespace memory::codec {

// 0 to 255 are bytes.
inline constexpr std::size_t end_mark = 256;
inline constexpr std::size_t symbol_count = 257;
inline constexpr unsigned longest_code = 15;

// How often each symbol occurs in what will be written. The end mark and at least one byte do.
using SymbolCounts = std::array<std::uint64_t, symbol_count>;

// Writes symbols. Knows only those that occurred.
class PrefixEncoder {
  public:
    explicit PrefixEncoder(const SymbolCounts &counts);

    // Appends what PrefixDecoder reads.
    void store(ByteWriter &writer) const;

    // In bits; 0 for a symbol without a code.
    unsigned length(std::size_t symbol) const { return codes_[symbol].length; }

    void write(BitWriter &writer, std::size_t symbol) const {
        writer.fixed(codes_[symbol].bits, codes_[symbol].length);
    }

  private:
    struct Code {
        std::uint16_t bits = 0;
        std::uint8_t length = 0;
    };

    void number_codes();

    std::array<Code, symbol_count> codes_{};
    std::array<std::uint16_t, longest_code + 1> of_length_{}; // how many symbols
    std::array<std::uint16_t, symbol_count> canonical_{};     // symbols in the order of their codes
    std::size_t symbols_ = 0;
};

// Reads symbols. The bytes that it was loaded from must outlive it.
class PrefixDecoder {
  public:
    explicit PrefixDecoder(ByteReader &reader);

    // Reads bytes up to an end mark, which it takes too, into the front of `room`; returns how
    // many.
    std::size_t read(BitReader &reader, std::span<char> room) const;

  private:
    static constexpr unsigned quick_bits = 7;

    std::size_t symbol_at(std::size_t place) const;

    // 16·symbol + the length of its code, for the code that `bits`, longest_code of them, begin
    // with.
    std::size_t decode_long(std::uint64_t bits) const;
    void fill_quick();

    // By code length, of codes left-aligned in longest_code bits: where those of the next length
    // begin, and what to add to a code of its own length to get its symbol's place, modulo 2^64.
    // The code is complete, so the last limit is above all that the bits can be.
    std::array<std::uint64_t, longest_code + 1> limit_{};
    std::array<std::size_t, longest_code + 1> offset_{};
    std::size_t end_place_ = 0;
    Bytes bytes_; // the symbols but the end mark, in the order of their codes
    // What decode_long gives, by the first bits; 0 if the code is longer than those.
    std::array<std::uint16_t, 1 << quick_bits> quick_;
};

} // namespace memory::codec
