// Asks the table for rows that are dead to all snapshots, and logs the conflict horizon before
// anything is taken from the index because of them.
#include "index/dead_rows.h"

#include "index/retire.h"
#include "index/visibility.h"

#include <unordered_map>

extern "C" {
#include "access/tableam.h"
#include "access/xlog.h"
#include "utils/snapmgr.h"
}

namespace memory::index {

namespace {

// What the table is asked at once.
constexpr std::size_t most_at_once = 256;

std::uint64_t full_transaction(TransactionId recent) {
    const FullTransactionId next = pg::call([] { return ReadNextFullTransactionId(); });
    std::uint64_t epoch = EpochFromFullTransactionId(next);
    if (recent > XidFromFullTransactionId(next))
        --epoch;
    return epoch << 32 | recent;
}

// Conflict horizon: snapshots older than this xid may still see one of the rows.
TransactionId horizon_of(Relation index, Relation heap, BlockNumber block,
                         std::span<const codec::Tid> dead) {
    std::array<TM_IndexDelete, most_at_once> tids{};
    std::array<TM_IndexStatus, most_at_once> status{};
    for (std::size_t i = 0; i < dead.size(); ++i) {
        tids[i] = {to_item_pointer(dead[i]), static_cast<std::int16_t>(i)};
        status[i].idxoffnum = FirstOffsetNumber; // only for messages
        status[i].knowndeletable = true;
    }
    TM_IndexDeleteOp question{};
    question.irel = index;
    question.iblknum = block;
    question.ndeltids = static_cast<int>(dead.size());
    question.deltids = tids.data();
    question.status = status.data();
    return pg::call([&] { return table_index_delete_tuples(heap, &question); });
}

// Queries on standbys may still see rows that are dead to all snapshots here.
void tell_standbys(Relation index, Relation heap, BlockNumber block,
                   std::span<const codec::Tid> dead) {
    if (!RelationNeedsWAL(index) || !XLogStandbyInfoActive())
        return;
    while (!dead.empty()) {
        const std::size_t count = std::min(most_at_once, dead.size());
        const TransactionId horizon = horizon_of(index, heap, block, dead.first(count));
        if (TransactionIdIsValid(horizon))
            log_conflict(index, block, full_transaction(horizon));
        dead = dead.subspan(count);
    }
}

} // namespace

std::pmr::vector<codec::Tid> find_dead(Relation index, Relation heap, BlockNumber block,
                                       std::span<const codec::Tid> tids,
                                       std::pmr::memory_resource *memory) {
    std::pmr::vector<Looked> rows(memory);
    rows.reserve(tids.size());
    for (const codec::Tid &tid : tids)
        rows.push_back({to_item_pointer(tid), Seen::yes});
    SnapshotData anybody{};
    pg::call([&] { InitNonVacuumableSnapshot(anybody, GlobalVisTestFor(heap)); });
    look_up(heap, &anybody, Trust::map_and_heap, rows);
    std::pmr::vector<codec::Tid> dead(memory);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].seen != Seen::yes)
            dead.push_back(tids[i]);
    tell_standbys(index, heap, block, dead);
    return dead;
}

void Suspects::add(const StoredRecord &record, std::size_t bytes) {
    all_.push_back({record.tid, record.fingerprint, bytes});
}

std::size_t Suspects::ask(Relation index, Relation heap, BlockNumber block) {
    std::pmr::memory_resource *memory = all_.get_allocator().resource();
    std::pmr::unordered_map<std::uint32_t, std::uint32_t> alike(memory);
    for (const Suspect &suspect : all_)
        ++alike[suspect.fingerprint];
    std::pmr::vector<codec::Tid> versions(memory);
    for (const Suspect &suspect : all_)
        if (alike[suspect.fingerprint] > 1)
            versions.push_back(suspect.tid);
    if (versions.empty())
        return 0;
    std::sort(versions.begin(), versions.end());
    dead_ = find_dead(index, heap, block, versions, memory);
    std::size_t bytes = 0;
    for (std::size_t place = 0; place < all_.size(); ++place)
        bytes += is_dead(place) ? all_[place].bytes : 0;
    return bytes;
}

bool Suspects::is_dead(std::size_t place) const {
    return std::binary_search(dead_.begin(), dead_.end(), all_[place].tid);
}

} // namespace memory::index
