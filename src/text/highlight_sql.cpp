// memory.highlight: the SQL face of highlight.h.
#include "pg/encoding.h"
#include "pg/function.h"
#include "pg/memory.h"
#include "text/server_sql.h"
#include "text/settings_sql.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "text/highlight.h"
#pragma GCC diagnostic pop

namespace memory::text {

MEMORY_FUNCTION(memory_highlight) {
    HighlightOptions options;
    options.start_tag = pg::to_utf8(*arguments.text(2));
    options.end_tag = pg::to_utf8(*arguments.text(3));
    const std::int64_t fragments = DatumGetInt64(arguments.datum(4));
    if (fragments < 0)
        throw pg::Error(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
                        "max_fragments must not be negative, but is %lld",
                        static_cast<long long>(fragments))
            .hint("0 is the whole text.");
    options.max_fragments = static_cast<std::size_t>(fragments);
    const std::string_view contents = pg::to_utf8(*arguments.text(0));
    const std::string_view query = pg::to_utf8(checked_query(*arguments.text(1)));
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::string marked(&memory);
    options.max_bytes = MaxAllocSize - VARHDRSZ;
    if (!highlight(analyzer_for(InvalidOid), contents, query, options, &memory, marked))
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                        "the text with its tags is longer than %zu bytes", options.max_bytes)
            .hint("Ask for fragments with max_fragments, or use shorter tags.");
    return pg::to_datum(pg::from_utf8(marked));
}

} // namespace memory::text
