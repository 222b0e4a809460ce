// One place of a state: set, with the objects on the way to it.
#pragma once

#include "pg/given.h"

namespace memory::conversations {

using StatePath = std::span<const std::string_view>;

// The names on the way to a place, from the outermost: an error where they are none, one is empty,
// or they are longer together than a name may be.
std::optional<StatePath> checked_path(const pg::Given<StatePath> &path);

// `state` with `value` at the place, in the current memory context. Objects that are missing on the
// way are made; an error where something else than an object is on it. Without a state it begins
// with an object.
pg::Document with_place(std::optional<pg::Document> state, StatePath path, pg::Document value);

} // namespace memory::conversations
