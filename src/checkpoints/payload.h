// A checkpoint as functions return it: a row of type memory.checkpoint.
#pragma once

#include "access/scope.h"
#include "pg/values.h"

namespace memory::checkpoints {

// What its row says.
struct Shown {
    std::string_view session_id;
    std::string_view path;
    std::string_view id;
    std::optional<std::string_view> parent;
    pg::Document metadata;
    pg::Instant created_at;
    pg_uuid_t session; // its key
    pg_uuid_t store;
    std::int64_t state; // its number
    pg::Document refs;
};

// What errors call a checkpoint; in the current memory context.
const char *place_of(std::string_view session_id, std::string_view path, std::string_view id);

// Without state, parts and writes: NULL.
pg::Values bare_row(const Shown &shown);

// With them, in the current memory context. An error that names the checkpoint where a version is
// damaged. Needs a live Spi.
pg::Values whole_row(const access::Tenant &tenant, const Shown &shown,
                     std::pmr::memory_resource *memory);

} // namespace memory::checkpoints
