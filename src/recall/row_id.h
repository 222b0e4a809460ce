// Ids of episodes between SQL and ranking.
#pragma once

#include "pg/backend.h"
#include "rank/arm.h"

namespace memory::recall {

inline rank::RowId row_id(const pg_uuid_t &uuid) {
    rank::RowId id;
    std::memcpy(id.data(), uuid.data, id.size());
    return id;
}

// The same ids, as they are sent to statements.
inline std::span<const pg_uuid_t> uuids(std::span<const rank::RowId> ids) {
    static_assert(sizeof(pg_uuid_t) == sizeof(rank::RowId) && alignof(pg_uuid_t) == 1);
    return {reinterpret_cast<const pg_uuid_t *>(ids.data()), ids.size()};
}

} // namespace memory::recall
