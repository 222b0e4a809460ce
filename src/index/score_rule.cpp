// Puts Sources into the queries of <@>.
#include "index/score_rule.h"

#include "index/am.h"
#include "index/query.h"
#include "index/text_index.h"
#include "pg/function.h"

extern "C" {
#include "nodes/makefuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "utils/typcache.h"
}

namespace memory::index {

namespace {

constexpr const char *marking_function = "query_for_source";

// A level of a query is known by where it is planned, seen from where the whole statement is.
std::int64_t level_of(const PlannerInfo *root) {
    return reinterpret_cast<std::intptr_t>(root) - reinterpret_cast<std::intptr_t>(root->glob);
}

Source source_of(PlannerInfo *root, const TextIndex &index) {
    if (!index.exists())
        return {};
    return {level_of(root), index.relation, index.index};
}

// The children of a table, or of a UNION ALL, are searched by queries that were made from those of
// their parent, whose Source they keep.
bool is_child(const PlannerInfo *root, const TextIndex &index) {
    return index.relation > 0 && root->append_rel_array != nullptr &&
           index.relation < root->simple_rel_array_size &&
           root->append_rel_array[index.relation] != nullptr;
}

template <class Value>
Const *constant(Oid type, Value value, Datum datum) {
    return makeConst(type, -1, InvalidOid, sizeof value, datum, false, true);
}

// Whether the query has the greatest first of numbers that are made of `text`: <@> has the best
// last there, and no scan does that.
bool orders_descending(PlannerInfo *root, Node *text) {
    const Oid descending = lookup_type_cache(FLOAT8OID, TYPECACHE_GT_OPR)->gt_opr;
    const int all = PVC_RECURSE_AGGREGATES | PVC_RECURSE_WINDOWFUNCS | PVC_RECURSE_PLACEHOLDERS;
    List *columns = pull_var_clause(text, all);
    const ListCell *cell;
    foreach (cell, root->parse->sortClause) {
        auto *clause = lfirst_node(SortGroupClause, cell);
        if (clause->sortop != descending)
            continue;
        Node *number = get_sortgroupclause_expr(clause, root->parse->targetList);
        if (list_intersection(pull_var_clause(number, all), columns) != nullptr)
            return true;
    }
    return false;
}

// What the planner has found out about the text on the left.
struct Marks {
    Source source;
    bool descends = false;
};

Node *marked(Node *query, const Marks &marks, Oid beside) {
    const Source &source = marks.source;
    if (IsA(query, Const)) {
        const auto *given = reinterpret_cast<const Const *>(query);
        QueryView view = query_view(given->constvalue);
        if (view.source == source && view.descends == marks.descends)
            return query;
        auto *copy = static_cast<Const *>(copyObjectImpl(given));
        view.source = source;
        view.descends = marks.descends;
        copy->constvalue = make_query(view);
        return reinterpret_cast<Node *>(copy);
    }
    if (const FuncExpr *call = as_query_through(query, marking_function);
        call != nullptr && is_planned(call))
        query = static_cast<Node *>(linitial(call->args));
    return query_through(
        marking_function, query,
        list_make4(constant(INT8OID, source.level, Int64GetDatum(source.level)),
                   constant(INT4OID, source.relation, Int32GetDatum(source.relation)),
                   constant(OIDOID, source.index, ObjectIdGetDatum(source.index)),
                   constant(BOOLOID, marks.descends, BoolGetDatum(marks.descends))),
        beside);
}

// `text <@> query` with its Source, or nothing if that is as it should be. Inside call().
Node *simplified(const SupportRequestSimplify *request) {
    const FuncExpr *call = request->fcall;
    if (list_length(call->args) != 2)
        return nullptr;
    auto *text = static_cast<Node *>(linitial(call->args));
    auto *query = static_cast<Node *>(lsecond(call->args));
    PlannerInfo *root = request->root; // none for constraints and defaults
    if (is_null(query))
        return nullptr;
    const TextIndex index = root != nullptr ? index_on(root, text, Follow::no) : TextIndex{};
    if (root != nullptr && is_child(root, index))
        return nullptr;
    const Marks marks{source_of(root, index), index.exists() && orders_descending(root, text)};
    Node *with_source = marked(query, marks, call->funcid);
    if (with_source == query)
        return nullptr;
    if (index.exists())
        return index.operation(distance, FLOAT8OID, text, with_source, call->inputcollid);
    auto *without = reinterpret_cast<FuncExpr *>(copyObjectImpl(call));
    without->args = list_make2(text, with_source);
    return reinterpret_cast<Node *>(without);
}

} // namespace

MEMORY_FUNCTION(memory_distance_support) {
    auto *request = reinterpret_cast<Node *>(DatumGetPointer(arguments.datum(0)));
    if (!IsA(request, SupportRequestSimplify))
        return PointerGetDatum(nullptr);
    return PointerGetDatum(pg::call(
        [request] { return simplified(reinterpret_cast<SupportRequestSimplify *>(request)); }));
}

} // namespace memory::index
