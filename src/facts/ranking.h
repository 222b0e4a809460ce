// Ranking a user's facts by text and vectors: what recall_facts() and recall_graph() begin with,
// and what other rooms ask for facts.
#pragma once

#include "access/scope.h"
#include "pg/vector.h"
#include "rank/hybrid.h"

namespace memory::facts {

// What a call asks for.
struct Request {
    access::Tenant tenant;
    std::string_view query;                // may be blank
    const pg::Vector *embedding = nullptr; // has a direction
    std::int64_t k = 5;
    std::optional<pg::Instant> valid_at; // any time without
    std::optional<pg::Instant> known_at; // the latest belief without
};

// A fact among the best. Both standings are unranked, and the score is 0, where the request has
// neither query nor embedding: then the newest are the best.
struct RankedFact {
    pg_uuid_t id;
    double score = 0;
    rank::Standing text;
    rank::Standing vector;
};

// The best k, best first; of equal scores the newest first. Needs a live Spi.
std::pmr::vector<RankedFact> best_facts(const Request &request, std::pmr::memory_resource *memory);

} // namespace memory::facts
