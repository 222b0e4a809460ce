// The operator _sql of this room, and its fragments (pg/sql.h).
#pragma once

#include "episodes/sql.h"
#include "sessions/sql.h"

namespace memory::conversations {

inline constexpr pg::sql::Fragment fragments[]{
    // The columns of type memory.run, in its order.
    {"run", "{0}.run_id, (SELECT s.session_id FROM memory.sessions s"
            " WHERE {tenant:s} AND s.key = {0}.session), {0}.agent_id, {0}.status, {0}.state,"
            " {0}.requirements, {0}.created_at, {0}.updated_at,"
            " CASE WHEN {0}.user_id <> '' THEN {0}.user_id END"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments, sessions::fragments,
                       episodes::fragments, fragments>();
}

} // namespace memory::conversations
