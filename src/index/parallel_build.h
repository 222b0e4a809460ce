// A build by several processes, for CREATE INDEX and REINDEX.
//
// Each scans a part of the table and sorts its records by partition, tenant and row into a file of
// its own. When all have, each takes one partition after another, the largest first, merges what
// the files have of it and writes its tenants: no two processes write to one tenant, and the
// directory is made for many writers. The leader is one of them.
#pragma once

#include "index/build_scan.h"

namespace memory::index {

// How many workers a build should have beside the leader; 0: it is to be serial. What PostgreSQL
// has decided where it does that for access methods but nbtree (since 17), else the same by its
// rules.
int workers_for(Relation heap, Relation index, const IndexInfo *info);

// Nothing if no worker could be had: then nothing has been done.
std::optional<Scanned> build_in_parallel(Relation heap, Relation index, IndexInfo *info,
                                         int workers);

} // namespace memory::index
