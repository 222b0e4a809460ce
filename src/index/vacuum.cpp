// ambulkdelete and amvacuumcleanup: records of dead rows leave their pages.
//
// The directory is walked leaf by leaf to the right, and each tenant's log page by page. Tenants
// that appear or move behind the walk have no rows that this VACUUM knows to be dead; a split moves
// entries to the right, where the walk is still to come; promotion to a root page keeps the leaf
// locked, and the walk follows the root page that it finds. Nothing is sealed or merged meanwhile:
// this backend holds the tenant's lock.
#include "index/am.h"
#include "index/crash_point.h"
#include "index/document.h"
#include "index/forget.h"
#include "index/packed.h"
#include "index/reclaim.h"
#include "index/upkeep.h"
#include "index/vacuum_delay.h"
#include "pg/entry.h"
#include "pg/error.h"
#include "pg/memory.h"

extern "C" {
#include "commands/progress.h"
#include "commands/vacuum.h"
#include "utils/backend_progress.h"
}

namespace memory::index {

namespace {

class Vacuum {
  public:
    Vacuum(const IndexVacuumInfo *info, IndexBulkDeleteResult *result,
           IndexBulkDeleteCallback is_dead, void *state, std::pmr::memory_resource *memory)
        : index_(info->index), payload_(payload_of(index_)), reports_(info->report_progress),
          result_(result), is_dead_(is_dead), state_(state), roots_(memory), kept_(memory),
          left_(memory) {}

    void run();

  private:
    bool dead(const StoredRecord &record);
    LockedPage vacuum_leaf(LockedPage leaf);
    void vacuum_tenant(const TenantRoot &root);
    void vacuum_log(const TenantRoot &root);
    void vacuum_segment(BlockNumber root, const Run &run);
    void vacuum_packed(BlockNumber root, const Run &run);
    bool gone(const codec::Tid &tid);
    void count(bool dead);
    std::uint32_t keep_living(const LockedPage &page);
    void passed(BlockNumber pages);
    void clean_up_again();
    void tell_what_is_left() const;

    Relation index_;
    Payload payload_;
    bool reports_; // CREATE INDEX CONCURRENTLY, which asks for the rows that there are
    BlockNumber passed_ = 0;
    IndexBulkDeleteResult *result_;
    IndexBulkDeleteCallback is_dead_;
    void *state_;
    std::pmr::vector<TenantRoot> roots_;
    codec::ByteBuffer kept_;
    Room room_;
    std::pmr::vector<BlockNumber> left_; // root pages of tenants that there was no room for
};

bool Vacuum::gone(const codec::Tid &tid) {
    ItemPointerData item = to_item_pointer(tid);
    return is_dead_ != nullptr && pg::call([&] { return is_dead_(&item, state_); });
}

void Vacuum::count(bool dead) { ++(dead ? result_->tuples_removed : result_->num_index_tuples); }

// Whether a record's row is dead; counts it either way.
bool Vacuum::dead(const StoredRecord &record) {
    const bool dead = gone(record.tid);
    if (!record.continued)
        count(dead);
    return dead;
}

// Counts pages for pg_stat_progress_create_index.
void Vacuum::passed(BlockNumber pages) {
    passed_ += pages;
    if (reports_)
        pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_DONE, passed_);
}

void Vacuum::run() {
    if (reports_)
        pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_TOTAL, RelationGetNumberOfBlocks(index_));
    LockedPage leaf = first_page(index_, 0, Lock::exclusive);
    for (;;) {
        leaf = vacuum_leaf(std::move(leaf));
        const RightLink next(index_, leaf);
        leaf.give_back();
        passed(1);
        for (const TenantRoot &root : roots_)
            vacuum_tenant(root);
        roots_.clear();
        if (!next.exists())
            break;
        vacuum_delay();
        leaf = next.follow(Lock::exclusive);
    }
    clean_up_again();
    tell_what_is_left();
}

void Vacuum::tell_what_is_left() const {
    if (const std::optional<NoRoom> &why = room_.why())
        pg::call([&] {
            ereport(WARNING,
                    (errcode(why->sqlstate()),
                     errmsg("index \"%s\" was vacuumed, but not compacted",
                            RelationGetRelationName(index_)),
                     errdetail_internal("%s", why->what()),
                     errhint("When there is room, VACUUM again: until then searches read more.")));
        });
}

// Takes dead records off a leaf, and notes the root pages of its larger tenants.
LockedPage Vacuum::vacuum_leaf(LockedPage leaf) {
    std::array<OffsetNumber, MaxIndexTuplesPerPage> gone;
    int count = 0;
    std::array<std::pair<OffsetNumber, std::uint16_t>, MaxIndexTuplesPerPage> tenants;
    std::size_t changed = 0;
    const OffsetNumber last = last_item(leaf.page());
    for (OffsetNumber at = first_data(leaf); at <= last;) {
        const TenantItem &tenant = tenant_at(index_, leaf, at);
        if (tenant.root != InvalidBlockNumber)
            roots_.push_back({tenant.root, hash_of(key_of(tenant))});
        std::uint16_t kept = 0;
        for (OffsetNumber i = 1; i <= tenant.records; ++i) {
            const auto record = static_cast<OffsetNumber>(at + i);
            if (dead(reading(index_, leaf.block(), [&] {
                    return stored_record(payload_, record_at(index_, leaf, record));
                })))
                gone[static_cast<std::size_t>(count++)] = record;
            else
                ++kept;
        }
        if (kept != tenant.records)
            tenants[changed++] = {at, kept};
        at = end_of_tenant(index_, leaf, at);
    }
    if (count == 0)
        return leaf;
    PageWrite write(index_);
    const Page copy = write.change(leaf);
    for (std::size_t i = 0; i < changed; ++i)
        reinterpret_cast<TenantItem *>(PageGetItem(copy, PageGetItemId(copy, tenants[i].first)))
            ->records = tenants[i].second;
    pg::call([&] { PageIndexMultiDelete(copy, gone.data(), count); });
    write.finish();
    return leaf;
}

void Vacuum::vacuum_tenant(const TenantRoot &root) {
    const SegmentsLock segments(index_, root.block, Wait::yes);
    const TenantLock lock(index_, root.block, Wait::yes);
    vacuum_log(root);
    const Runs runs = read_runs(index_, root.block);
    for (const Run &run : runs.span()) {
        if (run.state == RunState::retired)
            continue;
        if (run.state == RunState::packed)
            vacuum_packed(root.block, run);
        else
            vacuum_segment(root.block, run);
        passed(run.pages);
    }
    const std::uint64_t failures = room_.failures();
    clean_up(index_, root.block, room_);
    if (room_.failures() != failures)
        left_.push_back(root.block);
}

// Once more what there was no room for, after all tenants have given back what they could.
void Vacuum::clean_up_again() {
    room_ = Room();
    for (const BlockNumber root : left_) {
        vacuum_delay();
        const SegmentsLock segments(index_, root, Wait::yes);
        const TenantLock lock(index_, root, Wait::yes);
        clean_up(index_, root, room_);
    }
}

void Vacuum::vacuum_log(const TenantRoot &root) {
    BlockNumber block;
    std::uint32_t pages;
    {
        const LockedPage page = lock_root(index_, root, Lock::exclusive);
        block = root_of(page.page()).tail;
        pages = root_of(page.page()).log_pages;
        if (keep_living(page) > 0)
            replace_records(index_, page, page, kept_);
        passed(1);
    }
    std::optional<std::uint16_t> expected;
    for (; pages > 0; --pages) {
        vacuum_delay();
        const LockedPage page(index_, block, Lock::exclusive, Kind::log, root.block);
        if (expected && log_number(page) != *expected)
            throw_corrupt(index_, block, "a page of a log that is not the one before");
        expected = number_before(page);
        if (keep_living(page) > 0) {
            const LockedPage root_page = lock_root(index_, root.block, Lock::exclusive);
            replace_records(index_, page, root_page, kept_);
        }
        block = page.tail().next;
        passed(1);
    }
}

void Vacuum::vacuum_segment(BlockNumber root, const Run &run) {
    pg::TemporaryContext memory("recall index vacuum of a segment");
    SegmentPages pages(index_, root);
    reading(index_, pages, [&] {
        segment::Segment segment(pages, root_of_segment(run), memory.resource());
        segment.expect(run.documents);
        std::pmr::vector<std::uint32_t> newly_dead(memory.resource());
        for (std::size_t part = 0; part < segment.catalogue().lengths_parts(); ++part) {
            vacuum_delay();
            const auto first = static_cast<std::uint32_t>(part) * segment::documents_per_lengths;
            const std::uint32_t end = first + segment.in_part(part, segment::documents_per_lengths);
            newly_dead.clear();
            for (std::uint32_t ordinal = first; ordinal < end; ++ordinal) {
                if (!segment.alive(ordinal))
                    continue;
                const bool dead = gone(segment.row(ordinal).tid);
                count(dead);
                if (dead)
                    newly_dead.push_back(ordinal);
            }
            if (!newly_dead.empty())
                mark_dead(index_, root, run, segment, part, newly_dead);
        }
    });
}

void Vacuum::vacuum_packed(BlockNumber root, const Run &run) {
    PackedWalk walk(index_, root, run, Lock::exclusive);
    for (;;) {
        walk.let_go();
        vacuum_delay();
        const LockedPage *page = walk.next();
        if (page == nullptr)
            return;
        if (const std::uint32_t removed = keep_living(*page); removed > 0)
            replace_packed(index_, root, run, *page, kept_, removed);
    }
}

// Gathers the records that stay; how many do not.
std::uint32_t Vacuum::keep_living(const LockedPage &page) {
    kept_.clear();
    std::uint32_t removed = 0;
    reading(index_, page.block(), [&] {
        each_stored(payload_, records_of(index_, page), [&](const StoredRecord &record) {
            if (dead(record))
                ++removed;
            else
                kept_.insert(kept_.end(), record.bytes.begin(), record.bytes.end());
        });
    });
    return removed;
}

IndexBulkDeleteResult *result_for(IndexBulkDeleteResult *result) {
    if (result != nullptr)
        return result;
    return static_cast<IndexBulkDeleteResult *>(
        pg::call([] { return palloc0(sizeof(IndexBulkDeleteResult)); }));
}

IndexBulkDeleteResult *run(const IndexVacuumInfo *info, IndexBulkDeleteResult *before,
                           IndexBulkDeleteCallback is_dead, void *state) {
    IndexBulkDeleteResult *result = result_for(before);
    result->num_index_tuples = 0;
    result->estimated_count = false;
    pg::TemporaryContext memory("recall index vacuum");
    Vacuum(info, result, is_dead, state, memory.resource()).run();
    result->num_pages = RelationGetNumberOfBlocks(info->index);
    return result;
}

} // namespace

IndexBulkDeleteResult *bulk_delete(IndexVacuumInfo *info, IndexBulkDeleteResult *result,
                                   IndexBulkDeleteCallback is_dead, void *state) {
    return pg::entry([=] { return run(info, result, is_dead, state); });
}

IndexBulkDeleteResult *cleanup(IndexVacuumInfo *info, IndexBulkDeleteResult *result) {
    return pg::entry([=] {
        // ANALYZE alone needs no count; after bulk_delete() everything has been counted.
        if (info->analyze_only)
            return result;
        IndexBulkDeleteResult *counted =
            result != nullptr ? result : run(info, nullptr, nullptr, nullptr);
        const Reclaimed reclaimed = reclaim(info->index, info->strategy);
        counted->pages_newly_deleted += reclaimed.newly;
        counted->pages_deleted = reclaimed.free;
        counted->pages_free = reclaimed.free;
        return counted;
    });
}

} // namespace memory::index
