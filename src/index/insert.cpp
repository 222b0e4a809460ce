// aminsert: one row into the index.
#include "index/am.h"
#include "index/merge_worker.h"
#include "index/row.h"
#include "index/serializable.h"
#include "index/upkeep.h"
#include "pg/entry.h"

namespace memory::index {

namespace {

// `heap` is given when the row's text or vector is what it was: there is a dead version of it, or
// soon will be. Logs of codes are not sealed: VACUUM compacts them.
void add(Relation index, Key key, std::span<const codec::Bytes> records, Relation heap) {
    BlockNumber grown = InvalidBlockNumber;
    for (const codec::Bytes record : records) {
        pg::check_for_interrupts(); // a large text has many
        const BlockNumber root = append(index, key, record, heap);
        grown = root != InvalidBlockNumber ? root : grown;
    }
    if (grown != InvalidBlockNumber && payload_of(index) == Payload::texts)
        if (keep_up(index, grown, heap, can_merge_apart(index)))
            start_merging_apart(index, grown);
}

} // namespace

bool insert(Relation index, Datum *values, bool *nulls, ItemPointer tid, Relation heap,
            IndexUniqueCheck, bool unchanged, IndexInfo *info) {
    return pg::entry([&] {
        if (info->ii_AmCache == nullptr)
            info->ii_AmCache = pg::make_in<RowWriter>(info->ii_Context, index, info->ii_Context);
        ScopeKey key;
        const std::span<const codec::Bytes> records =
            static_cast<RowWriter *>(info->ii_AmCache)->write(values, nulls, *tid, key);
        check_for_searches(index, key.bytes());
        const Relation asked = unchanged ? heap : nullptr;
        if (records.size() > 1) {
            // Half a document must not be sealed.
            const TenantLock lock(index, make_root(index, key.bytes()), Wait::yes);
            add(index, key.bytes(), records, asked);
        } else {
            add(index, key.bytes(), records, asked);
        }
        return false;
    });
}

} // namespace memory::index
