// What predicates are defined as.
#pragma once

#include "pg/spi.h"

namespace memory::facts {

// Whether subjects have many objects under a predicate. Needs a live Spi.
bool is_many(std::string_view name_space, std::string_view predicate, pg::SnapshotOf snapshot);

} // namespace memory::facts
