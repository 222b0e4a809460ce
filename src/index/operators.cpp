// The operators of memory.query: @@@ (does the text match) and <@> (its negative score).
#include "index/match.h"
#include "index/scores.h"
#include "pg/function.h"

extern "C" {
#include "nodes/primnodes.h"
#include "optimizer/optimizer.h"
}

namespace memory::index {

namespace {

// The matcher of a call site.
TextMatcher &matcher_of(pg::Arguments &arguments) {
    FmgrInfo *function = arguments.raw()->flinfo;
    if (function->fn_extra == nullptr)
        function->fn_extra = pg::make_in<TextMatcher>(function->fn_mcxt, function->fn_mcxt);
    return *static_cast<TextMatcher *>(function->fn_extra);
}

// Whether a text is of the row that a scan's own plan node has in hand. In the nodes above it,
// columns are those of the nodes below. Inside call().
bool is_of_scan(const Node *expression) {
    if (expression == nullptr || !IsA(expression, OpExpr))
        return false;
    Node *text = static_cast<Node *>(linitial(reinterpret_cast<const OpExpr *>(expression)->args));
    List *columns = pull_var_clause(text, PVC_RECURSE_AGGREGATES | PVC_RECURSE_WINDOWFUNCS |
                                              PVC_RECURSE_PLACEHOLDERS);
    bool is_it = columns != nullptr;
    const ListCell *cell;
    foreach (cell, columns)
        is_it &= !IS_SPECIAL_VARNO(lfirst_node(Var, cell)->varno);
    list_free(columns);
    return is_it;
}

// A place in a plan where <@> is computed.
struct DistanceSite {
    DistanceSite(const Node *expression, MemoryContext memory)
        : at_scan(pg::call([=] { return is_of_scan(expression); })), matcher(memory) {}

    bool at_scan;
    TextMatcher matcher;
};

DistanceSite &site_of(pg::Arguments &arguments) {
    FmgrInfo *function = arguments.raw()->flinfo;
    if (function->fn_extra == nullptr)
        function->fn_extra =
            pg::make_in<DistanceSite>(function->fn_mcxt, function->fn_expr, function->fn_mcxt);
    return *static_cast<DistanceSite *>(function->fn_extra);
}

// The mistakes that leave <@> without a number, as far as the plan tells them apart.
[[noreturn]] void throw_unknown(const QueryView &query) {
    const char *hint =
        query.descends ? "The best match has the smallest score: ORDER BY it without DESC, and "
                         "without a sign before it."
        : query.source.is_known()
            ? "ORDER BY it, ascending and before all else, in the query that reads the table."
            : "On its left is the text column of a recall index, in the query that reads the table "
              "and not around that.";
    throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                    "<@> is only known to a scan of a recall index that orders by it")
        .hint("%s", hint);
}

} // namespace

// For plans that do not use the index. What dictionary is meant, the planner has put into the
// query.
MEMORY_FUNCTION(memory_matches) {
    const Datum query = arguments.datum(1);
    const QueryView view = query_view(query);
    refuse_floor(view);
    return pg::to_datum(matcher_of(arguments).matches(*arguments.text(0), query, view.dictionary));
}

// What a scan knows of a row. If the text alone can say whether it matches, that is asked first.
MEMORY_FUNCTION(memory_distance) {
    DistanceSite &site = site_of(arguments);
    const std::string_view contents = *arguments.text(0);
    const Datum query = arguments.datum(1);
    const QueryView view = query_view(query);
    const std::optional<Scores::Known> known = Scores::find(
        {contents, query, view.source, arguments.raw()->flinfo->fn_mcxt, site.at_scan});
    if (!known)
        throw_unknown(view);
    const bool is_bag = view.kind == QueryKind::plain;
    const bool matches =
        known->score > 0 && (is_bag || site.matcher.matches(contents, query, known->dictionary));
    return Float8GetDatum(matches ? -known->score : 0.0);
}

} // namespace memory::index
