// Chooses the width of lengths that makes the table smallest, writes the table, and checks one that
// is read.
#include "index/codec/lengths.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace memory::codec {

namespace {

// count u16, width u8, zero u8, exceptions u16
constexpr std::size_t head_bytes = 6;
constexpr std::size_t exception_bytes = sizeof(std::uint16_t) + sizeof(std::uint32_t);

std::size_t bitmap_bytes(std::size_t documents) { return (documents + 7) / 8; }

// A length that a field of `width` bytes cannot hold; the largest value says so.
bool is_exception(std::uint32_t length, unsigned width) {
    return width < sizeof length && length >= (1U << (8 * width)) - 1;
}

struct Layout {
    unsigned width;
    std::size_t exceptions;
    std::size_t bytes;
};

Layout smallest_layout(std::span<const std::uint32_t> lengths) {
    Layout best{.width = 0, .exceptions = 0, .bytes = SIZE_MAX};
    for (const unsigned width : {1U, 2U, 4U}) {
        const auto exceptions = static_cast<std::size_t>(
            std::count_if(lengths.begin(), lengths.end(),
                          [width](std::uint32_t length) { return is_exception(length, width); }));
        const std::size_t bytes = head_bytes + bitmap_bytes(lengths.size()) +
                                  width * lengths.size() + exception_bytes * exceptions;
        if (bytes < best.bytes)
            best = {.width = width, .exceptions = exceptions, .bytes = bytes};
    }
    return best;
}

void append_length(ByteWriter &writer, std::uint32_t length, unsigned width) {
    if (is_exception(length, width))
        length = UINT32_MAX;
    if (width == 1)
        writer.fixed(static_cast<std::uint8_t>(length));
    else if (width == 2)
        writer.fixed(static_cast<std::uint16_t>(length));
    else
        writer.fixed(length);
}

} // namespace

std::size_t lengths_bytes(std::span<const std::uint32_t> lengths) {
    return smallest_layout(lengths).bytes;
}

void append_lengths(ByteBuffer &buffer, std::span<const std::uint32_t> lengths) {
    assert(lengths.size() <= UINT16_MAX);
    const Layout layout = smallest_layout(lengths);
    ByteWriter writer(buffer);
    writer.fixed(static_cast<std::uint16_t>(lengths.size()));
    writer.fixed(static_cast<std::uint8_t>(layout.width));
    writer.fixed(std::uint8_t{0});
    writer.fixed(static_cast<std::uint16_t>(layout.exceptions));
    for (std::size_t ordinal = 0; ordinal < lengths.size(); ordinal += 8) {
        const std::size_t documents = std::min<std::size_t>(8, lengths.size() - ordinal);
        writer.fixed(static_cast<std::uint8_t>((1U << documents) - 1));
    }
    for (const std::uint32_t length : lengths)
        append_length(writer, length, layout.width);
    for (std::size_t ordinal = 0; ordinal < lengths.size(); ++ordinal) {
        if (is_exception(lengths[ordinal], layout.width)) {
            writer.fixed(static_cast<std::uint16_t>(ordinal));
            writer.fixed(lengths[ordinal]);
        }
    }
}

Lengths::Lengths(Bytes bytes) {
    ByteReader reader(bytes);
    count_ = reader.fixed<std::uint16_t>();
    width_ = reader.fixed<std::uint8_t>();
    reader.skip(1);
    const std::size_t exceptions = reader.fixed<std::uint16_t>();
    if (width_ != 1 && width_ != 2 && width_ != 4)
        throw Corrupt("lengths of impossible width");
    alive_ = reader.bytes(bitmap_bytes(count_));
    lengths_ = reader.bytes(width_ * std::size_t{count_});
    exceptions_ = reader.bytes(exception_bytes * exceptions);
}

std::uint32_t Lengths::wide(std::uint32_t ordinal) const {
    const std::uint8_t *field = lengths_.data() + width_ * std::size_t{ordinal};
    if (width_ == 1)
        return *field == UINT8_MAX ? exception(ordinal) : *field;
    if (width_ == 2) {
        const auto length = load<std::uint16_t>(field);
        return length == UINT16_MAX ? exception(ordinal) : length;
    }
    return load<std::uint32_t>(field);
}

std::uint32_t Lengths::exception(std::uint32_t ordinal) const {
    std::size_t below = 0;
    std::size_t above = exceptions_.size() / exception_bytes;
    while (below < above) {
        const std::size_t middle = below + (above - below) / 2;
        const std::uint8_t *entry = exceptions_.data() + exception_bytes * middle;
        const auto found = load<std::uint16_t>(entry);
        if (found == ordinal)
            return load<std::uint32_t>(entry + sizeof found);
        (found < ordinal ? below : above) = found < ordinal ? middle + 1 : middle;
    }
    throw Corrupt("a length that is missing");
}

std::uint32_t Lengths::count_alive() const {
    std::uint32_t alive = 0;
    for (const std::uint8_t byte : alive_)
        alive += static_cast<std::uint32_t>(std::popcount(byte));
    return std::min(alive, count_);
}

std::size_t Lengths::bytes() const {
    return head_bytes + alive_.size() + lengths_.size() + exceptions_.size();
}

std::size_t Lengths::alive_byte(std::uint32_t ordinal) { return head_bytes + ordinal / 8; }

} // namespace memory::codec
