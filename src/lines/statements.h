// The statements by which rows become lines and lines rows: one set for each table, out of its
// description, kept by the backend as all statements are.
#pragma once

#include "pg/spi.h"
#include "schema/table.h"

namespace memory::lines {

struct Statements {
    const schema::Table *table;
    // $1 and $2 are the tenant. The columns of a line, in the order of the key.
    pg::Statement find_rows;
    // The columns of a line are $3 and so on. Writes nothing where the key is there.
    pg::Statement insert;
    // The same; of the row with this key, whether it is the same in all columns, bit for bit.
    pg::Statement compare;
};

Statements &statements_of(const schema::Table &table);

// Calls visit(column) for every column that a line has: PostgreSQL makes generated ones anew.
template <class Visit>
void each_member(const schema::Table &table, Visit &&visit) {
    for (const schema::Column &column : table.columns)
        if (std::string_view(column.rest).find("GENERATED") == std::string_view::npos)
            visit(column);
}

} // namespace memory::lines
