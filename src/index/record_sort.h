// Records in the order of their tenants and rows, on disk when they are too many for memory.
#pragma once

#include "index/directory.h"
#include "index/document.h"

extern "C" {
#include "utils/tuplesort.h"
}

namespace memory::index {

// Tenants are spread over this many partitions, by which records are sorted first: so that several
// processes can write an index, each some of its tenants (parallel_build.h).
inline constexpr std::size_t partitions = 64;

// Valid until the next record is asked for.
struct SortedRecord {
    // `sorted` are the bytes that decide the order, by memcmp, and hold all the rest.
    explicit SortedRecord(codec::Bytes sorted);

    codec::Bytes whole;
    std::uint8_t partition;
    Key key;
    codec::Bytes record;
};

// Call order: put() and again put(), finish() once, then next() until there is none.
class RecordSort {
  public:
    explicit RecordSort(int kilobytes);
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
