// The operator _sql of this room, and its fragments (pg/sql.h).
#pragma once

#include "episodes/sql.h"
#include "filter/sql.h"

namespace memory::recall {

inline constexpr pg::sql::Fragment fragments[]{
    // Which of the tenant's episodes a call is about: $3 to $10 are a Filter. Statements with it
    // are
    // planned for the values at hand, so what is not asked for costs nothing.
    {"passes", "{tenant:{0}} AND {not_expired:{0}}"
               " AND ($3::text IS NULL OR {0}.session_id = $3)"
               " AND ($4::text IS NULL OR {0}.agent_id = $4)"
               " AND ($5::text[] IS NULL OR {0}.kind = ANY ($5))"
               " AND {filtered:{0}.metadata,$6,$7,$8}"
               " AND ($9::timestamptz IS NULL OR {0}.occurred_at >= $9)"
               " AND ($10::timestamptz IS NULL OR {0}.occurred_at <= $10)"},
    // The columns that make a rank::Row.
    {"row",
     "{0}.ctid, {0}.id, {0}.occurred_at, {0}.session_id, {0}.importance, {0}.kind, {0}.role"},
    // The columns of recall_scored() that are the episode's own.
    {"scored",
     "{0}.id, {0}.content, {0}.response, {0}.kind, {0}.role, {0}.session_id, {0}.agent_id,"
     " {0}.occurred_at, {0}.metadata, {0}.importance"},
    // Those of recall().
    {"narrow", "{0}.id, {0}.content, {0}.response, {0}.occurred_at"},
    {"newest", "ORDER BY {0}.occurred_at DESC, {0}.id DESC LIMIT {1} OFFSET {2}"},
    // Vectors of one model, which is $3.
    {"of_model", "{tenant:{0}} AND {0}.model = $3"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments, episodes::fragments,
                       fragments>();
}

} // namespace memory::recall
