// Records in the order of their tenants and rows, on disk when they are too many for memory.
#pragma once

#include "index/directory.h"
#include "index/document.h"

extern "C" {
#include "utils/tuplesort.h"
}

namespace memory::index {

// Valid until the next record is asked for.
struct SortedRecord {
    Key key;
    codec::Bytes record;
};

// Call order: put() and again put(), finish() once, then next() until there is none.
class RecordSort {
  public:
    // Takes maintenance_work_mem.
    RecordSort();
    ~RecordSort();
    RecordSort(const RecordSort &) = delete;
    RecordSort &operator=(const RecordSort &) = delete;

    void put(Key key, codec::Tid tid, codec::Bytes record);
    void finish();
    std::optional<SortedRecord> next();

  private:
    Tuplesortstate *state_;
    Datum last_ = 0;
};

} // namespace memory::index
