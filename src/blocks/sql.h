// Fragments of statements about blocks (pg/sql.h), and the operator _sql of this room.
#pragma once

#include "access/sql.h"

namespace memory::blocks {

inline constexpr pg::sql::Fragment fragments[]{
    // The block of name $3.
    {"named", "{tenant:{0}} AND {0}.name = $3"},
    // What names between {1} and {2} name: all that lies below a directory, in bytes.
    {"between", "{0}.name >= {1} AND {0}.name < {2}"},
    // The block of name $3, or what lies below it, between $4 and $5.
    {"in_tree", "{tenant:{0}} AND ({0}.name = $3 OR ({between:{0},$4,$5}))"},
    // The places of the pinned blocks as callers count them: to be joined with blocks {0} as n.
    {"places", "LEFT JOIN (SELECT p.key, row_number() OVER (ORDER BY p.place, p.name) - 1 AS place"
               " FROM memory.blocks p WHERE {tenant:p} AND p.place IS NOT NULL) n"
               " ON n.key = {0}.key"},
    // The columns of type memory.block, in its order; {1} says whether with the content.
    {"block", "{0}.name, CASE WHEN {1} THEN {0}.content END, {0}.version, n.place, {0}.char_limit,"
              " {0}.read_only, {0}.metadata, {0}.chars, {0}.updated_at, {0}.agent_id,"
              " {0}.session_id, CASE WHEN {0}.user_id <> '' THEN {0}.user_id END"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, fragments>();
}

} // namespace memory::blocks
