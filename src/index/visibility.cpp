// Looks tids up in the table, and asks the visibility map first.
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

// How the map is laid out; visibilitymap.c keeps that to itself.
constexpr unsigned blocks_per_byte = 8 / BITS_PER_HEAPBLOCK;
constexpr BlockNumber blocks_per_map_page =
    (BLCKSZ - MAXALIGN(SizeOfPageHeaderData)) * blocks_per_byte;
constexpr std::uint8_t all_visible_bits =
    VISIBILITYMAP_ALL_VISIBLE * (1 | 1 << 2 | 1 << 4 | 1 << 6);
static_assert(BITS_PER_HEAPBLOCK == 2);

// Of a range on the map's page `map`: eight bytes at a time, but for those at its ends.
bool all_set(Buffer map, BlockNumber first, BlockNumber last) {
    const auto *contents = PageGetContents(BufferGetPage(map));
    const auto *bytes = reinterpret_cast<const volatile std::uint8_t *>(contents);
    const auto *words = reinterpret_cast<const volatile std::uint64_t *>(contents); // MAXALIGNed
    constexpr BlockNumber bytes_per_word = sizeof *words;
    constexpr std::uint64_t all_visible_words = all_visible_bits * (UINT64_MAX / UINT8_MAX);
    constexpr std::uint64_t all_bits = UINT8_MAX;
    const BlockNumber first_byte = first % blocks_per_map_page / blocks_per_byte;
    const BlockNumber last_byte = last % blocks_per_map_page / blocks_per_byte;
    for (BlockNumber byte = first_byte; byte <= last_byte;) {
        const bool whole =
            byte % bytes_per_word == 0 && byte > first_byte && last_byte - byte >= bytes_per_word;
        std::uint64_t wanted = whole ? all_visible_words : all_visible_bits;
        if (byte == first_byte)
            wanted &= all_bits << first % blocks_per_byte * BITS_PER_HEAPBLOCK;
        if (byte == last_byte)
            wanted &=
                all_bits >> (blocks_per_byte - 1 - last % blocks_per_byte) * BITS_PER_HEAPBLOCK;
        const std::uint64_t bits = whole ? words[byte / bytes_per_word] : bytes[byte];
        if ((bits & wanted) != wanted)
            return false;
        byte += whole ? bytes_per_word : 1;
    }
    return true;
}

// Works inside one call().
bool range_visible(Relation heap, BlockNumber first, BlockNumber last, Buffer *map) {
    while (first <= last) {
        if (!VM_ALL_VISIBLE(heap, first, map))
            return false;
        const BlockNumber end =
            Min(last, first - first % blocks_per_map_page + (blocks_per_map_page - 1));
        if (end > first && !all_set(*map, first, end))
            return false;
        if (end == last)
            return true;
        first = end + 1;
    }
    return true;
}

} // namespace

VisibilityMap::~VisibilityMap() {
    if (BufferIsValid(page_))
        pg::release([this] { ReleaseBuffer(page_); });
}

bool VisibilityMap::all_visible(BlockNumber first, BlockNumber last) {
    return pg::call([=, this] { return range_visible(heap_, first, last, &page_); });
}

void look_up(Relation heap, Snapshot snapshot, Trust trust, std::span<Looked> documents) {
    const TupleTableSlotOps *kind = pg::call([heap] { return table_slot_callbacks(heap); });
    const pg::Slot slot(RelationGetDescr(heap), kind);
    pg::call([&] {
        look_up_all(heap, snapshot, trust, slot.get(), documents.data(),
                    documents.data() + documents.size());
    });
}

} // namespace memory::index
