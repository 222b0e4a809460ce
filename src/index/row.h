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

// Adds rows of one index, one after another.
class RowWriter {
  public:
    RowWriter(Relation index, MemoryContext memory);

    // A row with NULL in its scope belongs to no tenant and is left out.
    void add(Relation index, const Datum *values, const bool *nulls, const ItemPointerData &tid);

    // Documents added so far.
    std::uint64_t added() const noexcept { return added_; }

  private:
    pg::ContextResource resource_;
    Columns columns_;
    Analysis analysis_;
    RecordWriter records_;
    std::uint64_t added_ = 0;
};

} // namespace memory::index
