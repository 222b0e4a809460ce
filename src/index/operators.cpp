// The operators of memory.query: @@@ (does the text match) and <@> (its negative score).
#include "index/match.h"
#include "index/scan.h"
#include "pg/function.h"

namespace memory::index {

// For plans that do not use the index.
MEMORY_FUNCTION(memory_matches) {
    FmgrInfo *function = arguments.raw()->flinfo;
    if (function->fn_extra == nullptr)
        function->fn_extra =
            pg::make_in<TextMatcher>(function->fn_mcxt, InvalidOid, function->fn_mcxt);
    auto *matcher = static_cast<TextMatcher *>(function->fn_extra);
    return pg::to_datum(matcher->matches(*arguments.text(0), arguments.datum(1)));
}

MEMORY_FUNCTION(memory_distance) {
    const std::optional<double> score = Scan::score_of(*arguments.text(0), arguments.datum(1));
    if (!score)
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                        "<@> is only known to a scan of a recall index")
            .hint("Order by it, bind every scope column of the index by equality, and see that the "
                  "plan uses the index.");
    return Float8GetDatum(*score > 0 ? -*score : 0.0);
}

} // namespace memory::index
