// One episode on its way into memory: what a caller gave, checked and completed.
#pragma once

#include "access/scope.h"
#include "pg/spi.h"

namespace memory::episodes {

// The columns of memory.episodes that a caller may give. Views and Datums belong to the caller's
// memory context.
struct Episode {
    access::Tenant tenant;
    std::optional<pg_uuid_t> id;
    std::optional<std::string_view> content;
    std::optional<std::string_view> response;
    std::optional<std::string_view> session_id;
    std::optional<std::string_view> agent_id;
    std::string_view kind = "episodic";
    std::optional<std::string_view> role;
    std::optional<Datum> metadata; // jsonb
    float importance = 1.0F;
    std::optional<Datum> occurred_at; // timestamptz; now() without
    std::optional<Datum> ttl;         // interval
    std::optional<Datum> embedding;   // vector
    std::optional<Datum> transcript;  // jsonb
};

// An error that names the argument when `episode` is not one that can be remembered.
void check(const Episode &episode);

// An error when the texts are over memory.max_content or both missing.
void check_texts(std::optional<std::string_view> content, std::optional<std::string_view> response);

// Writes a checked episode and returns its id. An id that this tenant has already replaces that
// episode whole. Needs a live Spi.
pg_uuid_t store(const Episode &episode);

} // namespace memory::episodes
