// Which rows of the table a segment's documents are, and the fingerprints of their texts.
// Format: docs/codecs.md.
#pragma once

#include "index/codec/bytes.h"
#include "index/codec/tid.h"

#include <array>

namespace memory::codec {

struct Row {
    Tid tid;
    std::uint32_t fingerprint = 0;

    friend bool operator==(const Row &, const Row &) = default;
};

inline constexpr std::size_t group_rows = 128;

// Rows decoded together. Only the first `size` mean something.
struct RowGroup {
    std::size_t size = 0;
    std::array<Row, group_rows> rows;
};

// Appends a table of the first of `rows`, whose tids ascend strictly, as far as whole groups fit
// into `capacity` bytes (at most 65,535; a group takes up to 2,048), and returns how many.
std::size_t append_rows(ByteBuffer &buffer, std::span<const Row> rows, std::size_t capacity);

// A table of rows in bytes that must outlive it. Ordinals count from the table's first row.
class Rows {
  public:
    explicit Rows(Bytes bytes);

    std::uint32_t size() const { return count_; }
    std::size_t groups() const { return (count_ + group_rows - 1) / group_rows; }

    // Decodes the group that holds the rows from ordinal index · group_rows on.
    void read(std::size_t index, RowGroup &group) const;
    // The row of an ordinal, which is below size(). Of its group, those before it are gone through.
    Row row(std::uint32_t ordinal) const;

  private:
    class Group;

    Bytes bytes_;
    std::uint32_t count_;
    Bytes starts_;
};

} // namespace memory::codec
