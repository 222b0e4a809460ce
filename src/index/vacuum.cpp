// ambulkdelete and amvacuumcleanup: records of dead rows leave their pages.
//
// The directory is walked leaf by leaf to the right, and each tenant's log page by page. Tenants
// that appear or move behind the walk have no rows that this VACUUM knows to be dead; a split moves
// entries to the right, where the walk is still to come; promotion to a root page keeps the leaf
// locked, and the walk follows the root page that it finds.
#include "index/am.h"
#include "index/document.h"
#include "index/tenant.h"
#include "pg/entry.h"
#include "pg/error.h"
#include "pg/memory.h"

extern "C" {
#include "commands/vacuum.h"
}

namespace memory::index {

namespace {

void delay() {
    pg::call([] {
#if PG_VERSION_NUM >= 180000
        vacuum_delay_point(false);
#else
        vacuum_delay_point();
#endif
    });
}

class Vacuum {
  public:
    Vacuum(Relation index, IndexBulkDeleteResult *result, IndexBulkDeleteCallback is_dead,
           void *state, std::pmr::memory_resource *memory)
        : index_(index), result_(result), is_dead_(is_dead), state_(state), roots_(memory),
          kept_(memory) {}

    void run();

  private:
    bool dead(const codec::Record &record);
    LockedPage vacuum_leaf(LockedPage leaf);
    void vacuum_log(BlockNumber root);
    bool keep_living(const LockedPage &page);
    void rewrite(const LockedPage &page, const LockedPage &root);

    Relation index_;
    IndexBulkDeleteResult *result_;
    IndexBulkDeleteCallback is_dead_;
    void *state_;
    std::pmr::vector<BlockNumber> roots_;
    codec::ByteBuffer kept_;
};

// Whether a record's row is dead; counts it either way.
bool Vacuum::dead(const codec::Record &record) {
    ItemPointerData tid = to_item_pointer(record.document.tid);
    const bool gone = is_dead_ != nullptr && pg::call([&] { return is_dead_(&tid, state_); });
    if (!record.continued)
        ++(gone ? result_->tuples_removed : result_->num_index_tuples);
    return gone;
}

void Vacuum::run() {
    LockedPage leaf = first_leaf(index_, Lock::exclusive);
    for (;;) {
        leaf = vacuum_leaf(std::move(leaf));
        const BlockNumber next = leaf.tail().next;
        leaf.give_back();
        for (const BlockNumber root : roots_)
            vacuum_log(root);
        roots_.clear();
        if (next == InvalidBlockNumber)
            return;
        delay();
        leaf = LockedPage(index_, next, Lock::exclusive, Kind::leaf);
    }
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
            roots_.push_back(tenant.root);
        std::uint16_t kept = 0;
        for (OffsetNumber i = 1; i <= tenant.records; ++i) {
            const auto record = static_cast<OffsetNumber>(at + i);
            if (dead(reading(index_, leaf.block(),
                             [&] { return read_record(record_at(index_, leaf, record)); })))
                gone[static_cast<std::size_t>(count++)] = record;
            else
                ++kept;
        }
        if (kept != tenant.records)
            tenants[changed++] = {at, kept};
        at = static_cast<OffsetNumber>(at + 1 + tenant.records);
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

// From the newest page to the root page, which is the first.
void Vacuum::vacuum_log(BlockNumber root) {
    BlockNumber block = root_of(LockedPage(index_, root, Lock::share, Kind::root).page()).tail;
    while (block != root) {
        delay();
        const LockedPage page(index_, block, Lock::exclusive, Kind::log);
        if (keep_living(page)) {
            const LockedPage root_page(index_, root, Lock::exclusive, Kind::root);
            rewrite(page, root_page);
        }
        block = page.tail().next;
    }
    const LockedPage page(index_, root, Lock::exclusive, Kind::root);
    if (keep_living(page))
        rewrite(page, page);
}

// Gathers the records that stay; true when some do not.
bool Vacuum::keep_living(const LockedPage &page) {
    kept_.clear();
    bool some_dead = false;
    const codec::Bytes bytes = records_of(page);
    codec::RecordReader records(bytes);
    reading(index_, page.block(), [&] {
        while (const auto record = records.next()) {
            if (dead(*record)) {
                some_dead = true;
            } else {
                const codec::Bytes stored = bytes_of(bytes, *record);
                kept_.insert(kept_.end(), stored.begin(), stored.end());
            }
        }
    });
    return some_dead;
}

// Leaves only what keep_living() gathered. The generation tells readers who have seen more that the
// visibility map may not be asked about it any longer (ranking.cpp).
void Vacuum::rewrite(const LockedPage &page, const LockedPage &root) {
    PageWrite write(index_);
    const Page copy = write.change(page);
    reinterpret_cast<PageHeader>(copy)->pd_lower =
        static_cast<LocationIndex>(page.kind() == Kind::root ? root_start : log_start);
    std::memcpy(extend_data(copy, kept_.size()), kept_.data(), kept_.size());
    const Page root_copy = page.block() == root.block() ? copy : write.change(root);
    ++tail_of(root_copy).generation;
    write.finish();
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
    Vacuum(info->index, result, is_dead, state, memory.resource()).run();
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
        // After bulk_delete() everything has been counted; ANALYZE alone needs no count.
        if (info->analyze_only || result != nullptr)
            return result;
        return run(info, nullptr, nullptr, nullptr);
    });
}

} // namespace memory::index
