// The operators of memory.query: @@@ (does the text match) and <@> (its negative score).
#include "index/match.h"
#include "index/scan.h"
#include "pg/function.h"

namespace memory::index {

namespace {

// The matcher of a call site.
TextMatcher &matcher_of(pg::Arguments &arguments) {
    FmgrInfo *function = arguments.raw()->flinfo;
    if (function->fn_extra == nullptr)
        function->fn_extra = pg::make_in<TextMatcher>(function->fn_mcxt, function->fn_mcxt);
    return *static_cast<TextMatcher *>(function->fn_extra);
}

} // namespace

// For plans that do not use the index. What dictionary is meant, the planner has put into the
// query.
MEMORY_FUNCTION(memory_matches) {
    const Datum query = arguments.datum(1);
    return pg::to_datum(
        matcher_of(arguments).matches(*arguments.text(0), query, query_view(query).dictionary));
}

// What a scan knows of a row. If the text alone can say whether it matches, that is asked first.
MEMORY_FUNCTION(memory_distance) {
    const std::string_view contents = *arguments.text(0);
    const Datum query = arguments.datum(1);
    const std::optional<Scan::Known> known = Scan::score_of(contents, query);
    if (!known)
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                        "<@> is only known to a scan of a recall index")
            .hint("Order by it, bind every scope column of the index by equality, and see that the "
                  "plan uses the index.");
    const bool is_bag = query_view(query).kind == QueryKind::plain;
    const bool matches =
        known->score > 0 &&
        (is_bag || matcher_of(arguments).matches(contents, query, known->dictionary));
    return Float8GetDatum(matches ? -known->score : 0.0);
}

} // namespace memory::index
