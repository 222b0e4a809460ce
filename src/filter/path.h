// The jsonpath predicate of a user, as "$path" holds it.
#pragma once

#include "pg/datum.h"

namespace memory::filter {

struct Path {
    Datum jsonpath; // in the current memory context
    // Operator `@@` can decide it, by an index: not where it compares by anything but `==`, for
    // which a GIN index is read from end to end; nor where it reads times, since `@@` fails on rows
    // that make it ask for the session's time zone.
    bool for_operator;
};

// An error when it is no jsonpath, no predicate, or has variables: whatever the rows are.
Path path_of(std::string_view written);

// Whether it is true of a jsonb. `no_variables` is the empty object. Inside call().
bool holds(Datum jsonpath, Datum jsonb, Datum no_variables);

} // namespace memory::filter
