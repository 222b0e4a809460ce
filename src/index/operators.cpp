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

// Texts against one query after another, nearly always the same: kept from call to call.
class TextMatcher {
  public:
    explicit TextMatcher(MemoryContext memory)
        : resource_(memory), of_text_(InvalidOid, &resource_), of_query_(InvalidOid, &resource_),
          query_(&resource_) {}

    bool matches(std::string_view contents, Datum query) {
        const std::string_view bytes = pg::text_view(query);
        if (bytes != query_ || wanted_.data() == nullptr) {
            query_ = bytes;
            wanted_ = of_query_.query(query_view(query).text).terms;
        }
        return has_common_term(of_text_.document(contents).terms, wanted_);
    }

  private:
    pg::ContextResource resource_;
    Analysis of_text_;
    Analysis of_query_;
    std::pmr::string query_;
    std::span<const text::TermCount> wanted_;
};

} // namespace

// For plans that do not use the index.
MEMORY_FUNCTION(memory_matches) {
    FmgrInfo *function = arguments.raw()->flinfo;
    if (function->fn_extra == nullptr)
        function->fn_extra = pg::make_in<TextMatcher>(function->fn_mcxt, function->fn_mcxt);
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
