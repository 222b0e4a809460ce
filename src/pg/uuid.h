// Ids in order, which is that of their bytes.
#pragma once

#include "pg/call.h"

namespace memory::pg {

inline int compare(const pg_uuid_t &a, const pg_uuid_t &b) noexcept {
    return std::memcmp(a.data, b.data, UUID_LEN);
}

struct ById {
    bool operator()(const pg_uuid_t &a, const pg_uuid_t &b) const noexcept {
        return compare(a, b) < 0;
    }
};

// Each of these once, in order; in the current memory context.
inline std::span<const pg_uuid_t> unique_ids(std::span<const pg_uuid_t> ids) {
    if (ids.size() < 2)
        return ids;
    auto *sorted =
        static_cast<pg_uuid_t *>(call([ids] { return palloc(ids.size() * sizeof(pg_uuid_t)); }));
    pg_uuid_t *end = std::copy(ids.begin(), ids.end(), sorted);
    std::sort(sorted, end, ById{});
    return {sorted, std::unique(sorted, end, [](const pg_uuid_t &a, const pg_uuid_t &b) {
                return compare(a, b) == 0;
            })};
}

} // namespace memory::pg
