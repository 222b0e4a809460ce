// From a tenant to the table or its partition.
#include "schema/place.h"

#include "pg/error.h"
#include "schema/partitions.h"
#include "schema/relations.h"

namespace memory::schema {

Place Place::of_user(const char *table, std::string_view name_space, std::string_view user) {
    const Oid id = require_table(table);
    if (!is_spread(id))
        return {table, id};
    const Oid partition = partition_of(id, name_space, user);
    if (!OidIsValid(partition))
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "a partition of memory.%s is missing", table)
            .hint("\\d+ memory.%s shows those that are there; ALTER TABLE … ATTACH PARTITION "
                  "brings one back.",
                  table);
    return {table, partition};
}

Oid Place::index(const char *name) const {
    const Oid index = index_named(name, table_);
    const bool spread = pg::call([this] { return get_rel_relispartition(relation_); });
    return spread && OidIsValid(index) ? detail::index_of_partition(relation_, index) : index;
}

} // namespace memory::schema
