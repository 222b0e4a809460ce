// The operator _sql of this room, and its fragments (pg/sql.h).
#pragma once

#include "sessions/sql.h"

namespace memory::conversations {

inline constexpr pg::sql::Fragment fragments[]{
    // Two names are the same: the index knows them by their keys.
    {"same", "memory_internal.name_key({0}) = memory_internal.name_key({1}) AND {0} = {1}"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments, sessions::fragments,
                       fragments>();
}

} // namespace memory::conversations
