// refused: OperatorNeedsParentheses
// Operators whose order would change once they are qualified.
#include "pg/sql.h"

template <memory::pg::SqlText written>
consteval memory::pg::Sql operator""_sql() {
    return memory::pg::compose<written>();
}

constexpr auto right = "SELECT a = (b + 1)"_sql;
#ifndef WITHOUT_THE_MISTAKE
constexpr auto wrong = "SELECT a = b + 1"_sql;
#endif
