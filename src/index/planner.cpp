// Hooks on the indexes of a relation, of which those of codes are left out, and on its paths: where
// the order is the query's, other paths are taken away.
#include "index/planner.h"

#include "index/am.h"
#include "index/payload.h"
#include "pg/entry.h"

extern "C" {
#include "nodes/pathnodes.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
}

namespace memory::index {

namespace {

constinit set_rel_pathlist_hook_type previous = nullptr;
constinit get_relation_info_hook_type previous_info = nullptr;

// An access method is known here by its functions only.
bool is_recall(const IndexOptInfo *index) {
    return reinterpret_cast<void *>(index->amcostestimate) ==
           reinterpret_cast<void *>(estimate_cost);
}

bool is_ordered_recall(const Path *path) {
    if (!IsA(path, IndexPath))
        return false;
    const auto *index = reinterpret_cast<const IndexPath *>(path);
    return index->indexorderbys != nullptr && is_recall(index->indexinfo);
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

#if PG_VERSION_NUM < 170000
// ORDER BY text <@> query, id: before PostgreSQL 17 an index that orders by an operator must give
// the whole order or none of it. Offered the first key alone, it gives that, and a sort the rest.
void add_paths_of_first_key(PlannerInfo *root, RelOptInfo *relation) {
    List *whole = root->query_pathkeys;
    bool has_index = false;
    const ListCell *cell;
    foreach (cell, relation->indexlist)
        has_index |= is_recall(lfirst_node(IndexOptInfo, cell));
    if (!has_index || list_length(whole) < 2)
        return;
    root->query_pathkeys = list_make1(linitial(whole));
    create_index_paths(root, relation);
    root->query_pathkeys = whole;
}
#endif

void choose_paths(PlannerInfo *root, RelOptInfo *relation, Index place, RangeTblEntry *entry) {
    if (previous != nullptr)
        previous(root, relation, place, entry);
    pg::entry([=] {
        pg::call([=] {
#if PG_VERSION_NUM < 170000
            add_paths_of_first_key(root, relation);
#endif
            keep_ordered_paths(relation);
        });
    });
}

// A plan would find no rows by an estimate: recall reads codes by itself.
void leave_codes_out(RelOptInfo *relation) {
    List *others = nullptr;
    const ListCell *cell;
    foreach (cell, relation->indexlist) {
        auto *index = lfirst_node(IndexOptInfo, cell);
        if (!is_recall(index) ||
            payload_of(index->opcintype[index->nkeycolumns - 1]) == Payload::texts)
            others = lappend(others, index);
    }
    relation->indexlist = others;
}

void choose_indexes(PlannerInfo *root, Oid table, bool inherits, RelOptInfo *relation) {
    if (previous_info != nullptr)
        previous_info(root, table, inherits, relation);
    pg::entry([=] { pg::call([=] { leave_codes_out(relation); }); });
}

} // namespace

void install_planner_hook() {
    previous_info = get_relation_info_hook;
    get_relation_info_hook = choose_indexes;
    previous = set_rel_pathlist_hook;
    set_rel_pathlist_hook = choose_paths;
}

} // namespace memory::index
