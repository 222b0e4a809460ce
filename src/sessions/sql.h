// Fragments of statements about memory.sessions (pg/sql.h), and the operator _sql of this room.
#pragma once

#include "access/sql.h"
#include "filter/sql.h"

namespace memory::sessions {

inline constexpr pg::sql::Fragment fragments[]{
    // Two names are the same: an index knows them by their keys.
    {"same", "memory_internal.name_key({0}) = memory_internal.name_key({1}) AND {0} = {1}"},
    // The tenant as indexes by time know it, beside {tenant}. An index that began with namespace
    // and user would be taken for one of a session's rows while there are no statistics.
    {"tenant_by_key", "(memory_internal.name_key({0}.user_id) = memory_internal.name_key($2)"
                      " AND memory_internal.name_key({0}.namespace)"
                      " = memory_internal.name_key($1))"},
    // The session of name $3.
    {"named", "{tenant:{0}} AND {0}.session_id = $3 AND {alive:{0}}"},
    // One that has expired (memory.set_retention) is not there.
    {"alive", "{0}.updated_at > memory_internal.alive_since($1, 'session')"},
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
                 " SELECT p.path FROM (SELECT step.path FROM step WHERE step.path IS NOT NULL"
                 " UNION SELECT '' WHERE {0}.messages > 0"
                 " UNION SELECT l.path FROM memory.session_paths l"
                 " WHERE {tenant:l} AND l.session = {0}.key AND l.messages > 0) p"
                 " ORDER BY p.path)"},
    // The columns of type memory.session, in its order.
    {"session", "{0}.session_id, {0}.agent_id, {0}.messages, {0}.last_seq, {0}.version,"
                " {0}.created_at,"
                " {0}.updated_at, {0}.metadata, {paths_of:{0}}"},
    // When a session is written: it never goes back.
    {"later", "greatest({0}.updated_at, now())"},
    // The same where it needs to move, which costs an entry of each index: the order of the user's
    // sessions by it stays right, and it is late by a second at most.
    {"touched", "CASE WHEN {0}.updated_at <= (now() - '1 second'::interval)"
                " OR EXISTS (SELECT FROM memory.sessions o"
                " WHERE {tenant:o} AND {tenant_by_key:o} AND o.updated_at >= {0}.updated_at AND "
                "o.key <> {0}.key)"
                " THEN {later:{0}} ELSE {0}.updated_at END"},
    // What belongs to the session of key $3, and to its path $4.
    {"of_session", "{tenant:{0}} AND {0}.session = $3"},
    {"of_path", "{of_session:{0}} AND {0}.path = $4"},
    // The same by the session's name, $3.
    {"of_named", "{tenant:{0}} AND {0}.session = (SELECT s.key FROM memory.sessions s"
                 " WHERE {named:s})"},
    // A message has one of the keys {1}, if any are asked for. The index knows them by their
    // digests.
    {"any_key", "({1}::text[] IS NULL OR (memory_internal.name_key({0}.key) = ANY (ARRAY("
                "SELECT memory_internal.name_key(w.key) FROM unnest({1}::text[]) w (key)))"
                " AND {0}.key = ANY ({1})))"},
    // The columns of type memory.message behind the session's name, in its order.
    {"message", "{0}.path, {0}.seq, {0}.id, {0}.key, {0}.role,"
                " memory_internal.message_content({0}.message), {0}.message, {0}.run_id,"
                " {0}.occurred_at"},
    // A page of sessions by their column {0}; {1} and {2} are the orders of it and of what is
    // equal.
    {"page", "SELECT {session:s} FROM memory.sessions s"
             " WHERE {tenant:s} AND {alive:s} AND ($4::text[] IS NOT NULL OR {tenant_by_key:s})"
             " AND ($3::text IS NULL OR s.agent_id = $3)"
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
