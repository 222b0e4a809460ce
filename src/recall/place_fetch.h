// Rows by the places that an index knows them by, out of the table's pages.
#pragma once

#include "pg/call.h"
#include "pg/handles.h"

extern "C" {
#include "access/tableam.h"
#include "pgstat.h"
}

namespace memory::recall {

class PlaceFetch {
  public:
    PlaceFetch(Relation table, Relation index, Snapshot snapshot)
        : index_(index), snapshot_(snapshot),
          data_(pg::call([=] { return table_index_fetch_begin(table); })) {}
    ~PlaceFetch() {
        pg::release([this] { table_index_fetch_end(data_); });
    }
    PlaceFetch(const PlaceFetch &) = delete;
    PlaceFetch &operator=(const PlaceFetch &) = delete;

    // False where the snapshot sees no row there.
    bool read(std::uint64_t place, TupleTableSlot *slot) {
        ItemPointerData tid = pg::item_pointer(place);
        return pg::call([&] {
            bool again = false;
            const bool found =
                table_index_fetch_tuple(data_, &tid, snapshot_, slot, &again, nullptr);
            if (found)
                pgstat_count_heap_fetch(index_);
            return found;
        });
    }

  private:
    Relation index_;
    Snapshot snapshot_;
    IndexFetchTableData *data_;
};

} // namespace memory::recall
