// Ranking a user's items by text and vectors.
#pragma once

#include "items/choice.h"
#include "pg/vector.h"
#include "rank/hybrid.h"

namespace memory::items {

// What a call of items() asks for.
struct Request {
    access::Tenant tenant;
    Choice choice;
    std::optional<std::string_view> query; // not blank
    const pg::Vector *embedding = nullptr; // has a direction
    std::int64_t k = 10;
    std::int64_t skip = 0;
    std::optional<double> alpha; // of two arms, the weight of vectors
    double min_relevance = 0;

    bool ranks() const noexcept { return query || embedding != nullptr; }
};

// The rows that the call answers with, best first; of equal scores the one that was put last, then
// the one that was made first. Needs a live Spi, and a query or an embedding.
std::pmr::vector<rank::HybridRow> best_items(const Request &request,
                                             std::pmr::memory_resource *memory);

} // namespace memory::items
