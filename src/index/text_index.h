// The recall index on a text in an expression that is being planned: the index of the column, or of
// the expression over columns, that the text is. A text with several has the one made first.
//
// Nothing here is for use outside pg::call(): nodes are PostgreSQL's.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "access/stratnum.h"
#include "nodes/pathnodes.h"
}

namespace memory::index {

struct TextIndex {
    Oid index = InvalidOid; // InvalidOid: there is none
    Oid dictionary = InvalidOid;
    Oid family = InvalidOid; // of the text column
    Oid type = InvalidOid;
    int relation = 0; // that the text is of; 0 if it is of none, or of several

    bool exists() const noexcept { return OidIsValid(index); }
    // `text <operator> query`.
    Node *operation(StrategyNumber strategy, Oid result, Node *text, Node *query,
                    Oid collation) const;
};

// Whether the columns of an expression are followed into the subqueries that they come from.
enum class Follow : bool { no, yes };

// The index on `text`, an expression over the relations of `root`'s query.
TextIndex index_on(PlannerInfo *root, Node *text, Follow follow);

// A call of one of our functions on a query and `constants`, as EXPLAIN shows an implicit cast: by
// the query alone. `beside` is a function of the same schema.
Node *query_through(const char *function, Node *query, List *constants, Oid beside);
// The same call, if `node` is one; also of a call that a user has written.
FuncExpr *as_query_through(Node *node, const char *function);
// Whether it is query_through()'s.
inline bool is_planned(const FuncExpr *call) { return call->funcformat == COERCE_IMPLICIT_CAST; }

inline bool is_null(const Node *node) {
    return IsA(node, Const) && reinterpret_cast<const Const *>(node)->constisnull;
}

} // namespace memory::index
