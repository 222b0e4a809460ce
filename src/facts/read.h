// Arguments that functions which read facts have in common.
#pragma once

#include "access/page.h"
#include "facts/fact.h"

namespace memory::facts {

// The argument known_at; nothing for the latest belief, which is what is known at infinity.
inline std::optional<pg::Instant> known_at(const pg::Given<pg::Instant> &given) {
    return given && given.required().time != algebra::forever ? given.optional() : std::nullopt;
}

} // namespace memory::facts
