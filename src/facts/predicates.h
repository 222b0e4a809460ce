// What predicates are defined as.
#pragma once

#include "access/scope.h"
#include "pg/spi.h"

namespace memory::facts {

// Whether subjects have many objects under a predicate. Needs a live Spi.
bool is_many(std::string_view name_space, std::string_view predicate, pg::SnapshotOf snapshot);

// Defines a predicate of the caller's namespace, as memory.define_predicate does, where it is not
// defined; an error where it is defined otherwise. Needs the tables and a live Spi.
void agree(std::string_view predicate, bool many, std::optional<std::string_view> inverse);

// An error where lines of the tenant are not those that its predicates ask for: one for each object
// where a predicate is many-valued, else one for all. For rows that do not come from a writer of
// facts. Needs a live Spi; writers of definitions must be kept out by what was written before.
void check_lines(const access::Tenant &tenant);

} // namespace memory::facts
