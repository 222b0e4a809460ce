// The columns of a table, those that it has by whose rows it holds included.
#pragma once

#include "schema/table.h"

namespace memory::schema {

// What every table of users has in front, and what every table of namespaces has of it.
inline constexpr Column tenant_columns[] = {
    {"namespace", Type::name, "NOT NULL",
     "Data of different namespaces is never combined. Default: the setting memory.namespace.",
     Holds::keys, "memory_internal.default_namespace()"},
    {"user_id", Type::name, "NOT NULL",
     "The user that the row belongs to; '' is the anonymous user. Default: the setting "
     "memory.user_id.",
     Holds::keys, "memory_internal.default_user_id()"},
};

constexpr std::span<const Column> leading_columns(Rows rows) noexcept {
    return std::span(tenant_columns)
        .first(rows == Rows::of_users        ? 2
               : rows == Rows::of_namespaces ? 1
                                             : 0);
}

// Calls visit(column) for each.
template <class Visit>
void each_column(const Table &table, Visit &&visit) {
    for (const std::span<const Column> part : {leading_columns(table.rows), table.columns})
        for (const Column &column : part)
            visit(column);
}

} // namespace memory::schema
