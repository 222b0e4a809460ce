// What predicates are defined as.
#pragma once

#include "pg/spi.h"

namespace memory::facts {

// For SQL: whether subjects have many objects under a predicate of namespace $1.
#define MEMORY_IS_MANY(predicate)                                                                  \
    "EXISTS (SELECT FROM memory.predicates p WHERE p.namespace OPERATOR(pg_catalog.=) $1"          \
    " AND p.predicate OPERATOR(pg_catalog.=) " predicate                                           \
    " AND p.cardinality OPERATOR(pg_catalog.=) 'many')"

// The same; with Access::read as the active snapshot sees it. Needs a live Spi.
bool is_many(const pg::Parameter &name_space, const pg::Parameter &predicate, pg::Access access);

} // namespace memory::facts
