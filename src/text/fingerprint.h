// What the terms of a text depend on besides the text. An index stores it, and knows by it when it
// was built of other terms than today's queries have.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>

#include "text/dictionary.h"

namespace memory::text {

// Raised with every change that alters a token of any text.
inline constexpr unsigned rules_version = 1;

// Appends one line for people: rules, ICU, Unicode, each script's dictionary.
void describe(const Dictionaries &dictionaries, std::pmr::string &to);

// A hash of that line. Equal fingerprints mean equal terms.
std::uint64_t fingerprint(const Dictionaries &dictionaries, std::pmr::memory_resource *memory);

} // namespace memory::text
