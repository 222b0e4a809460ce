// The access method's callbacks, by the file that defines them.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "access/amapi.h"
#include "access/genam.h"
}

namespace memory::index {

// build.cpp
IndexBuildResult *build(Relation heap, Relation index, IndexInfo *info);
void build_empty(Relation index);
char *build_phase_name(std::int64_t phase);
// insert.cpp
bool insert(Relation index, Datum *values, bool *nulls, ItemPointer tid, Relation heap,
            IndexUniqueCheck unique, bool unchanged, IndexInfo *info);
// scan.cpp
IndexScanDesc begin_scan(Relation index, int keys, int orderings);
void rescan(IndexScanDesc scan, ScanKey keys, int key_count, ScanKey orderings, int ordering_count);
bool get_tuple(IndexScanDesc scan, ScanDirection direction);
std::int64_t get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap);
void end_scan(IndexScanDesc scan);
// vacuum.cpp
IndexBulkDeleteResult *bulk_delete(IndexVacuumInfo *info, IndexBulkDeleteResult *result,
                                   IndexBulkDeleteCallback is_dead, void *state);
IndexBulkDeleteResult *cleanup(IndexVacuumInfo *info, IndexBulkDeleteResult *result);
// cost.cpp
void estimate_cost(PlannerInfo *root, IndexPath *path, double loops, Cost *startup, Cost *total,
                   Selectivity *selectivity, double *correlation, double *pages);
// validate.cpp
bool validate(Oid opclass);

// The strategies of our operator classes.
inline constexpr StrategyNumber equals = 1;
inline constexpr StrategyNumber matches = 2;
inline constexpr StrategyNumber distance = 3;

} // namespace memory::index
