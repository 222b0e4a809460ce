// refused: FunctionNeedsSchema
// A function that is neither PostgreSQL's own nor written with its schema.
#include "pg/sql.h"

template <memory::pg::SqlText written>
consteval memory::pg::Sql operator""_sql() {
    return memory::pg::compose<written>();
}

constexpr auto right = "SELECT memory.tokens('a')"_sql;
#ifndef WITHOUT_THE_MISTAKE
constexpr auto wrong = "SELECT tokens('a')"_sql;
#endif
