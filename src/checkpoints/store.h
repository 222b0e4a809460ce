// Whose rows a call is about: a session's, and its store's.
#pragma once

#include "access/scope.h"
#include "pg/values.h"

namespace memory::checkpoints {

// The bytes of a session and of its forks.
struct Store {
    access::Tenant tenant;
    pg_uuid_t id;
};
// As $1 to $3: {of_store:v} (sql.h).
inline void bind(pg::Values &to, const Store &store) {
    to.add(store.tenant);
    to.add(store.id);
}

// One path of a session.
struct Path {
    access::Tenant tenant;
    pg_uuid_t session; // its key
    std::string_view path;
};
// As $1 to $4: {of_path:c}.
inline void bind(pg::Values &to, const Path &path) {
    to.add(path.tenant);
    to.add(path.session);
    to.add(path.path);
}

// Locks the store until the transaction ends, and makes it where it is missing. Returns the first
// of `count` numbers that were never given before. Needs a live Spi.
std::int64_t lock(const Store &store, std::int64_t count);

} // namespace memory::checkpoints
