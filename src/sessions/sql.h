// Fragments of statements about memory.sessions (pg/sql.h), and the operator _sql of this room.
#pragma once

#include "access/sql.h"
#include "filter/sql.h"

namespace memory::sessions {

inline constexpr pg::sql::Fragment fragments[]{
    // Two names are the same: an index knows them by their keys.
    {"same", "memory_internal.name_key({0}) = memory_internal.name_key({1}) AND {0} = {1}"},
    // The session of name $3.
    {"named", "{tenant:{0}} AND {0}.session_id = $3"},
    // Whose store the bytes of its checkpoints are in.
    {"store_of", "coalesce({0}.store, {0}.key)"},
    // What rows of other tables know session {0} by: a Found (sessions.h).
    {"found", "{0}.key, {store_of:{0}}"},
    // The keys of the sessions of store $3: of the one that it was made for, and of its forks.
    {"of_one_store", "(SELECT s.key FROM memory.sessions s WHERE {tenant:s} AND s.key = $3"
                     " UNION ALL"
                     " SELECT s.key FROM memory.sessions s WHERE {tenant:s} AND s.store = $3)"},
    // The first path of session {0}'s checkpoints, by its key, of which {1} is true; by an index.
    {"first_path", "(SELECT c.path FROM memory.checkpoints c"
                   " WHERE {tenant:c} AND c.session = {0}.key AND {1}"
                   " ORDER BY memory_internal.name_key(c.path) LIMIT 1)"},
    // The paths that something of session {0} is stored under, in order: step by step, as a path
    // may have any number of checkpoints.
    {"paths_of", "ARRAY(WITH RECURSIVE step AS (SELECT {first_path:{0},true} AS path"
                 " UNION ALL SELECT {first_path:{0},memory_internal.name_key(c.path)"
                 " > memory_internal.name_key(step.path)} FROM step"
                 " WHERE step.path IS NOT NULL)"
                 " SELECT step.path FROM step WHERE step.path IS NOT NULL ORDER BY step.path)"},
    // The columns of type memory.session, in its order.
    {"session", "{0}.session_id, {0}.agent_id, 0::bigint, 0::bigint, {0}.version, {0}.created_at,"
                " {0}.updated_at, {0}.metadata, {paths_of:{0}}"},
    // When a session is written: it never goes back.
    {"later", "greatest({0}.updated_at, now())"},
    // A page of sessions by their column {0}; {1} and {2} are the orders of it and of what is
    // equal.
    {"page", "SELECT {session:s} FROM memory.sessions s"
             " WHERE {tenant:s} AND ($3::text IS NULL OR s.agent_id = $3)"
             " AND ($4::text[] IS NULL OR s.session_id = ANY ($4))"
             " AND {filtered:s.metadata,$5,$6,$7}"
             " AND ($8::timestamptz IS NULL OR s.{0} >= $8)"
             " AND ($9::timestamptz IS NULL OR s.{0} <= $9)"
             " ORDER BY s.{0} {1}, s.session_id {2} OFFSET $10 LIMIT $11"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments, fragments>();
}

} // namespace memory::sessions
