// Names that mean the same, spelled the same: what subjects, objects and predicates are matched by.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

#include "text/interruption.h"

namespace memory::text {

// NFKC case folding, runs of white space as one space, none at the ends. A byte that is no
// UTF-8 is U+FFFD. Its own normal form; empty when nothing visible is in `utf8`. Throws IcuFailure.
std::pmr::string normal_name(std::string_view utf8, std::pmr::memory_resource *memory,
                             Interruption &interruption = Interruption::none());

// The words of an identifier in any style, case-folded and joined by '_': `nameIs`, `Name-Is` and
// "name is" are `name_is`, `HTTPServer` is `http_server`. Letters, digits and marks of any script
// are kept, all else separates. Its own normal form; may be empty. Throws IcuFailure.
std::pmr::string normal_predicate(std::string_view utf8, std::pmr::memory_resource *memory,
                                  Interruption &interruption = Interruption::none());

} // namespace memory::text
