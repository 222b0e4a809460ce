// Rows of the table on their way into the index.
#pragma once

#include "index/analysis.h"
#include "index/scope_key.h"
#include "pg/memory.h"

namespace memory::index {

// The columns of an index: how many are scope, and of which types.
struct Columns {
    explicit Columns(Relation index);

    int scope = 0;
    std::array<Oid, INDEX_MAX_KEYS> types{};
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
    pg::ContextResource resource_;
    Columns columns_;
    Analysis analysis_;
    RecordWriter records_;
};

} // namespace memory::index
