// Pages that a tenant has no use for any more, kept until no reader can reach them.
//
// Retired pages stay as they are, except that the last page of one run leads to the first of the
// next: so the root page knows at most two runs of them. One run still grows. It is given a horizon
// by a later WAL record than those that retired its pages, so every reader that can still reach
// them has a snapshot no newer than the horizon; then another run begins to grow. Once the horizon
// is older than every snapshot, and standbys have been told (by nbtree's record for the reuse of
// pages, which cancels the queries that could be reading them), the pages become free, a few in one
// WAL record with the root page.
#pragma once

#include "index/tenant.h"

namespace memory::index {

// The FullTransactionId that the next transaction will get.
std::uint64_t next_transaction();

// Makes one run of two of a tenant's: the last page of `front` leads to the first of `back`.
void link(Relation index, BlockNumber root, Run &front, const Run &back);

// Cancels the queries on standbys whose snapshots are not newer than `horizon`, a
// FullTransactionId: they may read what the next record removes from `block`.
void log_conflict(Relation index, BlockNumber block, std::uint64_t horizon);

// Gives the run that still grows its horizon, if there is one and the other is gone.
void stamp_retired(Relation index, BlockNumber root);
void stamp_retired(std::span<Run> runs);

// Frees pages of retired runs whose horizon has passed, about `most`. Under the tenant's lock.
void free_retired(Relation index, BlockNumber root, std::uint32_t most);

} // namespace memory::index
