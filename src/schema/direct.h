// Statements about a user that name the partitions with the user's rows.
//
// PostgreSQL plans a statement about a partitioned table at each call, or keeps a plan that locks
// all partitions at each. One that names a partition has a plan that is kept, unless it is to be
// planned for the values of each run, and locks what one on an ordinary table locks.
#pragma once

#include "pg/spi.h"

namespace memory::schema {

enum class Does {
    read,  // SELECT, without locks
    write, // INSERT, UPDATE
    erase  // DELETE
};

// The same statement about this user's partitions; `statement` itself where the tables are not in
// partitions. Rights, policies, rules and triggers stay those of the tables that it names: where
// one of them would have a say, or the caller may do less with a partition, the tables are named as
// they are, in a plan that is kept. Either way the tables are locked as by the statement itself, so
// that what changes them waits for the transaction's end.
pg::Statement &direct(pg::Statement &statement, Does does, std::string_view name_space,
                      std::string_view user);

} // namespace memory::schema
