// refused: FindsOperatorByPath
// What finds an operator by its name, in whatever schema the caller's search_path has it.
#include "pg/sql.h"

template <memory::pg::SqlText written>
consteval memory::pg::Sql operator""_sql() {
    return memory::pg::compose<written>();
}

constexpr auto right = "SELECT CASE WHEN a <> b THEN a END"_sql;
#ifndef WITHOUT_THE_MISTAKE
constexpr auto wrong = "SELECT nullif(a, b)"_sql;
#endif
