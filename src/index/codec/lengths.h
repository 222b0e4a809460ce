// How long a segment's documents are, and which of them are alive. Format: docs/codecs.md.
#pragma once

#include "index/codec/bytes.h"

#include <algorithm>

namespace memory::codec {

// Appends a table of `lengths`, at most 65,535, all of them alive.
void append_lengths(ByteBuffer &buffer, std::span<const std::uint32_t> lengths);

// The size of what append_lengths writes.
std::size_t lengths_bytes(std::span<const std::uint32_t> lengths);

// A table of lengths in bytes that must outlive it. Ordinals count from the table's first
// document.
class Lengths {
  public:
    explicit Lengths(Bytes bytes);

    std::uint32_t size() const { return count_; }
    // The bytes that it takes up, at the front of those it was given.
    std::size_t bytes() const;

    // The length of a document; `ordinal` < size().
    std::uint32_t operator[](std::uint32_t ordinal) const {
        return width_ == 1 && lengths_[ordinal] < UINT8_MAX ? lengths_[ordinal] : wide(ordinal);
    }

    // Whether a document is alive; `ordinal` < size().
    bool alive(std::uint32_t ordinal) const {
        return (alive_[ordinal / 8] >> (ordinal % 8) & 1) != 0;
    }

    std::uint32_t count_alive() const;
    // Calls `take(ordinal)` for every document that is not alive, ascending.
    template <class Take>
    void each_dead(Take &&take) const;

    // Where in the bytes a document's alive bit is: the only ones that ever change.
    static std::size_t alive_byte(std::uint32_t ordinal);
    static std::uint8_t alive_bit(std::uint32_t ordinal) {
        return static_cast<std::uint8_t>(1U << (ordinal % 8));
    }

  private:
    // The same, of any width.
    std::uint32_t wide(std::uint32_t ordinal) const;
    std::uint32_t exception(std::uint32_t ordinal) const;

    std::uint32_t count_;
    std::uint8_t width_; // of a length, in bytes
    Bytes alive_;
    Bytes lengths_;
    Bytes exceptions_;
};

template <class Take>
void Lengths::each_dead(Take &&take) const {
    for (std::uint32_t byte = 0; byte < alive_.size(); ++byte) {
        if (alive_[byte] == UINT8_MAX)
            continue;
        const std::uint32_t end = std::min(count_, byte * 8 + 8);
        for (std::uint32_t ordinal = byte * 8; ordinal < end; ++ordinal)
            if (!alive(ordinal))
                take(ordinal);
    }
}

} // namespace memory::codec
