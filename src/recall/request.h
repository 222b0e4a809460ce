// What a call of recall_scored() asks for: its arguments, checked.
#pragma once

#include "pg/function.h"
#include "pg/vector.h"
#include "rank/fusion.h"

namespace memory::recall {

// Which rows may be answered with. Datums are the caller's.
struct Filter {
    std::optional<std::string_view> session_id;
    std::optional<std::string_view> agent_id;
    std::optional<Datum> kinds;    // text[]
    std::optional<Datum> contains; // jsonb
    std::optional<Datum> path;     // jsonpath
    std::optional<Datum> since;    // timestamptz, inclusive as `until` is
    std::optional<Datum> until;

    bool any() const noexcept {
        return session_id || agent_id || kinds || contains || path || since || until;
    }
};

enum class Fallback { none, recent };

struct Request {
    std::optional<std::string_view> query; // not blank
    const pg::Vector *embedding = nullptr;
    std::int32_t k = 5;
    double alpha = 0.5;
    std::optional<std::string_view> user_id;
    Filter filter;
    double min_relevance = 0;
    double half_life = 0; // in microseconds; 0: none
    double diversity = 0;
    double context_weight = 0;
    rank::Fusion fusion = rank::Fusion::rrf;
    Fallback fallback = Fallback::none;
};

inline constexpr std::int32_t most_rows = 1'000'000;

// k from argument `n`, or `otherwise`; an error when it is out of range.
std::int32_t row_limit(const pg::Arguments &arguments, int n, std::int32_t otherwise);

// A vector that has a direction; an error that names `embedding` otherwise.
const pg::Vector *checked_embedding(Datum embedding);

// The arguments of recall_scored() from argument `first` on.
Request scored_request(const pg::Arguments &arguments, int first);
// Those of recall().
Request plain_request(const pg::Arguments &arguments);

} // namespace memory::recall
