// Zeroes the hole of a page, the padding behind its rows, and pages that are free.
//
// A pin on a page is a right to read the rows that it shows, without a lock. No byte of those is
// moved or changed: a content lock is enough, and no cleanup lock is waited for. Redo writes full
// images of heap pages over pages that queries on a standby have pinned in the same way.
//
// The WAL record has the page as it is written. A record of the changes alone would do, as the redo
// of each zeroes the hole; but rows have hint bits, which are not in the WAL, and pages on a
// standby that differ from the primary's by those are to wal_consistency_checking what a generic
// record must not leave behind.
#include "lifecycle/blank.h"

#include "index/remains.h"
#include "pg/call.h"
#include "pg/error.h"

extern "C" {
#include "access/generic_xlog.h"
#include "access/heapam.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"
}

namespace memory::lifecycle {

namespace {

PageHeader header_of(Page page) { return reinterpret_cast<PageHeader>(page); }

bool is_sound(Page page) {
    const auto *header = header_of(page);
    return header->pd_lower >= SizeOfPageHeaderData && header->pd_lower <= header->pd_upper &&
           header->pd_upper <= header->pd_special && header->pd_special <= BLCKSZ;
}

void copy(char *to, const char *from, std::size_t begin, std::size_t end) {
    std::memcpy(to + begin, from + begin, end - begin);
}

// False if a line pointer leads out of the page.
bool copy_rows(Page to, Page from) {
    const auto *header = header_of(from);
    const auto last = static_cast<OffsetNumber>(PageGetMaxOffsetNumber(from));
    for (OffsetNumber at = FirstOffsetNumber; at <= last; ++at) {
        const ItemId item = PageGetItemId(from, at);
        if (!ItemIdHasStorage(item))
            continue;
        const std::size_t begin = ItemIdGetOffset(item);
        const std::size_t end = begin + ItemIdGetLength(item);
        if (begin < header->pd_upper || end > header->pd_special)
            return false;
        copy(to, from, begin, end);
    }
    return true;
}

// What is in use on a page, and zeros.
bool copy_used(Page to, Page from, BlockNumber block, Pages pages) {
    const auto *header = header_of(from);
    std::memset(to, 0, BLCKSZ);
    if (pages == Pages::recall && index::is_free_page(from, block)) {
        copy(to, from, 0, SizeOfPageHeaderData);
        header_of(to)->pd_lower = SizeOfPageHeaderData;
        header_of(to)->pd_upper = header->pd_special;
    } else {
        copy(to, from, 0, header->pd_lower);
        if (pages != Pages::heap)
            copy(to, from, header->pd_upper, header->pd_special);
        else if (!copy_rows(to, from))
            return false;
    }
    copy(to, from, header->pd_special, BLCKSZ);
    return true;
}

// As ItemPointerSet(), whose macro warns of its own conversions.
ItemPointerData place_of(BlockNumber block, OffsetNumber at) {
    return {{static_cast<uint16>(block >> 16), static_cast<uint16>(block & 0xffff)}, at};
}

bool is_dead(Relation heap, Buffer buffer, OffsetNumber at) {
    const Page page = BufferGetPage(buffer);
    const ItemId item = PageGetItemId(page, at);
    if (!ItemIdIsNormal(item))
        return ItemIdIsDead(item); // index entries lead here
    HeapTupleData row{};
    row.t_len = ItemIdGetLength(item);
    row.t_tableOid = RelationGetRelid(heap);
    row.t_data = reinterpret_cast<HeapTupleHeader>(PageGetItem(page, item));
    row.t_self = place_of(BufferGetBlockNumber(buffer), at);
    TransactionId dead_after = InvalidTransactionId;
    const HTSV_Result state = HeapTupleSatisfiesVacuumHorizon(&row, buffer, &dead_after);
    return state == HEAPTUPLE_DEAD || state == HEAPTUPLE_RECENTLY_DEAD;
}

std::int64_t dead_rows(Relation heap, Buffer buffer) {
    const Page page = BufferGetPage(buffer);
    if (PageIsAllVisible(page))
        return 0;
    std::int64_t dead = 0;
    const auto last = static_cast<OffsetNumber>(PageGetMaxOffsetNumber(page));
    for (OffsetNumber at = FirstOffsetNumber; at <= last; ++at)
        dead += is_dead(heap, buffer, at) ? 1 : 0;
    return dead;
}

void write(Relation relation, Buffer buffer, const PGAlignedBlock &used) {
    GenericXLogState *record = GenericXLogStart(relation);
    const Page image = GenericXLogRegisterBuffer(record, buffer, GENERIC_XLOG_FULL_IMAGE);
    std::memcpy(image, used.data, BLCKSZ);
    GenericXLogFinish(record);
}

enum class Outcome { clean, written, damaged };

// Inside call().
Outcome blank_page(Relation relation, BlockNumber block, Pages pages, BufferAccessStrategy ring,
                   Blanked &blanked) {
    const Buffer buffer = ReadBufferExtended(relation, MAIN_FORKNUM, block, RBM_NORMAL, ring);
    LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
    const Page page = BufferGetPage(buffer);
    Outcome outcome = Outcome::clean;
    PGAlignedBlock used;
    if (!PageIsNew(page)) {
        if (pages == Pages::heap && is_sound(page))
            blanked.dead_rows += dead_rows(relation, buffer);
        if (!is_sound(page) || !copy_used(used.data, page, block, pages))
            outcome = Outcome::damaged;
        else if (std::memcmp(used.data, page, BLCKSZ) != 0)
            outcome = Outcome::written;
    }
    if (outcome == Outcome::written)
        write(relation, buffer, used);
    UnlockReleaseBuffer(buffer);
    return outcome;
}

} // namespace

Blanked blank(Relation relation, Pages pages) {
    Blanked blanked;
    const BlockNumber end = pg::call([=] { return RelationGetNumberOfBlocks(relation); });
    const BufferAccessStrategy ring = pg::call([] { return GetAccessStrategy(BAS_VACUUM); });
    for (BlockNumber block = 0; block < end; ++block) {
        pg::check_for_interrupts();
        const Outcome outcome =
            pg::call([&] { return blank_page(relation, block, pages, ring, blanked); });
        if (outcome == Outcome::damaged)
            throw pg::Error(ERRCODE_DATA_CORRUPTED, "page %u of \"%s\" is damaged", block,
                            RelationGetRelationName(relation))
                .hint("amcheck says more: verify_heapam() of a table, bt_index_check() of an "
                      "index.");
        blanked.pages += outcome == Outcome::written ? 1 : 0;
    }
    pg::call([ring] { FreeAccessStrategy(ring); });
    return blanked;
}

} // namespace memory::lifecycle
