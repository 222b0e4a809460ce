// Ids between the database and files.
#pragma once

#include "moving/markdown/document.h"
#include "pg/backend.h"

#include <algorithm>

namespace memory::moving {

inline pg_uuid_t uuid_of(const markdown::Id &id) {
    pg_uuid_t uuid;
    std::copy_n(id.data(), id.size(), uuid.data);
    return uuid;
}

inline markdown::Id id_of(const pg_uuid_t &uuid) {
    markdown::Id id;
    std::copy_n(uuid.data, id.size(), id.data());
    return id;
}

} // namespace memory::moving
