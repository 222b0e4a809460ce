// Writes tids in groups of 128, and decodes one group at a time.
#include "index/codec/rows.h"

#include "index/codec/bits.h"

#include <algorithm>
#include <cassert>

namespace memory::codec {

namespace {

constexpr std::size_t start_bytes = sizeof(std::uint16_t);
constexpr unsigned widest_offset = 16;

void append_group(ByteBuffer &buffer, std::span<const Row> rows) {
    const std::uint32_t blocks = rows.back().tid.block - rows.front().tid.block;
    const unsigned parameter = rice_parameter(blocks, rows.size());
    std::uint32_t offsets = 0;
    for (const Row &row : rows) {
        assert(row.tid.offset > 0 && row.tid.block != no_block);
        offsets |= row.tid.offset;
    }
    const auto width = static_cast<unsigned>(std::bit_width(offsets));

    ByteWriter writer(buffer);
    writer.fixed(static_cast<std::uint8_t>(rows.size() - 1));
    writer.fixed(static_cast<std::uint8_t>(parameter));
    writer.fixed(static_cast<std::uint8_t>(width));
    writer.varint(rows.front().tid.block);
    for (const Row &row : rows)
        writer.fixed(row.fingerprint);
    BitWriter bits(buffer);
    std::uint32_t block = rows.front().tid.block;
    for (const Row &row : rows) {
        bits.rice(row.tid.block - block, parameter);
        bits.fixed(row.tid.offset, width);
        block = row.tid.block;
    }
    bits.finish();
}

} // namespace

std::size_t append_rows(ByteBuffer &buffer, std::span<const Row> rows, std::size_t capacity) {
    assert(capacity <= UINT16_MAX);
    ByteBuffer groups(buffer.get_allocator());
    std::pmr::vector<std::uint16_t> starts(buffer.get_allocator());
    std::size_t taken = 0;
    while (taken < rows.size()) {
        const std::size_t start = groups.size();
        const auto group = rows.subspan(taken, std::min(group_rows, rows.size() - taken));
        append_group(groups, group);
        if (start_bytes * (2 + starts.size()) + groups.size() > capacity) {
            groups.resize(start);
            break;
        }
        starts.push_back(static_cast<std::uint16_t>(start));
        taken += group.size();
    }
    ByteWriter writer(buffer);
    writer.fixed(static_cast<std::uint16_t>(taken));
    for (const std::uint16_t start : starts)
        writer.fixed(static_cast<std::uint16_t>(start_bytes * (1 + starts.size()) + start));
    writer.bytes(groups);
    return taken;
}

Rows::Rows(Bytes bytes) : bytes_(bytes) {
    ByteReader reader(bytes);
    count_ = reader.fixed<std::uint16_t>();
    starts_ = reader.bytes(start_bytes * groups());
}

// Reads a group from its front: tids one after another, a fingerprint of any row.
class Rows::Group {
  public:
    Group(const Rows &rows, std::size_t index) : Group(rows, index, reader_of(rows, index)) {}

    std::size_t size() const { return size_; }

    // Of the next row.
    Tid next_tid() {
        block_ += bits_.rice(parameter_);
        const auto offset = static_cast<std::uint16_t>(bits_.fixed(width_));
        if (block_ >= no_block || offset == 0)
            throw Corrupt("a row with an impossible tid");
        return {.block = static_cast<std::uint32_t>(block_), .offset = offset};
    }

    // Passes over so many rows: those that are whole in a window of bits, at once.
    void pass(std::size_t rows) {
        while (rows > 0) {
            std::uint64_t bits = bits_.window();
            unsigned passed = 0;
            for (; rows > 0; --rows) {
                const auto zeros = static_cast<unsigned>(std::countl_zero(bits));
                const unsigned row = zeros + 1 + parameter_ + width_;
                if (passed + row > max_field_bits)
                    break;
                const std::uint64_t low = (bits << zeros << 1) >> 1 >> (63 - parameter_);
                block_ += (std::uint64_t{zeros} << parameter_) | low;
                bits <<= row;
                passed += row;
            }
            bits_.skip(passed);
            if (passed == 0) { // one that is longer than a window
                next_tid();
                --rows;
            }
        }
    }

    // `row` is below size().
    std::uint32_t fingerprint(std::size_t row) const {
        return load<std::uint32_t>(fingerprints_.data() + sizeof(std::uint32_t) * row);
    }

  private:
    static ByteReader reader_of(const Rows &rows, std::size_t index) {
        const auto start = load<std::uint16_t>(rows.starts_.data() + start_bytes * index);
        if (start > rows.bytes_.size())
            throw Corrupt("a group of rows beyond the table");
        return ByteReader(rows.bytes_.subspan(start));
    }

    Group(const Rows &rows, std::size_t index, ByteReader reader)
        : size_(reader.fixed<std::uint8_t>() + std::size_t{1}),
          parameter_(reader.fixed<std::uint8_t>()), width_(reader.fixed<std::uint8_t>()),
          block_(reader.varint()), fingerprints_(reader.bytes(sizeof(std::uint32_t) * size_)),
          bits_(reader.rest()) {
        if (size_ != std::min(group_rows, rows.count_ - index * group_rows) || parameter_ > 31 ||
            width_ > widest_offset)
            throw Corrupt("a group of rows of impossible form");
    }

    std::size_t size_;
    unsigned parameter_;
    unsigned width_;
    std::uint64_t block_; // of the row read last
    Bytes fingerprints_;
    BitReader bits_;
};

void Rows::read(std::size_t index, RowGroup &group) const {
    Group stored(*this, index);
    group.size = stored.size();
    for (std::size_t i = 0; i < group.size; ++i)
        group.rows[i] = {.tid = stored.next_tid(), .fingerprint = stored.fingerprint(i)};
}

Row Rows::row(std::uint32_t ordinal) const {
    Group stored(*this, ordinal / group_rows);
    const std::size_t at = ordinal % group_rows;
    stored.pass(at);
    return {.tid = stored.next_tid(), .fingerprint = stored.fingerprint(at)};
}

} // namespace memory::codec
