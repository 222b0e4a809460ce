// amcostestimate.
#include "index/am.h"
#include "index/dictionary_rule.h"
#include "pg/entry.h"

extern "C" {
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"
}

namespace memory::index {

namespace {

// The scope columns that the path's clauses bind.
int bound_columns(const IndexPath *path) {
    bool bound[INDEX_MAX_KEYS] = {};
    const ListCell *cell;
    foreach (cell, path->indexclauses)
        bound[lfirst_node(IndexClause, cell)->indexcol] = true;
    int count = 0;
    for (int i = 0; i < path->indexinfo->nkeycolumns - 1; ++i)
        count += bound[i] ? 1 : 0;
    return count;
}

} // namespace

void estimate_cost(PlannerInfo *root, IndexPath *path, double loops, Cost *startup, Cost *total,
                   Selectivity *selectivity, double *correlation, double *pages) {
    pg::entry([=] {
        GenericCosts costs{};
        pg::call([&] { genericcostestimate(root, path, loops, &costs); });
        // A tenant is read as a whole before the first row is returned.
        *startup = costs.indexTotalCost;
        *total = costs.indexTotalCost;
        *selectivity = costs.indexSelectivity;
        *correlation = costs.indexCorrelation;
        *pages = costs.numIndexPages;
        // A scan of everybody is an error, and one by another dictionary finds other rows; let any
        // other plan be tried first.
        if (bound_columns(path) < path->indexinfo->nkeycolumns - 1 ||
            means_other_dictionary(path)) {
            *startup += disable_cost;
            *total += disable_cost;
        }
    });
}

} // namespace memory::index
