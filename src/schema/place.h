// Where the rows of a user are.
//
// Whatever reads pages or index entries by itself asks here first, and nowhere else is a tenant
// turned into relations: the table itself, the partition that has the user's rows, or the shard of
// an engine that spreads tables (docs/scale.md). Statements go by their own way: they name the
// table and bind namespace and user_id by equality, so that PostgreSQL finds the partition, and an
// engine the shard.
#pragma once

#include "pg/backend.h"

namespace memory::schema {

class Place {
  public:
    // Of the rows that this user has in memory.`table`, a literal; an error when there is no such
    // table, or when the rows are on another node.
    static Place of_user(const char *table, std::string_view name_space, std::string_view user);

    // What has the rows.
    Oid relation() const noexcept { return relation_; }
    // What rights and policies are asked of (readable_whole).
    Oid table() const noexcept { return table_; }
    // What the index memory.`name` is here; InvalidOid when it is not there, an error when the name
    // is that of something else than an index on the table.
    Oid index(const char *name) const;

    bool operator==(const Place &other) const noexcept { return relation_ == other.relation_; }

  private:
    using Name = std::array<char, NAMEDATALEN>;

    Place(const char *name, Oid table) noexcept : name_(name), table_(table), relation_(table) {}

    // What memory.`name` is called in a shard.
    Name in_shard(const char *name) const;

    const char *name_;
    Oid table_;
    Oid relation_;
    Name suffix_{}; // of a shard; else empty
};

} // namespace memory::schema
