// Fragments of statements about memory.episodes (pg/sql.h), and the operator _sql of this room.
#pragma once

#include "access/sql.h"
#include "filter/sql.h"

namespace memory::episodes {

inline constexpr pg::sql::Fragment fragments[]{
    // Expired episodes are invisible to every call; so are those that were written into a session
    // which has expired.
    {"not_expired", "(({0}.expires_at IS NULL OR {0}.expires_at > statement_timestamp())"
                    " AND ({0}.session_id IS NULL OR {0}.session_id <> ALL (ARRAY({over}))))"},
    // The names of the tenant's sessions that have expired and wait for memory.sweep(): mostly
    // none, which the index on the time of writing knows.
    {"over", "SELECT o.session_id FROM memory.sessions o WHERE {tenant:o}"
             " AND memory_internal.name_key(o.user_id) = memory_internal.name_key($2)"
             " AND memory_internal.name_key(o.namespace) = memory_internal.name_key($1)"
             " AND o.updated_at <= memory_internal.alive_since($1, 'session')"},
    // What memory.consolidate has taken out of recall: it expired before all time, and comes back
    // when its row in memory.merged_episodes goes.
    {"merged", "{0}.expires_at = '-infinity'"},
    // What belongs to the episode $3.
    {"of_episode", "{tenant:{0}} AND {0}.episode_id = $3"},
    // The columns that a caller may give.
    {"written", "namespace, user_id, id, session_id, agent_id, kind, role, content, response,"
                " occurred_at, expires_at, importance, metadata, transcript"},
    // The columns of type memory.episode, in its order.
    {"episode", "{0}.id, CASE WHEN {0}.user_id <> '' THEN {0}.user_id END, {0}.session_id,"
                " {0}.agent_id, {0}.kind, {0}.role, {0}.content, {0}.response, {0}.occurred_at,"
                " {0}.metadata, {0}.importance, {0}.transcript,"
                " CASE WHEN {0}.expires_at < 'infinity' THEN {0}.expires_at END, {0}.recorded_at"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments, fragments>();
}

} // namespace memory::episodes
