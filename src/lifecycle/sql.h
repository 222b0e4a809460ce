// The operator _sql of this room (pg/sql.h).
#pragma once

#include "access/sql.h"
#include "filter/sql.h"

namespace memory::lifecycle {

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments>();
}

} // namespace memory::lifecycle
