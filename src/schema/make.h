// Making what is missing of a table. What is there is never changed, so that what users have
// altered stays; a migration of rows or types is a step of its own.
#pragma once

#include "schema/table.h"

namespace memory::schema {

// Whether the caller may create tables in schema memory. Needs a live Spi.
bool may_make();

// Keeps other sessions from making tables and from changing their privileges, until the transaction
// ends.
void lock_tables();

// The quoted name of the schema that pgvector lives in, in the current memory context. Needs a live
// Spi.
const char *vector_schema();

// Makes the table, where it is of users in so many partitions (0: none), or those of its columns,
// defaults, indexes, constraints and triggers that are not there; whether the table itself was not.
// An error where something else has its name. `vector` is vector_schema(). Needs a live Spi and the
// lock.
bool make(const Table &table, const char *vector, int partitions);

} // namespace memory::schema
