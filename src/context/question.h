// What a call asks a prompt for.
#pragma once

#include "access/scope.h"
#include "pg/vector.h"

namespace memory::context {

struct Question {
    access::Tenant tenant;
    std::optional<std::string_view> query;  // not blank
    const pg::Vector *embedding = nullptr;  // has a direction
    double half_life = 0;                   // of all kinds, in microseconds; 0: each kind's own
    std::optional<std::int64_t> max_tokens; // no limit without
};

// The section of a prompt, in the current memory context; empty where there is nothing to show.
// Needs a live Spi.
std::string_view prompt_for(const Question &question);

} // namespace memory::context
