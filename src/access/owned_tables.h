// The tables that granting and protecting are about, and the scripts that change them.
#pragma once

#include "pg/spi.h"

// What is the owner's ($1) in the schema, as c: whatever the owner of memory.episodes has there, so
// that a user's own tables, partitions and what a later version makes are not forgotten.
#define OWNERS_TABLES                                                                              \
    " c.relnamespace OPERATOR(pg_catalog.=) 'memory'::pg_catalog.regnamespace"                     \
    " AND c.relowner OPERATOR(pg_catalog.=) $1"                                                    \
    " AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,v,m,f}'::pg_catalog.\"char\"[]) "

namespace memory::access {

// The owner of memory.episodes. Needs a live Spi.
Oid tables_owner();

// Adds a statement, given in parts.
void add(std::pmr::string &script, std::initializer_list<std::string_view> parts);

} // namespace memory::access
