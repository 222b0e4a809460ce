// Measures how full the pages are, copies their records, and publishes the run in one record.
#include "index/compact.h"

#include "index/change.h"
#include "index/packed.h"
#include "index/segment_pages.h"
#include "pg/memory.h"

namespace memory::index {

namespace {

constexpr std::uint64_t page_bytes = BLCKSZ - log_start - sizeof(PageTail);

// What is written anew: the root page's records, all pages of the log but the newest, which is
// still added to, and the packed runs. Only VACUUM, which waits for the tenant's lock, changes
// those.
struct FullPages {
    explicit FullPages(std::pmr::memory_resource *memory) : blocks(memory) {}

    void add(BlockNumber block, std::size_t used) {
        blocks.push_back(block);
        ++pages;
        bytes += used;
    }
    void add(const Run &run) {
        packed.all[packed.count++] = run;
        const std::uint64_t room = run.pages * page_bytes;
        pages += run.pages;
        bytes += room - room * run.dead / std::max(run.documents, 1U);
    }
    bool are_thin() const {
        const std::uint64_t room = pages * page_bytes;
        const std::uint64_t gone = room - std::min(room, bytes);
        return gone >= page_bytes && gone * 3 >= room;
    }

    std::pmr::vector<BlockNumber> blocks; // the root page and the log's
    Run log{};                            // the log's, as a run to retire
    Runs packed;
    std::uint64_t pages = 0;
    std::uint64_t bytes = 0; // of records
};

FullPages full_pages(Relation index, BlockNumber root, std::pmr::memory_resource *memory) {
    FullPages full(memory);
    full.log.state = RunState::retired;
    LogWalk walk(index, root);
    const Runs runs = walk.runs();
    if (walk.log_pages() == 0)
        return full; // the root page is the newest, and has never been another
    bool passed_newest = false;
    while (const LockedPage *page = walk.next()) {
        const std::size_t used = records_of(index, *page).size();
        if (page->block() == root) {
            if (used > 0) // else nothing is won: a root page stays
                full.add(root, used);
        } else if (std::exchange(passed_newest, true)) {
            full.log.first = full.log.pages == 0 ? page->block() : full.log.first;
            full.log.last = page->block();
            ++full.log.pages;
            full.add(page->block(), used);
        }
    }
    for (const Run &run : runs.span())
        if (run.state == RunState::packed)
            full.add(run);
    return full;
}

// Copies records into the pages of a run.
class Packer {
  public:
    Packer(Relation index, BlockNumber root, std::pmr::memory_resource *memory)
        : index_(index), root_(root), writer_(index, root), copy_(memory) {}

    // The run; nothing when there are no records. Or NoRoom, and its pages are free again.
    std::optional<Run> pack(const FullPages &full);

  private:
    void copy(const FullPages &full);
    void take(const LockedPage &page) { copy_.assign(records_of(index_, page)); }
    void put(BlockNumber block);

    Relation index_;
    BlockNumber root_;
    SegmentWriter writer_;
    codec::ByteCopy copy_; // of the records of the page in hand, which is not locked any more
    std::uint32_t documents_ = 0;
};

void Packer::put(BlockNumber block) {
    reading(index_, block, [&] {
        codec::CodeRecordReader records(copy_.bytes());
        while (const auto record = records.next()) {
            writer_.append(record->whole);
            ++documents_;
        }
    });
}

void Packer::copy(const FullPages &full) {
    for (const BlockNumber block : full.blocks) {
        if (block == root_)
            take(lock_root(index_, block, Lock::share));
        else
            take(LockedPage(index_, block, Lock::share, Kind::log, root_));
        put(block);
    }
    for (const Run &run : full.packed.span()) {
        PackedWalk walk(index_, root_, run, Lock::share);
        while (const LockedPage *page = walk.next()) {
            const BlockNumber block = page->block();
            take(*page);
            walk.let_go();
            put(block);
        }
    }
}

std::optional<Run> Packer::pack(const FullPages &full) {
    std::optional<NoRoom> none;
    try {
        copy(full);
    } catch (const NoRoom &thrown) {
        none = thrown;
    }
    if (none) {
        none->note_given_back(writer_.give_back());
        throw *none;
    }
    if (documents_ == 0)
        return std::nullopt;
    Run run = writer_.finish();
    run.state = RunState::packed;
    run.documents = documents_;
    return run;
}

} // namespace

void compact(Relation index, BlockNumber root, Room &room) {
    pg::TemporaryContext memory("recall index compaction");
    const FullPages full = full_pages(index, root, memory.resource());
    if (!full.are_thin())
        return;
    Change change;
    change.replaced = full.packed.span();
    change.log = full.log;
    change.root_records_sealed = true;
    if (!has_room(index, root, change))
        return;
    room.rewrite(full.bytes / page_bytes + 1, [&] {
        change.added = Packer(index, root, memory.resource()).pack(full);
        publish(index, root, change);
    });
}

} // namespace memory::index
