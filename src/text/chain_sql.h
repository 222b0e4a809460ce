// Dictionaries of template memory.chain, from inside. Only the shell includes this.
#pragma once

#include "pg/backend.h"

#include <span>

namespace memory::text {

// The dictionaries that a dictionary of the template asks, in their order. Valid until the server
// hears that a dictionary has changed.
std::span<const Oid> chain_members(Oid chain);

} // namespace memory::text
