// refused: FragmentLacksArgument
// A fragment that is given fewer arguments than it names.
#include "pg/sql.h"

constexpr memory::pg::sql::Fragment fragments[]{{"tenant", "{0}.namespace = $1"}};

template <memory::pg::SqlText written>
consteval memory::pg::Sql operator""_sql() {
    return memory::pg::compose<written, fragments>();
}

constexpr auto right = "SELECT 1 FROM memory.episodes e WHERE {tenant:e}"_sql;
#ifndef WITHOUT_THE_MISTAKE
constexpr auto wrong = "SELECT 1 FROM memory.episodes e WHERE {tenant}"_sql;
#endif
