// Stamps runs of retired pages with a horizon, and frees a few of those whose horizon has passed.
#include "index/retire.h"

#include "index/crash_point.h"
#include "index/free_space.h"
#include "pg/error.h"

extern "C" {
#include "access/nbtxlog.h"
#include "access/transam.h"
#include "access/xlog.h"
#include "access/xloginsert.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
}

namespace memory::index {

namespace {

// In one WAL record, besides the root page.
constexpr std::size_t pages_at_once = MAX_GENERIC_XLOG_PAGES - 1;

bool is_behind_all_snapshots(std::uint64_t horizon) {
    return horizon != 0 && pg::call([horizon] {
               return GlobalVisCheckRemovableFullXid(nullptr, FullTransactionIdFromU64(horizon));
           });
}

// The run that still grows, unless another is waiting for its horizon.
std::optional<std::size_t> to_stamp(std::span<const Run> runs) {
    std::optional<std::size_t> growing;
    for (std::size_t place = 0; place < runs.size(); ++place) {
        if (runs[place].state != RunState::retired)
            continue;
        if (runs[place].horizon != 0)
            return std::nullopt;
        growing = place;
    }
    return growing;
}

// Marks the next pages of a run free, in the record that `write` is, and takes them off the run.
// Returns how many; `freed` gets them.
std::size_t free_some(Relation index, BlockNumber root, PageWrite &write, Run &run,
                      std::array<std::optional<LockedPage>, pages_at_once> &freed) {
    std::size_t count = 0;
    for (; count < pages_at_once && run.pages > 0; ++count) {
        freed[count].emplace(index, run.first, Lock::exclusive);
        const Kind kind = freed[count]->kind();
        if (kind != Kind::segment && kind != Kind::log)
            throw_corrupt(index, run.first, "a page of another kind in a retired run");
        if (freed[count]->tail().owner() != root)
            throw_corrupt(index, run.first, "a page of another tenant in a retired run");
        run.first = freed[count]->tail().next;
        --run.pages;
        mark_free(write, *freed[count]);
    }
    return count;
}

// Frees the next pages of the run at `place`, and drops it when it has no more. False when it is
// gone.
bool free_some_of(Relation index, BlockNumber root, std::size_t place) {
    const LockedPage page = lock_root(index, root, Lock::exclusive);
    Runs runs(runs_on(page));
    Run &run = runs.all[place];
    std::array<std::optional<LockedPage>, pages_at_once> freed;
    PageWrite write(index);
    const Page copy = write.change(page);
    const std::size_t count = free_some(index, root, write, run, freed);
    const bool more = run.pages > 0;
    if (!more) {
        std::copy(runs.all.begin() + static_cast<std::ptrdiff_t>(place) + 1,
                  runs.all.begin() + static_cast<std::ptrdiff_t>(runs.count),
                  runs.all.begin() + static_cast<std::ptrdiff_t>(place));
        --runs.count;
    }
    replace_runs(copy, runs.span(), records_of(index, page));
    write.finish();
    crash_point("freed");
    for (std::optional<LockedPage> &one : std::span(freed).first(count)) {
        const BlockNumber block = one->block();
        one.reset();
        offer(index, block);
    }
    return more;
}

} // namespace

void log_conflict(Relation index, BlockNumber block, std::uint64_t horizon) {
    if (!RelationNeedsWAL(index) || !XLogStandbyInfoActive())
        return;
    xl_btree_reuse_page record{};
#if PG_VERSION_NUM >= 160000
    record.locator = index->rd_locator;
    record.snapshotConflictHorizon = FullTransactionIdFromU64(horizon);
#else
    record.node = index->rd_node;
    record.latestRemovedFullXid = FullTransactionIdFromU64(horizon);
#endif
    record.block = block;
    pg::call([&] {
        XLogBeginInsert();
        XLogRegisterData(reinterpret_cast<char *>(&record), SizeOfBtreeReusePage);
        XLogInsert(RM_BTREE_ID, XLOG_BTREE_REUSE_PAGE);
    });
}

std::uint64_t next_transaction() {
    return pg::call([] { return U64FromFullTransactionId(ReadNextFullTransactionId()); });
}

void link(Relation index, BlockNumber root, Run &front, const Run &back) {
    const LockedPage page(index, front.last, Lock::exclusive);
    if (page.tail().owner() != root)
        throw_corrupt(index, front.last, "a page of another tenant in a run");
    PageWrite write(index);
    tail_of(write.change(page)).next = back.first;
    write.finish();
    crash_point("linked");
    front.last = back.last;
    front.pages += back.pages;
}

void stamp_retired(std::span<Run> runs) {
    if (const std::optional<std::size_t> place = to_stamp(runs))
        runs[*place].horizon = next_transaction();
}

void stamp_retired(Relation index, BlockNumber root) {
    const LockedPage page = lock_root(index, root, Lock::exclusive);
    const std::optional<std::size_t> place = to_stamp(runs_on(page));
    if (!place)
        return;
    PageWrite write(index);
    const Page copy = write.change(page);
    runs_of(copy)[*place].horizon = next_transaction();
    seal_root(copy);
    write.finish();
}

void free_retired(Relation index, BlockNumber root, std::uint32_t most) {
    for (std::uint32_t freed = 0; freed < most;) {
        const Runs runs = read_runs(index, root);
        const auto found = std::find_if(runs.span().begin(), runs.span().end(), [](const Run &run) {
            return run.state == RunState::retired && is_behind_all_snapshots(run.horizon);
        });
        if (found == runs.span().end())
            return;
        log_conflict(index, found->first, found->horizon);
        const auto place = static_cast<std::size_t>(found - runs.span().begin());
        do {
            freed += pages_at_once;
            pg::check_for_interrupts();
        } while (free_some_of(index, root, place) && freed < most);
    }
}

} // namespace memory::index
