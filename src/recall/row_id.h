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

} // namespace memory::recall
