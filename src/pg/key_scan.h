// Looking rows up in a b-tree of our tables, as a snapshot sees them, without the executor: for
// many small lookups in one call. The caller must have the right to read the whole table.
#pragma once

#include "pg/call.h"

extern "C" {
#include "access/genam.h"
#include "access/skey.h"
#include "executor/tuptable.h"
#include "utils/snapshot.h"
}

namespace memory::pg {

enum class Side { before, behind };

// Conditions on a column of an index. Texts are of collation "C". What they point to must outlive
// the scan.
ScanKeyData equals_text(AttrNumber column, Datum value);
ScanKeyData equals_uuid(AttrNumber column, const std::uint8_t *uuid);
ScanKeyData at_most(AttrNumber column, TimestampTz time);

// Rows before or behind (time, uuid) in the order of two columns. One scan uses it up.
class Beyond {
  public:
    Beyond(AttrNumber first_column, Side side, TimestampTz time, const std::uint8_t *uuid);
    Beyond(const Beyond &) = delete;
    Beyond &operator=(const Beyond &) = delete;

    ScanKeyData key();

  private:
    AttrNumber first_column_;
    StrategyNumber how_;
    std::array<ScanKeyData, 2> parts_;
};

// A scan of a b-tree by conditions on its first columns.
class KeyScan {
  public:
    KeyScan(Relation heap, Relation index, Snapshot snapshot, std::span<ScanKeyData> keys)
        : scan_(call([&] {
#if PG_VERSION_NUM >= 180000
              IndexScanDesc made =
                  index_beginscan(heap, index, snapshot, nullptr, static_cast<int>(keys.size()), 0);
#else
              IndexScanDesc made =
                  index_beginscan(heap, index, snapshot, static_cast<int>(keys.size()), 0);
#endif
              return made;
          })) {
        rewind(keys);
    }
    ~KeyScan() {
        release([this] { index_endscan(scan_); });
    }
    KeyScan(const KeyScan &) = delete;
    KeyScan &operator=(const KeyScan &) = delete;

    void rewind(std::span<ScanKeyData> keys) {
        call([&] { index_rescan(scan_, keys.data(), static_cast<int>(keys.size()), nullptr, 0); });
    }

    // Puts the next row to that side that the snapshot sees into `slot`; its place in the index,
    // or nothing.
    std::optional<std::uint64_t> next(TupleTableSlot *slot, Side side = Side::behind) {
        std::uint64_t place = 0;
        const ScanDirection direction =
            side == Side::behind ? ForwardScanDirection : BackwardScanDirection;
        const bool found = call([&] {
            for (;;) {
                const ItemPointer tid = index_getnext_tid(scan_, direction);
                if (tid == nullptr)
                    return false;
                place = std::uint64_t{ItemPointerGetBlockNumber(tid)} << 16 |
                        ItemPointerGetOffsetNumber(tid);
                if (index_fetch_heap(scan_, slot))
                    return true;
            }
        });
        return found ? std::optional(place) : std::nullopt;
    }

    // The places of the next rows by the index alone, seen or not; fewer than asked for at the end.
    std::size_t next_places(std::span<ItemPointerData> places) {
        return call([&] {
            std::size_t found = 0;
            for (; found < places.size(); ++found) {
                const ItemPointer tid = index_getnext_tid(scan_, ForwardScanDirection);
                if (tid == nullptr)
                    break;
                places[found] = *tid;
            }
            return found;
        });
    }

  private:
    IndexScanDesc scan_;
};

} // namespace memory::pg
