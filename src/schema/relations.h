// Our tables and their indexes, opened by their names; and whether the caller may read one whole.
//
// What has one of our names need not be what memory.init() made: users own the tables, may drop,
// rename and alter them, and may have made others of these names before. Whatever reads pages or
// index entries by itself opens relations here, where it is checked that they are of the kind, and
// their columns of the types, that it reads.
#pragma once

#include "pg/column.h"
#include "pg/handles.h"
#include "schema/place.h"

namespace memory::schema {

// Schema memory.
Oid memory_schema();

// The table's oid; InvalidOid when there is none. An error when the name is that of something else
// than an ordinary table or one in partitions (partitions.h).
Oid table_named(const char *name);

// The table's oid and its owner; an error when there is no such table, which says what to run.
Oid require_table(const char *name);
Oid owner_of(const char *table);

// The index's; an error when the name is that of something else than an index on memory.`table`.
Oid index_named(const char *name, const char *table);

// An ordinary table whose rows are in heap pages, open.
class OpenTable {
  public:
    OpenTable(const Place &place, LOCKMODE lock);

    const Place &place() const noexcept { return place_; }
    Relation get() const noexcept { return table_.get(); }
    Oid id() const noexcept { return RelationGetRelid(get()); }
    const char *name() const noexcept { return RelationGetRelationName(get()); }

    // The number of a column whose values can be read as Type (column.h); an error when there is
    // none.
    template <class Type>
    AttrNumber column(const char *name) const {
        const AttrNumber found = number_of(name);
        pg::check_column<Type>(RelationGetDescr(get()), found - 1);
        return found;
    }

  private:
    AttrNumber number_of(const char *column) const;

    Place place_;
    pg::OpenRelation table_;
};

// A column by which an index is searched.
struct KeyColumn {
    const char *name;
    Oid type;
};

// An index of a table's, open and valid. The constructors throw when there is none, or when it is
// another than meant.
class OpenIndex {
  public:
    // A b-tree that begins with these columns, texts in the order of their bytes.
    OpenIndex(const OpenTable &table, const char *name, std::span<const KeyColumn> columns);
    // The primary key.
    OpenIndex(const OpenTable &table, std::span<const KeyColumn> columns);
    // An index of any kind that begins with these columns. The caller sees to the rest.
    OpenIndex(const OpenTable &table, const char *name, std::span<const char *const> columns);

    Relation get() const noexcept { return index_.get(); }

  private:
    void check_valid() const;
    void check_key(const OpenTable &table, int number, const char *column) const;
    void check_order(std::span<const KeyColumn> columns) const;
    void check(const OpenTable &table, std::span<const KeyColumn> columns) const;

    pg::OpenRelation index_;
};

// Throws the error for an index that is not what memory.init() makes.
[[noreturn]] void refuse_index(Relation index);

// Whether the caller may read every row of every user. `table` is the one that users know, as it is
// for a statement, not a partition or a shard of it: Place::table().
bool readable_whole(Oid table);

} // namespace memory::schema
