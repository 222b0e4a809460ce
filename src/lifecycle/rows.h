// Rows of one user in whatever tables there are: statements about a table are made from its
// description. Needs a live Spi.
#pragma once

#include "access/scope.h"
#include "pg/arrays.h"
#include "schema/rooms.h"

#include <vector>

namespace memory::lifecycle {

using Ids = std::pmr::vector<pg_uuid_t>;

// Calls visit(table) for each table of users, the last of the list of rooms first: rows before
// those that they belong to.
template <class Visit>
void each_table_of_users(Visit &&visit) {
    const std::span<const schema::Room *const> rooms = schema::rooms();
    for (auto room = rooms.rbegin(); room != rooms.rend(); ++room)
        for (auto table = (*room)->tables.rbegin(); table != (*room)->tables.rend(); ++table)
            if (schema::of_users(*table))
                visit(*table);
}

// What was deleted: how many rows, and their ids where they are episodes, messages or facts.
struct Deleted {
    std::int64_t rows;
    std::span<const pg_uuid_t> ids;
};

// Deletes all rows of the user, but what others have written since these sessions were locked: rows
// of sessions that are there and not among `locked`, and rows that the description says stay. An
// error (27000) when a trigger of the owner's keeps some.
Deleted delete_all(const access::Tenant &tenant, const schema::Table &table,
                   std::span<const pg_uuid_t> locked);

// Deletes the rows of a table of episodes' (schema::Of) that belong to these; returns how many.
std::int64_t delete_of_episodes(const access::Tenant &tenant, const schema::Table &table,
                                std::span<const pg_uuid_t> episodes);

// How many rows of a table of sessions' or of stores' belong to these.
std::int64_t count_of(const access::Tenant &tenant, const schema::Table &table,
                      std::span<const pg_uuid_t> keys);

} // namespace memory::lifecycle
