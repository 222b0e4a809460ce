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

// Whether the path says anything about the text, by a condition or by its order.
bool concerns_text(const IndexPath *path) {
    if (path->indexorderbys != nullptr)
        return true;
    const ListCell *cell;
    foreach (cell, path->indexclauses)
        if (lfirst_node(IndexClause, cell)->indexcol == path->indexinfo->nkeycolumns - 1)
            return true;
    return false;
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
        // A scan of everybody is an error, one by another dictionary finds other rows, and one for
        // the scope alone reads all of a tenant where another index may find one row; let any other
        // plan be tried first.
        if (bound_columns(path) < path->indexinfo->nkeycolumns - 1 ||
            means_other_dictionary(path) || !concerns_text(path)) {
            *startup += disable_cost;
            *total += disable_cost;
        }
    });
}

} // namespace memory::index
