// Fragments of statements that every room uses (pg/sql.h), and the operator _sql of this room. A
// room with fragments of its own adds them in an operator of its own.
#pragma once

#include "pg/sql.h"

namespace memory::access {

inline constexpr pg::sql::Fragment fragments[]{
    // The rows of the tenant. $1 and $2 are always namespace and user; a Tenant is sent as these
    // two.
    {"tenant", "{0}.namespace = $1 AND {0}.user_id = $2"},
    // A row where namespace $1 has rows of a named user in table {0} (schema::Room).
    {"named_user", "SELECT 1 FROM memory.{0} t WHERE t.namespace = $1 AND t.user_id > '' LIMIT 1"},
    // Of pg_class, what is the owner's ($1) in the schema: whatever the owner of memory.episodes
    // has there, so that a user's own tables, partitions and what a later version makes are not
    // forgotten. What belongs to an extension has rights of its own.
    {"owners_table", "{0}.relnamespace = 'memory'::regnamespace AND {0}.relowner = $1"
                     " AND {0}.relkind = ANY ('{r,p,v,m,f}'::\"char\"[]) AND NOT EXISTS ("
                     "SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_class'::regclass"
                     " AND d.objid = {0}.oid AND d.objsubid = 0 AND d.deptype = 'e')"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, fragments>();
}

} // namespace memory::access
