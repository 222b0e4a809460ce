// amcostestimate.
#include "index/am.h"
#include "index/dictionary_rule.h"
#include "index/scope_key.h"
#include "pg/entry.h"

extern "C" {
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
}

namespace memory::index {

namespace {

// Whether a condition on `column` is one by which the index finds rows: `=` on a scope column, @@@
// on the text. Others it knows are only asked of what was found.
bool finds_rows(const IndexPath *path, int column, const RestrictInfo *condition) {
    const auto *operation = reinterpret_cast<const OpExpr *>(condition->clause);
    const bool is_text = column == path->indexinfo->nkeycolumns - 1;
    return IsA(operation, OpExpr) &&
           (is_text || compares_bytes(path->indexinfo->indexcollations[column])) &&
           get_op_opfamily_strategy(operation->opno, path->indexinfo->opfamily[column]) ==
               (is_text ? matches : equals);
}

// Which columns the path's conditions find rows by. Inside call().
struct Found {
    int scope_columns = 0;
    bool text;
};

Found found_by(const IndexPath *path) {
    bool bound[INDEX_MAX_KEYS] = {};
    const ListCell *cell;
    foreach (cell, path->indexclauses) {
        const auto *clause = lfirst_node(IndexClause, cell);
        const ListCell *condition;
        foreach (condition, clause->indexquals)
            bound[clause->indexcol] |=
                finds_rows(path, clause->indexcol, lfirst_node(RestrictInfo, condition));
    }
    const int last = path->indexinfo->nkeycolumns - 1;
    Found found;
    for (int i = 0; i < last; ++i)
        found.scope_columns += bound[i] ? 1 : 0;
    found.text = bound[last] || path->indexorderbys != nullptr;
    return found;
}

} // namespace

void estimate_cost(PlannerInfo *root, IndexPath *path, double loops, Cost *startup, Cost *total,
                   Selectivity *selectivity, double *correlation, double *pages) {
    pg::entry([=] {
        GenericCosts costs{};
        pg::call([&] { genericcostestimate(root, path, loops, &costs); });
        // All of a tenant is ranked before the first row is returned; what only matches comes as it
        // is asked for.
        *startup = path->indexorderbys != nullptr ? costs.indexTotalCost : costs.indexStartupCost;
        *total = costs.indexTotalCost;
        *selectivity = costs.indexSelectivity;
        *correlation = costs.indexCorrelation;
        *pages = costs.numIndexPages;
        // A scan of all tenants is an error, one by another dictionary finds other rows, and one
        // for the scope alone reads all of a tenant where another index may find one row; let any
        // other plan be tried first.
        const Found found = pg::call([path] { return found_by(path); });
        if (found.scope_columns < path->indexinfo->nkeycolumns - 1 ||
            means_other_dictionary(path) || !found.text) {
            *startup += disable_cost;
            *total += disable_cost;
#if PG_VERSION_NUM >= 180000
            path->path.disabled_nodes += 2; // more than a sequential scan that is not wanted
#endif
        }
    });
}

} // namespace memory::index
