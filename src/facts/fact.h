// One assertion on its way into memory: what a caller gave, checked and completed.
#pragma once

#include "access/scope.h"
#include "facts/algebra/line.h"
#include "facts/names.h"

namespace memory::facts {

using algebra::Instant;
using algebra::Span;

// Views and Datums belong to the caller's memory context.
struct Fact {
    access::Tenant tenant;
    Name subject;
    std::string_view predicate;
    Name object;
    Instant from;
    std::optional<Instant> until; // without: until the next known change
    float confidence = 1.0F;
    std::span<const pg_uuid_t> sources;
    std::optional<Datum> metadata;  // jsonb; '{}' without
    std::optional<Datum> embedding; // vector
    std::optional<pg_uuid_t> id;
};

// An error that names the argument when `fact` cannot be asserted. Needs a live Spi: sources are
// looked up.
void check(const Fact &fact);

// An error when [from, until) is no time at all.
void check_span(Instant from, Instant until);

// now(), where a time is not given.
Instant instant_or_now(std::optional<Datum> timestamp);
// Nothing where it is not given.
std::optional<Instant> instant(std::optional<Datum> timestamp);

inline pg::Parameter time_parameter(Instant time) {
    return pg::Parameter::of(TIMESTAMPTZOID, TimestampTzGetDatum(time));
}

// The elements of a uuid[], each once, in the current memory context.
std::span<const pg_uuid_t> uuids(const char *argument, Datum array);
Datum uuid_array(std::span<const pg_uuid_t> ids);

// Whether metadata.override is true.
bool overrides(const Fact &fact);

} // namespace memory::facts
