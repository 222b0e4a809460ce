// The operator _sql of this room, which has no fragments: its statements are about the catalog.
#pragma once

#include "pg/sql.h"

namespace memory::schema {

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written>();
}

} // namespace memory::schema
