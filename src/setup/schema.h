// The tables of memory: how a room declares what it needs, and how a call makes sure that it is
// there.
#pragma once

#include "pg/backend.h"

namespace memory::setup {

// What a step makes, and so what tells that it has been made already. A table has one primary key,
// whatever its name.
enum class Makes { table, index, primary_key, column, column_default, constraint, trigger };

// One idempotent piece of init(): `sql` runs when `name` (of `table`, if it is not a table itself)
// is missing. An error when something of another kind has that name. In `sql`, {vector} stands for
// the schema that pgvector lives in. A step never changes what is there, so that what users have
// altered stays; migrations are steps of their own.
struct Step {
    Makes makes;
    const char *table;
    const char *name;
    const char *sql;
};

// How the rows of a table belong to users: each to one (user_id), or all to everybody, as what a
// namespace or the database agrees upon. Writers write the first, the owner and admins the others.
enum class Belongs { to_users, to_all };

// What must be known of a table beside its making.
struct Table {
    const char *name;
    Belongs belongs;
    // Columns with what users say, or with names that callers make up, apart by blanks: planner
    // statistics would show them to others, and outlive them. Keys that plans depend on (namespace,
    // user_id, ids, model), times and numbers have statistics.
    const char *words = "";
    // Patterns (LIKE) of its indexes whose expressions have no statistics either: row security
    // does not apply to an index.
    const char *indexes = "";
};

struct Room {
    std::span<const Step> steps;
    std::span<const Table> tables;
};

// All rooms that have tables, in the order in which they need each other.
std::array<Room, 2> rooms();

// What a call is about to do with the tables.
enum class Need { to_read, to_write };

// Makes sure that the tables exist. Where `table`, the one made last of those that the call needs,
// is missing, a write by the owner of schema memory creates all. Any other call on a database in
// which a table is missing is an error that names it and memory.init().
void require_tables(Need need, const char *table = "episodes");

// Keeps others from making tables and from changing who may use them, until the transaction ends.
void lock_tables();

// The quoted name of the schema that pgvector lives in, in the current memory context. Needs a live
// Spi.
const char *vector_schema();

} // namespace memory::setup
