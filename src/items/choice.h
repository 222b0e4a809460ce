// Which of a user's items a call is about: its arguments prefix, keys, filter and before, checked.
#pragma once

#include "access/scope.h"
#include "filter/filter.h"
#include "items/place/place.h"

namespace memory::items {

using place::Path;

// A path or a beginning of one, where it is given: an error when one of its names is empty (22023)
// or they have more than access::longest_name bytes together (54000).
std::optional<Path> checked_path(const pg::Given<Path> &given);
// The same of one that must be given.
Path required_path(const pg::Given<Path> &given);
std::string_view checked_key(const pg::Given<std::string_view> &given);
// Keys that items are asked for by.
std::optional<Path> checked_keys(const pg::Given<Path> &given);

// Views and Datums are the caller's.
struct Choice {
    Path prefix;
    bool exact = false; // on this path alone
    std::optional<Path> keys;
    filter::Conditions filter;
    std::optional<pg::Instant> before;
};

// As $3 to $11, for the fragment {chosen:i}.
void bind(pg::Values &to, const Choice &choice);

// A place as statements know it, in the current memory context.
pg::Parameter place_of(Path path, std::string_view key);

} // namespace memory::items
