// The operator _sql of this room (pg/sql.h).
#pragma once

#include "sessions/sql.h"

namespace memory::conversations {

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments, sessions::fragments>();
}

} // namespace memory::conversations
