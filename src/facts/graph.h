// Entities and the facts between them.
#pragma once

#include "facts/fact.h"
#include "pg/rows.h"

namespace memory::facts {

// How far and how much a walk goes, and at which point of both times.
struct Walk {
    access::Tenant tenant;
    std::int32_t hops;
    std::int32_t most_paths;
    std::optional<Datum> valid_at; // timestamptz; any time without
    std::optional<Datum> known_at; // the latest belief without
};

// Adds rows (path, depth, entity, fact_ids): from the seeds along facts, both ways, never twice
// into one entity on a path; shorter paths first, then those whose last fact is newest. Needs a
// live Spi.
void walk_from(std::span<const std::string_view> seed_keys, const Walk &walk,
               pg::ResultSet &result);

// The argument hops.
std::int32_t hop_limit(const pg::Arguments &arguments, int n);

} // namespace memory::facts
