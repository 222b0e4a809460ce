// Fragments of statements that every room uses (pg/sql.h), and the operator _sql of this room. A
// room with fragments of its own adds them in an operator of its own.
#pragma once

#include "pg/sql.h"

namespace memory::access {

inline constexpr pg::sql::Fragment fragments[]{
    // The rows of the tenant. $1 and $2 are always namespace and user; a Tenant is sent as these
    // two.
    {"tenant", "{0}.namespace = $1 AND {0}.user_id = $2"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, fragments>();
}

} // namespace memory::access
