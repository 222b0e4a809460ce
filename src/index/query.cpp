// The type memory.query: in, out, and made from a text.
#include "index/query.h"

#include "pg/function.h"

namespace memory::index {

namespace {

constexpr std::size_t header = VARHDRSZ + 1;

Datum query_out(Datum query) {
    const QueryView view = query_view(query);
    return pg::call(
        [view] { return CStringGetDatum(pnstrdup(view.text.data(), view.text.size())); });
}

} // namespace

QueryView query_view(Datum query) {
    const std::string_view bytes = pg::text_view(query);
    if (bytes.empty() || bytes[0] != static_cast<char>(QueryKind::plain))
        throw pg::Error(ERRCODE_DATA_CORRUPTED, "a value of type memory.query of unknown kind");
    return {static_cast<QueryKind>(bytes[0]), bytes.substr(1)};
}

Datum make_query(QueryKind kind, std::string_view text) {
    return pg::call([=] {
        auto *query = static_cast<varlena *>(palloc(header + text.size()));
        SET_VARSIZE(query, header + text.size());
        *VARDATA(query) = static_cast<char>(kind);
        std::memcpy(VARDATA(query) + 1, text.data(), text.size());
        return PointerGetDatum(query);
    });
}

MEMORY_FUNCTION(memory_query) { return make_query(QueryKind::plain, *arguments.text(0)); }

MEMORY_FUNCTION(memory_query_in) {
    return make_query(QueryKind::plain, DatumGetCString(arguments.datum(0)));
}

MEMORY_FUNCTION(memory_query_out) { return query_out(arguments.datum(0)); }

} // namespace memory::index
