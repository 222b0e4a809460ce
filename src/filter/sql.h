// The fragment of statements that filter (pg/sql.h).
#pragma once

#include "pg/sql.h"

namespace memory::filter {

inline constexpr pg::sql::Fragment fragments[]{
    // {filtered:value,$a,$b,$c}: the jsonb `value` passes the Conditions that are sent as $a to $c.
    // In statements that are planned for the values at hand what is not asked for costs nothing.
    {"filtered", "({1}::jsonb IS NULL OR {0} @> {1}) AND ({2}::jsonpath IS NULL OR {0} @@ {2})"
                 " AND ({3}::jsonb IS NULL OR memory_internal.passes_filter({0}, {3}))"},
};

} // namespace memory::filter
