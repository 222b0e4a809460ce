// What pg_stat_user_indexes shows of an index. The executor counts the entries and rows of its own
// scans; that a search began is the access method's to count.
#pragma once

#include "pg/call.h"

extern "C" {
#include "pgstat.h"
#include "utils/rel.h"
}

namespace memory::index {

inline void count_search(Relation index) {
    pg::call([=] { pgstat_count_index_scan(index); });
}

// For a search without the executor: the entries that it returns.
inline void count_entries([[maybe_unused]] Relation index, std::size_t entries) {
    pg::call([=] { pgstat_count_index_tuples(index, static_cast<PgStat_Counter>(entries)); });
}

} // namespace memory::index
