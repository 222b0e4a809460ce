// The operator _sql of this room, and its fragments (pg/sql.h).
#pragma once

#include "episodes/sql.h"
#include "facts/sql.h"
#include "sessions/sql.h"

namespace memory::context {

inline constexpr pg::sql::Fragment fragments[]{
    // What a prompt shows of an episode.
    {"shown_episode",
     "{0}.id, {0}.id::text, memory_internal.episode_text({0}.content, {0}.response),"
     " {0}.occurred_at, {0}.role"},
    // And of a fact.
    {"shown_fact", "{0}.id, {0}.id::text, {0}.statement, {0}.valid_from"},
    // A time in JSON, in UTC whatever the setting TimeZone says.
    {"json_time",
     "pg_catalog.to_char({0} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments, episodes::fragments,
                       facts::fragments, sessions::fragments, fragments>();
}

} // namespace memory::context
