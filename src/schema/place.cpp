// All rows of a table are in the table itself.
#include "schema/place.h"

#include "schema/relations.h"

namespace memory::schema {

Place Place::of_user(const char *table, std::string_view, std::string_view) {
    return {table, require_table(table)};
}

Oid Place::index(const char *name) const { return index_named(name, table_); }

} // namespace memory::schema
