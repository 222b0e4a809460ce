// See visibility.h.
#include "index/visibility.h"

#include "pg/call.h"
#include "pg/handles.h"

extern "C" {
#include "access/tableam.h"
#include "access/visibilitymap.h"
}

namespace memory::index {

namespace {

// Works inside one call(): nothing here has a destructor.
void look_up_all(Relation heap, Snapshot snapshot, Trust trust, TupleTableSlot *slot,
                 Looked *document, const Looked *end) {
    IndexFetchTableData *fetch = table_index_fetch_begin(heap);
    Buffer map = InvalidBuffer;
    BlockNumber block = InvalidBlockNumber;
    bool all_visible = false;
    for (; document != end; ++document) {
        if (ItemPointerGetBlockNumber(&document->tid) != block) {
            CHECK_FOR_INTERRUPTS();
            block = ItemPointerGetBlockNumber(&document->tid);
            all_visible = trust == Trust::map_and_heap && VM_ALL_VISIBLE(heap, block, &map);
        }
        document->seen = Seen::yes;
        if (all_visible)
            continue;
        ItemPointerData tid = document->tid;
        bool again = false;
        bool all_dead = false;
        if (!table_index_fetch_tuple(fetch, &tid, snapshot, slot, &again, &all_dead))
            document->seen = all_dead ? Seen::never : Seen::no;
    }
    if (BufferIsValid(map))
        ReleaseBuffer(map);
    table_index_fetch_end(fetch);
}

} // namespace

void look_up(Relation heap, Snapshot snapshot, Trust trust, std::span<Looked> documents) {
    const TupleTableSlotOps *kind = pg::call([heap] { return table_slot_callbacks(heap); });
    const pg::Slot slot(RelationGetDescr(heap), kind);
    pg::call([&] {
        look_up_all(heap, snapshot, trust, slot.get(), documents.data(),
                    documents.data() + documents.size());
    });
}

} // namespace memory::index
