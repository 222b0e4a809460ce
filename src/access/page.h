// Which rows of an ordered answer a call asks for: its arguments k and skip.
#pragma once

#include "access/call.h"

#include <algorithm>

namespace memory::access {

// NULL is no limit.
inline std::int64_t row_limit(const pg::Given<std::int64_t> &k) {
    return k.between(1, most_rows).or_else(no_limit);
}

inline std::int64_t rows_skipped(const pg::Given<std::int64_t> &skip) {
    return std::min(skip.between(0, INT64_MAX).or_else(0), no_limit);
}

} // namespace memory::access
