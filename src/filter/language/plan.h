// Which conditions of a filter PostgreSQL's own operators can decide, so that an index serves.
#pragma once

#include "filter/language/condition.h"

#include <span>

namespace memory::filter::language {

// A filter holds where all of these do.
struct Plan {
    explicit Plan(std::pmr::memory_resource *memory)
        : contained(memory), tested(memory), paths(memory) {}

    // One object contains them all (`@>`): in the order of their keys, and none of them inside
    // another.
    std::pmr::vector<const Condition *> contained;
    // Equalities joined by "or", which jsonpath_of() can write and an index can find.
    std::pmr::vector<const Condition *> tested;
    // The user's own predicates.
    std::pmr::vector<const Condition *> paths;
    // Whether something is left, for which the whole filter must be evaluated.
    bool rest = false;
};

// Views the filter, which must outlive the plan.
Plan plan(const Condition &filter, JsonReader &reader, std::pmr::memory_resource *memory);

// A jsonpath that holds where all of these do, and there are some. In strict mode, in which no list
// is searched for its elements, what is missing and what is of another type make a test unknown;
// nothing written here turns that round.
std::pmr::string jsonpath_of(std::span<const Condition *const> tested, JsonReader &reader,
                             std::pmr::memory_resource *memory);

} // namespace memory::filter::language
