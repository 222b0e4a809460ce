// What reading facts has in common: conditions and columns of statements, and arguments.
#pragma once

#include "pg/function.h"

// Statements are literals, so their pieces are macros. `f` is the alias of memory.facts; $1 and $2
// are the tenant.
#define OF_TENANT(f)                                                                               \
    f ".namespace OPERATOR(pg_catalog.=) $1 AND " f ".user_id OPERATOR(pg_catalog.=) $2"
#define KNOWN_NOW(f) " AND " f ".known_until OPERATOR(pg_catalog.=) 'infinity'"
#define KNOWN_AT(f, time)                                                                          \
    " AND " f ".known_until OPERATOR(pg_catalog.>) " time " AND " f                                \
    ".known_from OPERATOR(pg_catalog.<=) " time
// At any time when it is NULL. What has no end is valid at infinity, too.
#define VALID_AT(f, time)                                                                          \
    " AND (" time " IS NULL OR (" f ".valid_from OPERATOR(pg_catalog.<=) " time " AND (" f         \
    ".valid_until OPERATOR(pg_catalog.>) " time " OR " f                                           \
    ".valid_until OPERATOR(pg_catalog.=) 'infinity'))) "

// `value`, or NULL where it is `nothing`: nullif() finds its operator in the caller's search_path,
// as JOIN … USING and IS DISTINCT FROM do.
#define NULL_WHERE(value, nothing)                                                                 \
    "CASE WHEN " value " OPERATOR(pg_catalog.<>) " nothing " THEN " value " END"

// The columns of type memory.fact, in its order.
#define MEMORY_FACT_COLUMNS(f)                                                                     \
    f ".id, " f ".subject, " f ".predicate, " f ".object, " f ".confidence, " f                    \
      ".valid_from, " NULL_WHERE(                                                                  \
          f ".valid_until",                                                                        \
          "'infinity'") ", " f                                                                     \
                        ".known_from, " NULL_WHERE(                                                \
                            f ".known_until",                                                      \
                            "'infinity'") ", ARRAY(SELECT s.episode_id FROM memory.fact_sources "  \
                                          "s WHERE " OF_TENANT("s") " AND s.fact_id "              \
                                                                    "OPERATOR(pg_catalog.=) " f    \
                                                                    ".id ORDER BY 1), " f          \
                                                                    ".metadata, " NULL_WHERE(      \
                                                                        f ".user_id", "''")

namespace memory::facts {

// The argument k.
std::int32_t row_limit(const pg::Arguments &arguments, int n, std::int32_t without);

// The argument known_at; nothing for the latest belief.
std::optional<Datum> known_at(const pg::Arguments &arguments, int n);

} // namespace memory::facts
