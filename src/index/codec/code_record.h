// The log's record in an index of vector codes: one row. Format: docs/codes.md.
#pragma once

#include "index/codec/tid.h"
#include "index/codec/vector_code.h"

namespace memory::codec {

// What is in front of a record's code.
inline constexpr std::size_t code_record_head = 8;

struct CodeRecord {
    Tid tid;
    std::size_t dimensions; // 0: the row has no vector, or one without a direction
    Bytes code;             // of CodeForm::of(dimensions)
    Bytes whole;
};

// The bytes of a row's record.
std::size_t code_record_size(std::size_t dimensions);

// Appends a record, and gives the place for its code, which is to be written before the buffer
// changes again.
std::span<std::uint8_t> append_code_record(ByteBuffer &buffer, const Tid &tid,
                                           std::size_t dimensions);

// Records of vectors of the same dimensions, one right behind the other.
struct CodeRecords {
    std::size_t dimensions; // 0: of rows without a vector, or without a direction
    std::size_t count;
    std::size_t size; // of one
    const std::uint8_t *first;

    Tid tid(std::size_t n) const;
    // Where a record's code begins.
    const std::uint8_t *code(std::size_t n) const { return first + n * size + code_record_head; }
};

// Goes through the records that fill a span of bytes, which must outlive what it gives.
class CodeRecordReader {
  public:
    explicit CodeRecordReader(Bytes records) : records_(records) {}

    // The next record, or nothing at the end. Throws Corrupt.
    std::optional<CodeRecord> next();
    // The next records of the same dimensions, at most so many; none at the end. Throws Corrupt.
    CodeRecords next_alike(std::size_t most);

  private:
    Bytes records_;
};

} // namespace memory::codec
