// memory.query: what is searched for, as a value of SQL.
#pragma once

#include "index/analysis.h"
#include "pg/backend.h"

namespace memory::index {

// How a query's text is to be read.
enum class QueryKind : std::uint8_t {
    plain // a bag of words: no character is special
};

// On disk and on the wire: a varlena of a kind and the text as it was given, in the database's
// encoding. It is cut into terms by the rules of the index that it meets.
struct QueryView {
    QueryKind kind;
    std::string_view text;
};

QueryView query_view(Datum query);
Datum make_query(QueryKind kind, std::string_view text);

} // namespace memory::index
