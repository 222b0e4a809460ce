// From a tenant to the table, its partition or its shard.
#include "schema/place.h"

#include "pg/error.h"
#include "schema/engine.h"
#include "schema/partitions.h"
#include "schema/relations.h"
#include "schema/shards.h"

namespace memory::schema {

namespace {

// Null: there is no engine.
void *hook() {
    static constinit void **variable = nullptr;
    if (variable == nullptr)
        variable = pg::call([] { return find_rendezvous_variable(MEMORY_SHARD_OF); });
    return *variable;
}

// What an engine says; nothing where there is none, or where it has not spread the table.
std::optional<MemoryShard> shard_of(Oid table, std::string_view name_space, std::string_view user) {
    if (hook() == nullptr) [[likely]]
        return std::nullopt;
    MemoryShard shard{};
    const bool found = pg::call([&] {
        return reinterpret_cast<MemoryShardOf>(hook())(
            table, pnstrdup(name_space.data(), name_space.size()),
            pnstrdup(user.data(), user.size()), &shard);
    });
    return found ? std::optional(shard) : std::nullopt;
}

Oid require_partition(const char *name, Oid table, std::string_view name_space,
                      std::string_view user) {
    const Oid partition = partition_of(table, name_space, user);
    if (!OidIsValid(partition))
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "a partition of memory.%s is missing", name)
            .hint("\\d+ memory.%s shows those that are there; ALTER TABLE … ATTACH PARTITION "
                  "brings one back.",
                  name);
    return partition;
}

} // namespace

bool has_engine() { return hook() != nullptr; }

Place Place::of_user(const char *table, std::string_view name_space, std::string_view user) {
    Place place(table, require_table(table));
    if (const auto shard = shard_of(place.table_, name_space, user)) {
        if (shard->node[0] != '\0')
            throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                            "the rows of this user in memory.%s are on another node", table)
                .hint("Connect to %s.", shard->node);
        std::copy_n(shard->suffix, place.suffix_.size(), place.suffix_.begin());
        place.relation_ = table_named(place.in_shard(table).data());
        if (!OidIsValid(place.relation_))
            throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "shard memory.%s is missing",
                            place.in_shard(table).data())
                .hint("The engine that spreads memory.%s says that it is here.", table);
    } else if (is_in_partitions(place.table_)) {
        place.relation_ = require_partition(table, place.table_, name_space, user);
    }
    return place;
}

Place::Name Place::in_shard(const char *name) const {
    Name full;
    std::snprintf(full.data(), full.size(), "%s%s", name, suffix_.data());
    return full;
}

Oid Place::index(const char *name) const {
    if (suffix_[0] != '\0')
        return index_named(in_shard(name).data(), in_shard(name_).data());
    const Oid index = index_named(name, name_);
    return relation_ == table_ || !OidIsValid(index) ? index
                                                     : detail::index_of_partition(relation_, index);
}

} // namespace memory::schema
