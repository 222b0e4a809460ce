// The things that a frame of C++ can hold when it ends.
#pragma once

#include "fail.h"

namespace door {

// Holds its things, those of `table` among them, and calls `fail`.
using Hold = void (*)(Oid table, Fail fail);

// By name; "everything" holds one of each.
Hold holding(std::string_view name);

} // namespace door
