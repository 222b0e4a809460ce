// memory.highlight: the SQL face of highlight.h.
#include "pg/encoding.h"
#include "pg/function.h"
#include "pg/given.h"
#include "pg/memory.h"
#include "text/server_sql.h"
#include "text/settings_sql.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "text/highlight.h"
#pragma GCC diagnostic pop

namespace memory::text {

namespace {

constexpr std::int64_t longest_fragment = 1'000'000;

pg::Given<std::int64_t> whole_number(const pg::Arguments &arguments, int n, const char *name) {
    const std::optional<Datum> given = arguments.optional(n);
    return {{name}, given ? std::optional(DatumGetInt64(*given)) : std::nullopt};
}

HighlightOptions options_in(const pg::Arguments &arguments) {
    HighlightOptions options;
    if (const auto tag = arguments.text(2))
        options.start_tag = pg::to_utf8(*tag);
    if (const auto tag = arguments.text(3))
        options.end_tag = pg::to_utf8(*tag);
    const std::int64_t fragments = whole_number(arguments, 4, "max_fragments").or_else(0);
    if (fragments < 0)
        throw pg::Error(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
                        "max_fragments must not be negative, but is %lld",
                        static_cast<long long>(fragments))
            .hint("0 is the whole text.");
    options.max_fragments = static_cast<std::size_t>(fragments);
    options.fragment_bytes =
        static_cast<std::size_t>(whole_number(arguments, 6, "fragment_length")
                                     .between(1, longest_fragment)
                                     .or_else(static_cast<std::int64_t>(options.fragment_bytes)));
    options.max_bytes = MaxAllocSize - VARHDRSZ;
    return options;
}

} // namespace

MEMORY_FUNCTION(memory_highlight) {
    const HighlightOptions options = options_in(arguments);
    if (!arguments.has(0) || !arguments.has(1))
        return arguments.null_result();
    const Oid dictionary = arguments.has(5) ? DatumGetObjectId(arguments.datum(5)) : InvalidOid;
    const std::string_view contents = pg::to_utf8(*arguments.text(0));
    const std::string_view query = pg::to_utf8(checked_query(*arguments.text(1)));
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::string marked(&memory);
    if (!highlight(analyzer_for(dictionary), contents, query, options, &memory, marked))
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                        "the text with its tags is longer than %zu bytes", options.max_bytes)
            .hint("Ask for fragments with max_fragments, or use shorter tags.");
    return pg::to_datum(pg::from_utf8(marked));
}

} // namespace memory::text
