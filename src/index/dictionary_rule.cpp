// See dictionary_rule.h. The planner calls the support function of memory.matches() when it
// simplifies an expression, in which columns are still known: it puts the dictionary into the
// query. A column with several indexes means the one that was made first.
#include "index/dictionary_rule.h"

#include "index/am.h"
#include "index/options.h"
#include "index/query.h"
#include "pg/function.h"

extern "C" {
#include "access/genam.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
}

namespace memory::index {

namespace {

// What a column's index says.
struct Rule {
    Oid dictionary = InvalidOid;
    Oid matches = InvalidOid; // the operator
};

// What a change of type that changes nothing, or an outer join, has been put around.
Node *bare(Node *node) {
    for (;;) {
        if (IsA(node, RelabelType))
            node = reinterpret_cast<Node *>(reinterpret_cast<RelabelType *>(node)->arg);
        else if (IsA(node, PlaceHolderVar))
            node = reinterpret_cast<Node *>(reinterpret_cast<PlaceHolderVar *>(node)->phexpr);
        else
            return node;
    }
}

// Whether the text of `index` is `text`, an expression over the relation `varno`.
bool is_about(Relation index, Node *text, int varno) {
    const int last = IndexRelationGetNumberOfKeyAttributes(index) - 1;
    const AttrNumber column = index->rd_index->indkey.values[last];
    if (column != 0)
        return IsA(text, Var) && reinterpret_cast<const Var *>(text)->varattno == column;
    auto *expression = static_cast<Node *>(llast(RelationGetIndexExpressions(index)));
    ChangeVarNodes(expression, 1, varno, 0); // it is a copy
    return equal(bare(expression), text);
}

Rule rule_of(Relation index, Oid query_type) {
    const int last = IndexRelationGetNumberOfKeyAttributes(index) - 1;
    return {dictionary_of(index),
            get_opfamily_member(index->rd_opfamily[last], index->rd_opcintype[last], query_type,
                                matches)};
}

// The rule of the first index of a table that is about `text`.
Rule rule_in(Oid table, Node *text, int varno, Oid query_type) {
    Rule rule;
    const Relation heap = table_open(table, AccessShareLock);
    List *indexes = RelationGetIndexList(heap);
    const ListCell *cell;
    bool found = false;
    foreach (cell, indexes) {
        const Relation index = index_open(lfirst_oid(cell), AccessShareLock);
        found = index->rd_indam->ambuild == build && index->rd_index->indisvalid &&
                is_about(index, text, varno);
        if (found)
            rule = rule_of(index, query_type);
        index_close(index, NoLock);
        if (found)
            break;
    }
    list_free(indexes);
    table_close(heap, NoLock);
    return rule;
}

// The only relation whose columns are in `text`; 0 if there is none. A column above an outer join
// also names the join, from PostgreSQL 16 on.
int relation_of(PlannerInfo *root, Node *text) {
    if (IsA(text, Var)) {
        const auto *column = reinterpret_cast<const Var *>(text);
        return column->varlevelsup == 0 ? static_cast<int>(column->varno) : 0;
    }
    int varno = 0;
    return bms_get_singleton_member(pull_varnos(root, text), &varno) ? varno : 0;
}

// The rule for `text`, an expression of `query`; of a subquery's column, that of what it is.
// `root`: who plans the query, if that has begun.
Rule rule_for(PlannerInfo *root, const Query *query, Node *text, Oid query_type) {
    text = bare(text);
    const int varno = relation_of(root, text);
    if (varno <= 0 || varno > list_length(query->rtable))
        return {};
    const RangeTblEntry *entry = rt_fetch(static_cast<Index>(varno), query->rtable);
    if (entry->rtekind == RTE_RELATION)
        return rule_in(entry->relid, text, varno, query_type);
    if (entry->rtekind != RTE_SUBQUERY || !IsA(text, Var) || entry->subquery->setOperations)
        return {};
    check_stack_depth();
    const TargetEntry *column = get_tle_by_resno(entry->subquery->targetList,
                                                 reinterpret_cast<const Var *>(text)->varattno);
    return column == nullptr ? Rule{}
                             : rule_for(nullptr, entry->subquery,
                                        reinterpret_cast<Node *>(column->expr), query_type);
}

constexpr const char *marking_function = "query_for_dictionary";

// The dictionary that a query's expression has been given.
Oid dictionary_in(Node *query) {
    if (IsA(query, Const)) {
        const auto *constant = reinterpret_cast<const Const *>(query);
        return constant->constisnull ? InvalidOid : query_view(constant->constvalue).dictionary;
    }
    if (!IsA(query, FuncExpr))
        return InvalidOid;
    const auto *call = reinterpret_cast<const FuncExpr *>(query);
    if (list_length(call->args) != 2 || !IsA(lsecond(call->args), Const) ||
        strcmp(get_func_name(call->funcid), marking_function) != 0)
        return InvalidOid;
    return DatumGetObjectId(lsecond_node(Const, call->args)->constvalue);
}

Node *marked(Node *query, Oid dictionary, Oid schema) {
    if (IsA(query, Const)) {
        auto *constant = static_cast<Const *>(copyObject(reinterpret_cast<Const *>(query)));
        constant->constvalue = mark_query(constant->constvalue, dictionary);
        return reinterpret_cast<Node *>(constant);
    }
    const Oid type = exprType(query);
    const Oid types[] = {type, REGDICTIONARYOID};
    List *name =
        list_make2(makeString(get_namespace_name(schema)), makeString(pstrdup(marking_function)));
    Const *argument = makeConst(REGDICTIONARYOID, -1, InvalidOid, sizeof(Oid),
                                ObjectIdGetDatum(dictionary), false, true);
    return reinterpret_cast<Node *>(makeFuncExpr(LookupFuncName(name, 2, types, false), type,
                                                 list_make2(query, argument), InvalidOid,
                                                 InvalidOid, COERCE_EXPLICIT_CALL));
}

bool is_null(Node *node) {
    return IsA(node, Const) && reinterpret_cast<const Const *>(node)->constisnull;
}

// `text @@@ query` with the dictionary in the query, or nothing if it is as it should be. Inside
// call().
Node *simplified(const SupportRequestSimplify *request) {
    const FuncExpr *call = request->fcall;
    if (request->root == nullptr || list_length(call->args) != 2)
        return nullptr;
    auto *text = static_cast<Node *>(linitial(call->args));
    auto *query = static_cast<Node *>(lsecond(call->args));
    if (is_null(query) || OidIsValid(dictionary_in(query)))
        return nullptr;
    const Rule rule = rule_for(request->root, request->root->parse, text, exprType(query));
    if (!OidIsValid(rule.dictionary))
        return nullptr;
    const Oid schema = get_func_namespace(call->funcid);
    auto *operation = reinterpret_cast<OpExpr *>(
        make_opclause(rule.matches, BOOLOID, false, reinterpret_cast<Expr *>(text),
                      reinterpret_cast<Expr *>(marked(query, rule.dictionary, schema)), InvalidOid,
                      call->inputcollid));
    set_opfuncid(operation);
    return reinterpret_cast<Node *>(operation);
}

// Inside call().
bool means_other(const IndexPath *path) {
    if (path->indexinfo->hypothetical) // as tools make them up
        return false;
    const int last = path->indexinfo->nkeycolumns - 1;
    Oid dictionary = InvalidOid;
    bool known = false;
    const ListCell *cell;
    foreach (cell, path->indexclauses) {
        const auto *clause = lfirst_node(IndexClause, cell);
        const auto *operation = reinterpret_cast<const OpExpr *>(clause->rinfo->clause);
        if (clause->indexcol != last || !IsA(operation, OpExpr) ||
            get_op_opfamily_strategy(operation->opno, path->indexinfo->opfamily[last]) != matches)
            continue;
        if (!known) {
            const Relation index = index_open(path->indexinfo->indexoid, NoLock);
            dictionary = dictionary_of(index);
            index_close(index, NoLock);
            known = true;
        }
        if (dictionary_in(static_cast<Node *>(lsecond(operation->args))) != dictionary)
            return true;
    }
    return false;
}

} // namespace

bool means_other_dictionary(const IndexPath *path) {
    return pg::call([path] { return means_other(path); });
}

MEMORY_FUNCTION(memory_matches_support) {
    auto *request = reinterpret_cast<Node *>(DatumGetPointer(arguments.datum(0)));
    if (!IsA(request, SupportRequestSimplify))
        return PointerGetDatum(nullptr);
    return PointerGetDatum(pg::call(
        [request] { return simplified(reinterpret_cast<SupportRequestSimplify *>(request)); }));
}

} // namespace memory::index
