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

// What the text on the left of <@> is a column of, in a plan: a relation of a query level, by the
// first recall index on that text (score_rule.h). Scans and operators with equal Sources of one
// execution are about the same rows.
struct Source {
    std::int64_t level = 0;
    std::int32_t relation = 0;
    Oid index = InvalidOid;

    bool is_known() const noexcept { return OidIsValid(index); }
    friend bool operator==(const Source &, const Source &) = default;
};
static_assert(sizeof(Source) == 16, "a plan's query holds its bytes");

// On disk: a byte of kind, its floor if a flag in that byte says so, and the text as it was given,
// in the database's encoding. (On the wire: a byte 0 or 1, or 2 for a plain one with a floor, the
// floor, and the text in the client's encoding.) It is cut into terms by the rules of the index
// that it meets. Inside a plan the byte has flags for what the planner has found out about the text
// beside the query, which follows it.
struct QueryView {
    QueryKind kind;
    std::string_view text;
    // Of a query that orders: rows of less relevance (rank/diversity.h) are left out; 0: none are.
    double min_relevance = 0;
    Oid dictionary = InvalidOid; // of the index on the text, for @@@ (dictionary_rule.h)
    bool planned = false;        // the planner has put the dictionary there
    Source source;               // for <@>
    bool descends = false;       // <@>: its query has an ORDER BY … DESC of a number of that text
};

QueryView query_view(Datum query);
Datum make_query(QueryKind kind, std::string_view text);
// With all that a view has.
Datum make_query(const QueryView &view);

// A floor is part of an order: an error if a query that is to match or not has one.
void refuse_floor(const QueryView &query);

} // namespace memory::index
