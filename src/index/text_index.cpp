// Looks for the relation that a text in an expression is of, and through its indexes.
#include "index/text_index.h"

#include "index/am.h"
#include "index/options.h"
#include "index/payload.h"

extern "C" {
#include "access/genam.h"
#include "catalog/pg_inherits.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
}

namespace memory::index {

namespace {

// What a change of type that changes nothing, or an outer join, has been put around.
Node *bare(Node *node) {
    for (;;)
        if (IsA(node, RelabelType))
            node = reinterpret_cast<Node *>(reinterpret_cast<RelabelType *>(node)->arg);
        else if (IsA(node, PlaceHolderVar))
            node = reinterpret_cast<Node *>(reinterpret_cast<PlaceHolderVar *>(node)->phexpr);
        else
            return node;
}

// From PostgreSQL 16 on a column above an outer join names the join as well.
Node *without_joins([[maybe_unused]] PlannerInfo *root, Node *text) {
#if PG_VERSION_NUM >= 160000
    return remove_nulling_relids(text, pull_varnos(root, text), nullptr);
#else
    return text;
#endif
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

// The dictionary of an index; of a partitioned one, which nothing is ever built by, that of its
// first part.
Oid dictionary_in(Relation index) {
    if (index->rd_rel->relkind != RELKIND_PARTITIONED_INDEX)
        return dictionary_of(index);
    List *parts = find_inheritance_children(RelationGetRelid(index), AccessShareLock);
    if (parts == nullptr)
        return dictionary_of(index);
    const Relation part = index_open(linitial_oid(parts), NoLock);
    const Oid found = dictionary_in(part);
    index_close(part, NoLock);
    list_free(parts);
    return found;
}

void describe(Relation index, TextIndex &found) {
    const int last = IndexRelationGetNumberOfKeyAttributes(index) - 1;
    found.index = RelationGetRelid(index);
    found.dictionary = dictionary_in(index);
    found.family = index->rd_opfamily[last];
    found.type = index->rd_opcintype[last];
}

// The first index of a table that is about `text`.
TextIndex index_in(Oid table, Node *text, int varno) {
    TextIndex found;
    found.relation = varno;
    const Relation heap = table_open(table, AccessShareLock);
    List *indexes = RelationGetIndexList(heap);
    const ListCell *cell;
    foreach (cell, indexes) {
        const Relation index = index_open(lfirst_oid(cell), AccessShareLock);
        if (index->rd_indam->ambuild == build && index->rd_index->indisvalid &&
            payload_of(index) == Payload::texts && is_about(index, text, varno))
            describe(index, found);
        index_close(index, NoLock);
        if (found.exists())
            break;
    }
    list_free(indexes);
    table_close(heap, NoLock);
    return found;
}

// The only relation whose columns are in `text`; 0 if there is none.
int relation_of(PlannerInfo *root, Node *text) {
    if (IsA(text, Var)) {
        const auto *column = reinterpret_cast<const Var *>(text);
        return column->varlevelsup == 0 ? static_cast<int>(column->varno) : 0;
    }
    int varno = 0;
    return bms_get_singleton_member(pull_varnos(root, text), &varno) ? varno : 0;
}

// `root`: that plans the query, if that has begun.
TextIndex index_of(PlannerInfo *root, const Query *query, Node *text, Follow follow) {
    text = bare(without_joins(root, bare(text)));
    const int varno = relation_of(root, text);
    if (varno <= 0 || varno > list_length(query->rtable))
        return {};
    const RangeTblEntry *entry = rt_fetch(static_cast<Index>(varno), query->rtable);
    if (entry->rtekind == RTE_RELATION)
        return index_in(entry->relid, text, varno);
    if (follow == Follow::no || entry->rtekind != RTE_SUBQUERY || !IsA(text, Var) ||
        entry->subquery->setOperations)
        return {};
    check_stack_depth();
    const TargetEntry *column = get_tle_by_resno(entry->subquery->targetList,
                                                 reinterpret_cast<const Var *>(text)->varattno);
    return column == nullptr
               ? TextIndex{}
               : index_of(nullptr, entry->subquery, reinterpret_cast<Node *>(column->expr), follow);
}

} // namespace

Node *TextIndex::operation(StrategyNumber strategy, Oid result, Node *text, Node *query,
                           Oid collation) const {
    auto *made = reinterpret_cast<OpExpr *>(make_opclause(
        get_opfamily_member(family, type, exprType(query), static_cast<int16>(strategy)), result,
        false, reinterpret_cast<Expr *>(text), reinterpret_cast<Expr *>(query), InvalidOid,
        collation));
    set_opfuncid(made);
    return reinterpret_cast<Node *>(made);
}

TextIndex index_on(PlannerInfo *root, Node *text, Follow follow) {
    return index_of(root, root->parse, text, follow);
}

Node *query_through(const char *function, Node *query, List *constants, Oid beside) {
    Oid types[FUNC_MAX_ARGS];
    List *arguments = lcons(query, constants);
    for (int i = 0; i < list_length(arguments); ++i)
        types[i] = exprType(static_cast<Node *>(list_nth(arguments, i)));
    List *name = list_make2(makeString(get_namespace_name(get_func_namespace(beside))),
                            makeString(pstrdup(function)));
    return reinterpret_cast<Node *>(
        makeFuncExpr(LookupFuncName(name, list_length(arguments), types, false), exprType(query),
                     arguments, InvalidOid, InvalidOid, COERCE_IMPLICIT_CAST));
}

FuncExpr *as_query_through(Node *node, const char *function) {
    if (!IsA(node, FuncExpr))
        return nullptr;
    auto *call = reinterpret_cast<FuncExpr *>(node);
    const char *name = get_func_name(call->funcid);
    const bool is_it = name != nullptr && strcmp(name, function) == 0 &&
                       list_length(call->args) >= 2 &&
                       exprType(node) == exprType(static_cast<Node *>(linitial(call->args)));
    return is_it ? call : nullptr;
}

} // namespace memory::index
