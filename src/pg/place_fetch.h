// Rows by the places that an index knows them by, as a snapshot sees them, without the executor.
// The caller must have the right to read the whole table, or ask a statement about what is found.
#pragma once

#include "pg/handles.h"
#include "pg/key_scan.h"
#include "pg/values.h"

extern "C" {
#include "access/tableam.h"
#include "pgstat.h"
}

namespace memory::pg {

class PlaceFetch {
  public:
    // `index` is the one that knows the places.
    PlaceFetch(Relation table, Relation index, Snapshot snapshot)
        : index_(index), snapshot_(snapshot),
          data_(call([=] { return table_index_fetch_begin(table); })) {}
    ~PlaceFetch() {
        release([this] { table_index_fetch_end(data_); });
    }
    PlaceFetch(const PlaceFetch &) = delete;
    PlaceFetch &operator=(const PlaceFetch &) = delete;

    // Puts the version that the snapshot sees into `slot`, which knows where that is; false where
    // it sees none.
    bool read(std::uint64_t place, TupleTableSlot *slot) {
        ItemPointerData tid = item_pointer(place);
        return call([&] {
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

// Versions of rows that an index knows, for a statement that says which of them its caller may have
// and more about them: it takes their places as an array, WITH ORDINALITY.
class SeenVersions {
  public:
    SeenVersions(Relation table, Relation index, Snapshot snapshot,
                 std::pmr::memory_resource *memory)
        : fetch_(table, index, snapshot),
          slot_(RelationGetDescr(table), table_slot_callbacks(table)), versions_(memory),
          numbers_(memory) {}

    void clear() noexcept {
        versions_.clear();
        numbers_.clear();
    }
    // Takes the version that the snapshot sees of the row at `place`, which is the caller's
    // `number`.
    void add(std::uint64_t place, std::uint32_t number) {
        if (!fetch_.read(place, slot_.get()))
            return;
        versions_.push_back(slot_.get()->tts_tid);
        numbers_.push_back(number);
    }

    // As a tid[] in the current memory context.
    Parameter places() {
        std::pmr::vector<Datum> places(versions_.get_allocator().resource());
        for (ItemPointerData &version : versions_)
            places.push_back(PointerGetDatum(&version));
        return Parameter::array(TIDOID, places);
    }
    // The number of the one with that ordinality.
    std::uint32_t number(std::int64_t ordinality) const {
        return numbers_[static_cast<std::size_t>(ordinality - 1)];
    }

  private:
    PlaceFetch fetch_;
    Slot slot_;
    std::pmr::vector<ItemPointerData> versions_;
    std::pmr::vector<std::uint32_t> numbers_;
};

} // namespace memory::pg
