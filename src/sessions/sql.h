// Fragments of statements about memory.sessions (pg/sql.h), and the operator _sql of this room.
#pragma once

#include "access/sql.h"

namespace memory::sessions {

inline constexpr pg::sql::Fragment fragments[]{
    // Whose store the bytes of its checkpoints are in.
    {"store_of", "coalesce({0}.store, {0}.key)"},
    // The conversation and the sub-agents that session {0} has checkpoints of.
    {"paths_of", "'{}'::text[]"},
    // The columns of type memory.session, in its order.
    {"session", "{0}.session_id, {0}.agent_id, 0::bigint, 0::bigint, {0}.version, {0}.created_at,"
                " {0}.updated_at, {0}.metadata, {paths_of:{0}}"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, fragments>();
}

} // namespace memory::sessions
