// Where the rows of a user are.
//
// Whatever reads pages or index entries by itself asks here first, and nowhere else is a tenant
// turned into relations: the table itself, or the partition that has the user's rows
// (docs/scale.md). Statements go by their own way: they name the table and bind namespace and
// user_id by equality, so that PostgreSQL finds the partition. Rights and policies are the table's
// (readable_whole).
#pragma once

#include "pg/backend.h"

namespace memory::schema {

class Place {
  public:
    // Of the rows that this user has in memory.`table`, a literal; an error when there is no such
    // table.
    static Place of_user(const char *table, std::string_view name_space, std::string_view user);

    Oid relation() const noexcept { return relation_; }
    // What the index memory.`name` is here; InvalidOid when it is not there, an error when the name
    // is that of something else than an index on the table.
    Oid index(const char *name) const;

    bool operator==(const Place &other) const noexcept { return relation_ == other.relation_; }

  private:
    Place(const char *table, Oid relation) noexcept : table_(table), relation_(relation) {}

    const char *table_;
    Oid relation_;
};

} // namespace memory::schema
