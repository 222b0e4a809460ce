// Tables of users in parts: hash partitions by namespace and user_id, all tables alike, so that
// what belongs to a user is in the partitions of one number.
#pragma once

#include "pg/handles.h"
#include "pg/memory.h"
#include "schema/table.h"

namespace memory::schema {

// The most that memory.init() makes.
inline constexpr int most_partitions = 64;

// Whether a partitioned table is as memory.init() makes one.
bool is_spread(Oid table);
// Of a table that table_named() has found: whether it is that, and not an ordinary one.
bool is_in_partitions(Oid table);

// How many partitions an open table has; 0: it is an ordinary one.
int partition_count(Relation table);
// The same of the tables of users that there are; 0: there are none.
int partition_count();

// Whether tables in partitions have the same bounds: what belongs to a user is in partitions of one
// number.
bool have_same_bounds(Oid table, Oid other);

// The partition that has the rows of this user; InvalidOid where it is missing.
Oid partition_of(Oid table, std::string_view name_space, std::string_view user);

// Calls visit(number, oid) for each partition of a table, which may have none.
template <class Visit>
void each_partition(Oid table, Visit &&visit);

// What has rows of a table: its partitions, or the table itself.
template <class Visit>
void each_part(Oid table, Visit &&visit);

// The index itself, or those of the partitions that it stands for: it has no pages of its own, and
// options that nothing reads.
template <class Visit>
void each_part_of_index(Oid index, Visit &&visit);

// "_p07": behind the name of a table or a constraint, the name of its partition.
std::array<char, 8> partition_suffix(int number);

// Drops the tables of users that have another number of partitions, for others to be made, and
// tells whether there were any. An error where one has a row, or what would get lost with it. Needs
// a live Spi and the lock of lock_tables().
bool drop_spread_otherwise(int partitions);

// As make_whole() (rooms.h), with tables of users in so many partitions. Defined in setup/.
void make_whole(int partitions);

namespace detail {
std::pmr::vector<Oid> partitions_of(Oid table, std::pmr::memory_resource *memory);
// The table of an index of partitions; InvalidOid: it is an ordinary one.
Oid table_in_parts(Oid index);
// InvalidOid: it has none there.
Oid index_of_partition(Oid partition, Oid index);
} // namespace detail

template <class Visit>
void each_partition(Oid table, Visit &&visit) {
    pg::ContextResource memory(CurrentMemoryContext);
    int number = 0;
    for (const Oid partition : detail::partitions_of(table, &memory))
        visit(number++, partition);
}

template <class Visit>
void each_part(Oid table, Visit &&visit) {
    if (!is_spread(table))
        return visit(table);
    each_partition(table, [&](int, Oid partition) { visit(partition); });
}

template <class Visit>
void each_part_of_index(Oid index, Visit &&visit) {
    const Oid table = detail::table_in_parts(index);
    if (!OidIsValid(table))
        return visit(index);
    each_partition(table, [&](int, Oid partition) {
        if (const Oid part = detail::index_of_partition(partition, index); OidIsValid(part))
            visit(part);
    });
}

} // namespace memory::schema
