// Free pages are noted without an error where the map itself would have to grow.
#include "index/free_space.h"

#include "pg/extend.h"

extern "C" {
#include "storage/freespace.h"
#include "storage/fsm_internals.h"
#include "storage/indexfsm.h"
}

namespace memory::index {

namespace {

constexpr BlockNumber slots = SlotsPerFSMPage;

// The map is a tree, as storage/freespace/README says: a leaf has a slot for each page of the
// index, an inner page one for each page of the map below it. Every page comes right before the
// first one below it. So when the leaf of `block` is there, all is that it takes to note that page.
BlockNumber pages_of_map(BlockNumber block) {
    constexpr int depth = slots >= 1626 ? 3 : 4;
    BlockNumber pages = 0;
    for (int level = 0; level < depth; ++level) {
        block /= slots;
        pages += block + 1;
    }
    return pages;
}

} // namespace

void prepare_map(Relation index, BlockNumber block) {
    if (block % slots == 0)
        pg::extend_fork(index, FSM_FORKNUM, pages_of_map(block));
}

void mark_free(PageWrite &write, const LockedPage &page) {
    PageTail &tail = tail_of(write.change(page));
    tail.kind = Kind::free;
    tail.next = InvalidBlockNumber;
}

void note_free(Relation index, BlockNumber block) {
    if (pg::extend_fork(index, FSM_FORKNUM, pages_of_map(block)))
        pg::call([=] { RecordFreeIndexPage(index, block); });
}

void offer(Relation index, BlockNumber block) {
    note_free(index, block);
    pg::call([=] { FreeSpaceMapVacuumRange(index, block, block + 1); });
}

} // namespace memory::index
