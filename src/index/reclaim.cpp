// Reads every page of the index, compares its state with the free space map, and frees lost pages
// under the lock of the tenant that they were written for.
#include "index/reclaim.h"

#include "index/free_space.h"
#include "index/retire.h"
#include "index/upkeep.h"
#include "index/vacuum_delay.h"
#include "pg/memory.h"

#include <unordered_set>

extern "C" {
#include "storage/freespace.h"
#include "storage/indexfsm.h"
}

namespace memory::index {

namespace {

// A segment's page, and whose it says it is.
struct Claim {
    BlockNumber root;
    BlockNumber block;

    bool operator<(const Claim &other) const noexcept {
        return root != other.root ? root < other.root : block < other.block;
    }
};

class Reclaim {
  public:
    Reclaim(Relation index, BufferAccessStrategy strategy, std::pmr::memory_resource *memory)
        : index_(index), strategy_(strategy), claims_(memory), owned_(memory) {}

    Reclaimed run();

  private:
    void correct_map(BlockNumber block, bool free);
    void settle();
    void settle(std::span<const Claim> claims);
    bool accounts_for(BlockNumber root, std::size_t pages) const;
    void free(const Claim &claim);
    void note_owned(BlockNumber root, const Run &run);

    Relation index_;
    BufferAccessStrategy strategy_;
    std::pmr::vector<Claim> claims_;
    bool in_parts_ = false; // there were more claims than memory for them
    std::pmr::unordered_set<BlockNumber> owned_;
    Reclaimed result_;
};

Reclaimed Reclaim::run() {
    const BlockNumber end = pg::call([this] { return RelationGetNumberOfBlocks(index_); });
    const std::size_t most = static_cast<std::size_t>(maintenance_work_mem) * 1024 / sizeof(Claim);
    for (BlockNumber block = meta_block + 1; block < end; ++block) {
        vacuum_delay();
        const std::optional<PageTail> tail = peek(index_, block, strategy_);
        const bool free = !tail || tail->kind == Kind::free;
        result_.free += free ? 1 : 0;
        correct_map(block, free);
        if (!free && tail->kind == Kind::segment)
            claims_.push_back({tail->owner(), block});
        if (claims_.size() >= most) {
            in_parts_ = true;
            settle();
        }
    }
    settle();
    pg::call([this] { IndexFreeSpaceMapVacuum(index_); });
    return result_;
}

// The map, too, may be what it was before a crash.
void Reclaim::correct_map(BlockNumber block, bool free) {
    if (pg::call([=, this] { return GetRecordedFreeSpace(index_, block) > 0; }) == free)
        return;
    if (free)
        note_free(index_, block);
    else
        pg::call([=, this] { RecordUsedIndexPage(index_, block); });
}

void Reclaim::settle() {
    std::sort(claims_.begin(), claims_.end());
    for (auto first = claims_.begin(); first != claims_.end();) {
        const auto last = std::find_if(first, claims_.end(), [first](const Claim &claim) {
            return claim.root != first->root;
        });
        settle(std::span(first, last));
        first = last;
    }
    claims_.clear();
}

// Whether a tenant has exactly so many pages of segments. Of what is retired, some were its log's.
bool Reclaim::accounts_for(BlockNumber root, std::size_t pages) const {
    std::size_t known = 0;
    const Runs runs = read_runs(index_, root);
    for (const Run &run : runs.span()) {
        if (run.state == RunState::retired)
            return false;
        known += run.pages;
    }
    return known == pages;
}

// The claims to one tenant.
void Reclaim::settle(std::span<const Claim> claims) {
    const BlockNumber root = claims.front().root;
    if (!in_parts_ && accounts_for(root, claims.size()))
        return;
    const SegmentsLock merging(index_, root, Wait::yes);
    const TenantLock lock(index_, root, Wait::yes);
    owned_.clear();
    const Runs runs = read_runs(index_, root);
    for (const Run &run : runs.span())
        note_owned(root, run);
    for (const Claim &claim : claims)
        if (!owned_.contains(claim.block))
            free(claim);
}

void Reclaim::note_owned(BlockNumber root, const Run &run) {
    BlockNumber block = run.first;
    for (std::uint32_t left = run.pages; left > 0; --left) {
        vacuum_delay();
        owned_.insert(block);
        const LockedPage page(index_, block, Lock::share);
        if (page.tail().owner() != root)
            throw_corrupt(index_, block, "a page of another tenant in a run");
        block = page.tail().next;
    }
}

void Reclaim::free(const Claim &claim) {
    {
        const LockedPage page(index_, claim.block, Lock::exclusive);
        // It may be another's by now.
        if (page.kind() != Kind::segment || page.tail().owner() != claim.root)
            return;
        PageWrite write(index_);
        mark_free(write, page);
        write.finish();
    }
    offer(index_, claim.block);
    ++result_.free;
    ++result_.newly;
}

} // namespace

Reclaimed reclaim(Relation index, BufferAccessStrategy strategy) {
    pg::TemporaryContext memory("recall index lost pages");
    return Reclaim(index, strategy, memory.resource()).run();
}

} // namespace memory::index
