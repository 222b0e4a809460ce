// Pages that a tenant has no use for any more, until nobody can be reading them.
//
// Retired pages stay as they are, but that the last of one run leads to the first of the next: so
// the root page knows two runs of them at most, however many there are. One still grows. When it is
// given a horizon, by a later record than those that retired its pages, whoever can still come to
// them has a snapshot that is not newer than that; another run begins to grow. Once the horizon is
// behind everybody, and standbys have been told (by nbtree's record for the reuse of pages, which
// cancels the queries that could be reading them), the pages become free, a few in one WAL record
// with the root page.
#pragma once

#include "index/tenant.h"

namespace memory::index {

// The FullTransactionId that the next transaction will get.
std::uint64_t next_transaction();

// Makes one run of two of a tenant's: the last page of `front` leads to the first of `back`.
void link(Relation index, BlockNumber root, Run &front, const Run &back);

// Cancels the queries on standbys whose snapshots are not behind `horizon`, a FullTransactionId:
// whoever could see what the next record takes away. `block` is where that was.
void log_conflict(Relation index, BlockNumber block, std::uint64_t horizon);

// Gives the run that still grows its horizon, if there is one and the other is gone.
void stamp_retired(Relation index, BlockNumber root);
void stamp_retired(std::span<Run> runs);

// Frees retired runs whose horizon has passed. Under the tenant's lock.
void free_retired(Relation index, BlockNumber root);

} // namespace memory::index
