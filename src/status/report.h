// The rows of memory.status, as they are gathered.
#pragma once

#include "pg/rows.h"
#include "pg/values.h"

namespace memory::status {

struct Line {
    std::string_view thing;
    std::string_view name;
    std::optional<std::int64_t> rows = std::nullopt;
    std::optional<bool> exact = std::nullopt;
    std::optional<std::int64_t> bytes = std::nullopt;
    std::optional<pg::Instant> since = std::nullopt;
    std::optional<std::string_view> problem = std::nullopt;
};

inline void add(pg::ResultSet &rows, const Line &line) {
    rows.add(pg::Values{line.thing, line.name, line.rows, line.exact, line.bytes, line.since,
                        line.problem});
}

} // namespace memory::status
