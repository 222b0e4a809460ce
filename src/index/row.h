// Rows of the table on their way into the index.
#pragma once

#include "index/analysis.h"
#include "index/payload.h"
#include "index/scope_key.h"
#include "pg/memory.h"

namespace memory::index {

// The columns of an index: how many are scope, and of which types.
struct Columns {
    explicit Columns(Relation index);

    int scope = 0;
    std::array<Oid, INDEX_MAX_KEYS> types{};
};

// Codes vectors. Keeps its memory for the next one.
class CodeWriter {
  public:
    explicit CodeWriter(std::pmr::memory_resource *memory) : record_(memory) {}

    // The record of a row with this vector, without elements if it has none. Valid until the next
    // call.
    std::span<const codec::Bytes> write(codec::Tid tid, std::span<const float> vector);

  private:
    bool encode(codec::Tid tid, std::span<const float> vector);

    std::optional<codec::VectorEncoder> encoder_;
    std::size_t dimensions_ = 0; // that the encoder is for
    codec::ByteBuffer record_;
    codec::Bytes written_;
};

// Makes rows of one index into records, one after another.
class RowWriter {
  public:
    RowWriter(Relation index, MemoryContext memory);

    // The records of a row, and the key of its tenant; none of a row with NULL in its scope, which
    // belongs to no tenant. Valid until the next call.
    std::span<const codec::Bytes> write(const Datum *values, const bool *nulls,
                                        const ItemPointerData &tid, ScopeKey &key);

  private:
    std::span<const codec::Bytes> write_text(const Datum *value, codec::Tid tid);
    std::span<const codec::Bytes> write_code(const Datum *value, codec::Tid tid);

    pg::ContextResource resource_;
    Columns columns_;
    Payload payload_;
    Analysis analysis_;
    RecordWriter records_;
    CodeWriter codes_;
};

} // namespace memory::index
