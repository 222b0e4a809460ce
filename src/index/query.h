// memory.query: what is searched for, as a value of SQL.
#pragma once

#include "index/analysis.h"
#include "pg/backend.h"

namespace memory::index {

// How a query's text is to be read. Values are on disk and on the wire.
enum class QueryKind : std::uint8_t {
    plain = 0,    // a bag of words: no character is special
    websearch = 1 // + - "" * (docs/query.md)
};

// On disk and on the wire: a byte of kind and the text as it was given, in the database's encoding
// (on the wire, the client's). It is cut into terms by the rules of the index that it meets. Inside
// a plan (dictionary_rule.h) the byte may have a flag, and four bytes of a dictionary may follow
// it.
struct QueryView {
    QueryKind kind;
    std::string_view text;
    Oid dictionary = InvalidOid;
};

QueryView query_view(Datum query);
Datum make_query(QueryKind kind, std::string_view text);
// The same query, for texts whose words `dictionary` serves.
Datum mark_query(Datum query, Oid dictionary);

} // namespace memory::index
