// Which of a tenant's episodes a call is about, in SQL.
#pragma once

#include "access/scope.h"
#include "episodes/columns.h"
#include "recall/request.h"

// The WHERE clause that filter_parameters() are for. Planned for the values at hand, so what is
// not asked for costs nothing.
#define PASSES_FILTER                                                                              \
    "e.namespace OPERATOR(pg_catalog.=) $1 AND e.user_id OPERATOR(pg_catalog.=) $2"                \
    " AND " NOT_EXPIRED                                                                            \
    " AND ($3::pg_catalog.text IS NULL OR session_id OPERATOR(pg_catalog.=) $3)"                   \
    " AND ($4::pg_catalog.text IS NULL OR agent_id OPERATOR(pg_catalog.=) $4)"                     \
    " AND ($5::pg_catalog.text[] IS NULL OR kind OPERATOR(pg_catalog.=) ANY ($5))"                 \
    " AND ($6::pg_catalog.jsonb IS NULL OR metadata OPERATOR(pg_catalog.@>) $6)"                   \
    " AND ($7::pg_catalog.jsonpath IS NULL OR metadata OPERATOR(pg_catalog.@@) $7)"                \
    " AND ($8::pg_catalog.timestamptz IS NULL OR occurred_at OPERATOR(pg_catalog.>=) $8)"          \
    " AND ($9::pg_catalog.timestamptz IS NULL OR occurred_at OPERATOR(pg_catalog.<=) $9)"

namespace memory::recall {

inline std::array<pg::Parameter, 9> filter_parameters(const access::Tenant &tenant,
                                                      const Filter &filter) {
    return {tenant.name_space_parameter(),
            tenant.user_parameter(),
            pg::Parameter::text(filter.session_id),
            pg::Parameter::text(filter.agent_id),
            pg::Parameter::of(TEXTARRAYOID, filter.kinds),
            pg::Parameter::of(JSONBOID, filter.contains),
            pg::Parameter::of(JSONPATHOID, filter.path),
            pg::Parameter::of(TIMESTAMPTZOID, filter.since),
            pg::Parameter::of(TIMESTAMPTZOID, filter.until)};
}

} // namespace memory::recall
