// The operators of memory.query: @@@ (does the text match) and <@> (its negative score).
#include "index/options.h"
#include "index/scan.h"
#include "pg/function.h"

namespace memory::index {

namespace {

bool has_common_term(std::span<const text::TermCount> a, std::span<const text::TermCount> b) {
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        const int order = i->term.compare(j->term);
        if (order == 0)
            return true;
        ++(order < 0 ? i : j);
    }
    return false;
}

} // namespace

// For plans that do not use the index.
MEMORY_FUNCTION(memory_matches) {
    pg::ContextResource memory(CurrentMemoryContext);
    Analysis of_text(InvalidOid, &memory);
    Analysis of_query(InvalidOid, &memory);
    const Analysed text = of_text.document(*arguments.text(0));
    const Analysed query = of_query.query(query_view(arguments.datum(1)).text);
    return pg::to_datum(has_common_term(text.terms, query.terms));
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
