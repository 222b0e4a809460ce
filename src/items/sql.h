// Fragments of statements about memory.items (pg/sql.h), and the operator _sql of this room.
#pragma once

#include "access/sql.h"
#include "filter/sql.h"

namespace memory::items {

inline constexpr pg::sql::Fragment fragments[]{
    // Expired items are invisible to every call.
    {"not_expired", "({0}.expires_at IS NULL OR {0}.expires_at > statement_timestamp())"},
    {"expired", "({0}.expires_at <= statement_timestamp())"},
    // Where it stands among the user's (place/place.h), as indexes know it.
    {"place", "memory_internal.place_key({0}.path, {0}.key)"},
    // Of all items; with it an index is for a statement (tables.cpp): that by place, that by
    // update.
    {"by_place", "{0}.key > ''"},
    {"by_update", "{0}.updated_at > '-infinity'"},
    // The item at place {1}.
    {"placed", "{tenant:{0}} AND {by_place:{0}} AND {place:{0}} = {1}"},
    // Items from place {1} on and before place {2}.
    {"between", "{by_place:{0}} AND {place:{0}} >= {1} AND {place:{0}} < {2}"},
    // Which items a call is about: $3 to $11 are a Choice (choice.h). In statements that are
    // planned
    // for the values at hand what is not asked for costs nothing.
    {"chosen", "{tenant:{0}} AND {by_place:{0}} AND {fits:{0}}"},
    {"fits", "($3::bytea IS NULL OR {place:{0}} >= $3)"
             " AND ($4::bytea IS NULL OR {place:{0}} < $4)"
             " AND ($5::text[] IS NULL OR CASE WHEN $6 THEN {0}.path = $5"
             " ELSE {0}.path[1:cardinality($5)] = $5 END)"
             " AND ($7::text[] IS NULL OR {0}.key = ANY ($7))"
             " AND {filtered:{0}.value,$8,$9,$10}"
             " AND ($11::timestamptz IS NULL OR {0}.updated_at < $11)"},
    // The columns of type memory.item, in its order.
    {"item", "{0}.path, {0}.key, {0}.value, {0}.version, {0}.created_at, {0}.updated_at,"
             " {0}.expires_at, CASE WHEN {0}.user_id <> '' THEN {0}.user_id END"},
    // The order of index items_by_update.
    {"newest", "ORDER BY {0}.updated_at DESC, memory_internal.place_order({0}.path, {0}.key)"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments, fragments>();
}

} // namespace memory::items
