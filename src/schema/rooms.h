// The rooms that have tables or settings, and what the roof (setup/) does for all of them: declared
// here for the rooms below, defined in setup/.
#pragma once

#include "pg/spi.h"
#include "schema/table.h"

namespace memory::schema {

struct Room {
    const char *name;
    std::span<const Table> tables;
    void (*define_settings)(); // null: it has none
    // Gives a row where a namespace ($1) has rows of a named user in the first of the tables; null:
    // other rooms tell.
    pg::Statement *find_named_user = nullptr;
};

// In the order in which their tables need each other.
std::span<const Room *const> rooms() noexcept;

// Calls visit(table) for every table of every room, in that order.
template <class Visit>
void each_table(Visit &&visit) {
    for (const Room *room : rooms())
        for (const Table &table : room->tables)
            visit(table);
}

// Makes what is missing in all rooms, and protects it where the rest is protected: memory.init().
// An error when the caller may not create tables in schema memory.
void make_whole();

} // namespace memory::schema
