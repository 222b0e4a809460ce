// A hook on the paths of a relation: where the order is the query's, other paths are taken away.
#include "index/planner.h"

#include "index/am.h"
#include "pg/entry.h"

extern "C" {
#include "nodes/pathnodes.h"
#include "optimizer/paths.h"
}

namespace memory::index {

namespace {

constinit set_rel_pathlist_hook_type previous = nullptr;

bool is_ordered_recall(const Path *path) {
    if (!IsA(path, IndexPath))
        return false;
    const auto *index = reinterpret_cast<const IndexPath *>(path);
    // An access method is known here by its functions only.
    return index->indexorderbys != nullptr &&
           reinterpret_cast<void *>(index->indexinfo->amcostestimate) ==
               reinterpret_cast<void *>(estimate_cost);
}

void keep_ordered_paths(RelOptInfo *relation) {
    List *ordered = nullptr;
    const ListCell *cell;
    foreach (cell, relation->pathlist)
        if (is_ordered_recall(static_cast<const Path *>(lfirst(cell))))
            ordered = lappend(ordered, lfirst(cell));
    if (ordered == nullptr)
        return;
    relation->pathlist = ordered;
    relation->partial_pathlist = nullptr;
    // <@> is computed by the leader, which knows nothing of a worker's scan.
    relation->consider_parallel = false;
    foreach (cell, ordered)
        static_cast<Path *>(lfirst(cell))->parallel_safe = false;
}

void choose_paths(PlannerInfo *root, RelOptInfo *relation, Index place, RangeTblEntry *entry) {
    if (previous != nullptr)
        previous(root, relation, place, entry);
    pg::entry([relation] { pg::call([relation] { keep_ordered_paths(relation); }); });
}

} // namespace

void install_planner_hook() {
    previous = set_rel_pathlist_hook;
    set_rel_pathlist_hook = choose_paths;
}

} // namespace memory::index
