// Items that are forgotten, with their vectors.
#pragma once

#include "items/choice.h"

namespace memory::items {

// How many rows of which table went.
struct Erased {
    std::int64_t items;
    std::int64_t vectors;
};

// Deletes all that are chosen, those that have expired included. Needs a live Spi.
Erased erase(const access::Tenant &tenant, const Choice &choice);

// Deletes up to `most` of those that have expired, the earliest first.
Erased erase_expired(const access::Tenant &tenant, std::int64_t most);
// Deletes up to `most` of all but the `keep` that were put last.
Erased erase_older(const access::Tenant &tenant, std::int64_t keep, std::int64_t most);

} // namespace memory::items
