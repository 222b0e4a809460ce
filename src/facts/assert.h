// Facts into memory.
#pragma once

#include "facts/lines.h"
#include "facts/spellings.h"

namespace memory::facts {

// Asserts checked facts one after another, all or nothing. Returns the id of each, or nothing where
// the fact is kept out. Needs a live Spi.
std::pmr::vector<std::optional<pg_uuid_t>> assert_all(std::span<Fact> facts,
                                                      std::pmr::memory_resource *memory);

// Asserts one on its line, which is locked and written by the caller.
std::optional<pg_uuid_t> assert_on(Line &line, Fact &fact, Spellings &spellings);

// Nothing keeps this object out any more.
void lift_rejection(Line &line, std::string_view object_key);

} // namespace memory::facts
