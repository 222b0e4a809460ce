// Puts dictionaries into the queries of @@@. The planner calls the support function of
// memory_internal.matches() when it simplifies an expression, in which columns are still known.
#include "index/dictionary_rule.h"

#include "index/am.h"
#include "index/options.h"
#include "index/query.h"
#include "index/text_index.h"
#include "pg/function.h"

extern "C" {
#include "access/genam.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
}

namespace memory::index {

namespace {

constexpr const char *marking_function = "query_for_dictionary";

// The dictionary that a query's expression has been given.
struct Given {
    Oid dictionary = InvalidOid;
    bool by_user = false;
    Node *query; // without it
};

Given given_to(Node *query) {
    if (IsA(query, Const)) {
        const auto *constant = reinterpret_cast<const Const *>(query);
        if (constant->constisnull)
            return {InvalidOid, false, query};
        const QueryView view = query_view(constant->constvalue);
        refuse_floor(view);
        return {view.dictionary, OidIsValid(view.dictionary) && !view.planned, query};
    }
    const FuncExpr *call = as_query_through(query, marking_function);
    if (call == nullptr || !IsA(lsecond(call->args), Const))
        return {InvalidOid, false, query};
    const Oid dictionary = DatumGetObjectId(lsecond_node(Const, call->args)->constvalue);
    return {dictionary, !is_planned(call), static_cast<Node *>(linitial(call->args))};
}

Node *marked(Node *query, Oid dictionary, Oid beside) {
    if (IsA(query, Const)) {
        auto *constant = static_cast<Const *>(copyObject(reinterpret_cast<Const *>(query)));
        QueryView view = query_view(constant->constvalue);
        view.dictionary = dictionary;
        view.planned = OidIsValid(dictionary);
        constant->constvalue = make_query(view);
        return reinterpret_cast<Node *>(constant);
    }
    if (!OidIsValid(dictionary))
        return query;
    Const *argument = makeConst(REGDICTIONARYOID, -1, InvalidOid, sizeof(Oid),
                                ObjectIdGetDatum(dictionary), false, true);
    return query_through(marking_function, query, list_make1(argument), beside);
}

// `text @@@ query` with the dictionary in the query, or nothing if it is as it should be. The
// planner may simplify an expression several times, and at first as if it were of the query around
// its own (convert_EXISTS_to_ANY() does): the last time counts. Inside call().
Node *simplified(const SupportRequestSimplify *request) {
    const FuncExpr *call = request->fcall;
    if (request->root == nullptr || list_length(call->args) != 2)
        return nullptr;
    auto *text = static_cast<Node *>(linitial(call->args));
    const Given given = given_to(static_cast<Node *>(lsecond(call->args)));
    if (is_null(given.query) || given.by_user)
        return nullptr;
    const TextIndex index = index_on(request->root, text, Follow::yes);
    if (index.dictionary == given.dictionary)
        return nullptr;
    Node *query = marked(given.query, index.dictionary, call->funcid);
    if (index.exists())
        return index.operation(matches, BOOLOID, text, query, call->inputcollid);
    auto *plain = reinterpret_cast<FuncExpr *>(copyObjectImpl(call));
    plain->args = list_make2(text, query);
    return reinterpret_cast<Node *>(plain);
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
        if (given_to(static_cast<Node *>(lsecond(operation->args))).dictionary != dictionary)
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
