// What a call has deleted, as it is told to the caller: how many rows of each table of users, the
// time, and a digest of the ids.
#pragma once

#include "pg/datum.h"

#include <span>
#include <vector>

namespace memory::lifecycle {

class Receipt {
  public:
    explicit Receipt(std::pmr::memory_resource *memory);

    // `table` is one of users.
    void add(std::string_view table, std::int64_t rows);
    // Of episodes, messages and facts. One id may be given several times.
    void add_ids(std::span<const pg_uuid_t> ids);

    // {table: rows, …, "time": …, "digest": …} in the current memory context. Last.
    Datum as_json();

  private:
    struct Count {
        std::string_view table;
        std::int64_t rows;
    };

    std::pmr::vector<Count> counts_; // in the order of the list of rooms
    std::pmr::vector<pg_uuid_t> ids_;
};

} // namespace memory::lifecycle
