// Looking rows up in a b-tree of our tables, as a snapshot sees them, without the executor: for
// many small lookups in one call. The caller must have the right to read the whole table.
#pragma once

#include "pg/call.h"

extern "C" {
#include "access/genam.h"
#include "access/itup.h"
#include "access/relscan.h"
#include "access/skey.h"
#include "executor/tuptable.h"
#include "utils/snapshot.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"
}

namespace memory::pg {

enum class Side { before, behind };

// Conditions on a column of an index. Texts are of collation "C". What they point to must outlive
// the scan.
ScanKeyData equals_text(AttrNumber column, Datum value);
ScanKeyData equals_uuid(AttrNumber column, const std::uint8_t *uuid);
ScanKeyData at_least(AttrNumber column, TimestampTz time);
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

// A row's place in a table, as an index knows it: in the order of pages and of rows on a page.
inline std::uint64_t place_of(const ItemPointerData &tid) {
    return std::uint64_t{ItemPointerGetBlockNumber(&tid)} << 16 | ItemPointerGetOffsetNumber(&tid);
}
inline ItemPointerData item_pointer(std::uint64_t place) {
    return {{static_cast<uint16>(place >> 32), static_cast<uint16>(place >> 16)},
            static_cast<OffsetNumber>(place)};
}

// What an index on a time and a uuid knows of a row.
struct TimedEntry {
    std::uint64_t place;
    TimestampTz time;
    std::array<std::uint8_t, UUID_LEN> uuid;
};

// What is read: rows, or what the index itself knows of them.
enum class Reads { rows, entries };

// A scan of a b-tree by conditions on its first columns.
class KeyScan {
  public:
    KeyScan(Relation heap, Relation index, Snapshot snapshot, std::span<ScanKeyData> keys,
            Reads reads = Reads::rows)
        : scan_(call([&] {
#if PG_VERSION_NUM >= 180000
              IndexScanDesc made =
                  index_beginscan(heap, index, snapshot, nullptr, static_cast<int>(keys.size()), 0);
#else
              IndexScanDesc made =
                  index_beginscan(heap, index, snapshot, static_cast<int>(keys.size()), 0);
#endif
              made->xs_want_itup = reads == Reads::entries;
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
                place = place_of(*tid);
                if (index_fetch_heap(scan_, slot))
                    return true;
            }
        });
        return found ? std::optional(place) : std::nullopt;
    }

    // The places of the next rows by the index alone, seen or not; fewer than asked for at the end.
    std::size_t next_places(std::span<std::uint64_t> places) {
        return call([&] {
            std::size_t found = 0;
            for (; found < places.size(); ++found) {
                const ItemPointer tid = index_getnext_tid(scan_, ForwardScanDirection);
                if (tid == nullptr)
                    break;
                places[found] = place_of(*tid);
            }
            return found;
        });
    }

    // The next entries, of rows seen or not, of an index that has a time in that column and a uuid
    // in the one behind it, in a scan that reads entries; fewer than asked for at the end. What is
    // NULL is later than any time.
    std::size_t next_entries(AttrNumber time, std::span<TimedEntry> entries) {
        return call([&] {
            std::size_t found = 0;
            for (; found < entries.size(); ++found) {
                const ItemPointer tid = index_getnext_tid(scan_, ForwardScanDirection);
                if (tid == nullptr)
                    break;
                TimedEntry &entry = entries[found];
                entry = {place_of(*tid), DT_NOEND, {}};
                bool null = false;
                const Datum its_time = column_of_entry(time, &null);
                if (!null)
                    entry.time = DatumGetTimestampTz(its_time);
                const Datum uuid = column_of_entry(static_cast<AttrNumber>(time + 1), &null);
                if (!null)
                    std::memcpy(entry.uuid.data(), DatumGetUUIDP(uuid)->data, UUID_LEN);
            }
            return found;
        });
    }

  private:
    Datum column_of_entry(AttrNumber column, bool *null) const {
        return index_getattr(scan_->xs_itup, column, scan_->xs_itupdesc, null);
    }

    IndexScanDesc scan_;
};

} // namespace memory::pg
