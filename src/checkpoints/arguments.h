// Arguments that functions about checkpoints have in common.
#pragma once

#include "access/call.h"
#include "pg/uuid7.h"
#include "sessions/sessions.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::checkpoints {

// A path may be empty: it is the session's own then.
inline const pg::Given<std::string_view> &checked_path(const pg::Given<std::string_view> &path) {
    return path.at_most(sessions::longest_name);
}

inline std::string_view path_of(const pg::Given<std::string_view> &path) {
    return checked_path(path).or_else("");
}

// For what the caller gives none. Increases with time, as names do in most frameworks.
inline std::string_view new_name() {
    const pg_uuid_t id = pg::new_id();
    return pg::call(
        [&id] { return DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(&id))); });
}

} // namespace memory::checkpoints
