// Writing what a call has made of its lines.
#pragma once

#include "facts/lines.h"

namespace memory::facts {

// Of a stored version only known_until is changed, and only once, from infinity to the time at
// which the belief ended. (A predicate that is defined anew moves versions to other lines.)
//
// Ends the versions that have ended, and then inserts those that are new, all in one statement.
// Needs a live Spi, and the lines' locks.
void write_versions(std::span<const Line> lines, std::pmr::memory_resource *memory);

} // namespace memory::facts
