// What a call asks a prompt for.
#pragma once

#include "access/scope.h"
#include "pg/vector.h"
#include "sessions/sessions.h"

namespace memory::context {

// Views the current memory context.
struct Session {
    std::string_view name;
    std::optional<sessions::Found> found; // nothing where the user has no such session
    std::optional<std::string_view> agent;
};

// The budget where a call names none: that of the declaration of memory.context.
inline constexpr std::int64_t usual_tokens = 2000;

struct Question {
    access::Tenant tenant;
    std::optional<std::string_view> query;  // not blank
    const pg::Vector *embedding = nullptr;  // has a direction
    double half_life = 0;                   // of all kinds, in microseconds; 0: each kind's own
    std::optional<std::int64_t> max_tokens; // no limit without
    std::optional<Session> session;
    bool summary = true; // of the session
    bool history = true; // its messages
};

// The section of a prompt, in the current memory context; empty where there is nothing to show.
// Needs a live Spi.
std::string_view prompt_for(const Question &question);

// An error where the tables that a prompt is made of are not as they must be.
void require_rooms();

} // namespace memory::context
