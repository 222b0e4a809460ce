// See vector_scan.h.
#include "recall/vector_scan.h"

#include "recall/key_scan.h"
#include "recall/row_id.h"
#include "recall/tables.h"

extern "C" {
#include "access/heapam.h"
}

namespace memory::recall {

VectorScan::VectorScan(const access::Tenant &tenant, std::string_view model, Snapshot snapshot,
                       std::pmr::memory_resource *memory)
    : table_(table_named("embeddings"), AccessShareLock), tenant_(tenant), model_(model),
      snapshot_(snapshot), id_(column(table_.get(), "episode_id")),
      vector_(column(table_.get(), "embedding")), places_(memory), on_page_(memory) {}

bool VectorScan::allowed() const { return readable_whole(table_.get()); }

// The primary key is (namespace, user_id, episode_id, model).
void VectorScan::find_places() {
    const pg::OpenRelation index(primary_key(table_.get()), AccessShareLock);
    std::array keys{equals_text(1, pg::to_datum(tenant_.name_space)),
                    equals_text(2, pg::to_datum(tenant_.user)),
                    equals_text(4, pg::to_datum(model_))};
    KeyScan scan(table_.get(), index.get(), snapshot_, keys);
    while (const auto place = scan.next_place())
        places_.push_back(*place);
    // The order of the keys is nearly that of the table: ids rise with time.
    const auto before = [](const ItemPointerData &a, const ItemPointerData &b) {
        return ItemPointerCompare(const_cast<ItemPointer>(&a), const_cast<ItemPointer>(&b)) < 0;
    };
    if (!std::is_sorted(places_.begin(), places_.end(), before))
        std::sort(places_.begin(), places_.end(), before);
}

std::size_t VectorScan::read_page(const pg::PinnedPage &page, std::size_t from) {
    on_page_.clear();
    const BlockNumber block = ItemPointerGetBlockNumber(&places_[from]);
    std::size_t at = from;
    pg::call([&] {
        const Relation table = table_.get();
        LockBuffer(page.buffer(), BUFFER_LOCK_SHARE);
        for (; at < places_.size() && ItemPointerGetBlockNumber(&places_[at]) == block; ++at) {
            ItemPointerData tid = places_[at];
            HeapTupleData row;
            if (!heap_hot_search_buffer(&tid, table, page.buffer(), snapshot_, &row, nullptr, true))
                continue;
            bool null;
            const Datum id = heap_getattr(&row, id_, RelationGetDescr(table), &null);
            const Datum vector = heap_getattr(&row, vector_, RelationGetDescr(table), &null);
            on_page_.emplace_back(row_id(id), vector);
        }
        LockBuffer(page.buffer(), BUFFER_LOCK_UNLOCK);
    });
    return at;
}

} // namespace memory::recall
