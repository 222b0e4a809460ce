// Entities and the facts between them.
#pragma once

#include "facts/fact.h"

namespace memory::facts {

// How far and how much a walk goes, and at which point of both times.
struct Walk {
    access::Tenant tenant;
    std::int64_t hops;
    std::int64_t most_paths;
    std::optional<pg::Instant> valid_at; // any time without
    std::optional<pg::Instant> known_at; // the latest belief without
};

// The most that the argument `hops` may be.
inline constexpr std::int64_t most_hops = 10;

// Adds rows (path, depth, entity, fact_ids): from the seeds along facts, both ways, never twice
// into one entity on a path; shorter paths first, then those whose last fact is newest. Needs a
// live Spi.
void walk_from(std::span<const std::string_view> seed_keys, const Walk &walk,
               pg::ResultSet &result);

} // namespace memory::facts
