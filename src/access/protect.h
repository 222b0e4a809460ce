// Row-level security by the identity of the session: protect() and unprotect(), and what init()
// does about tables that are made later.
#pragma once

#include <string_view>

namespace memory::access {

// Of the permissive policy; the restrictive one's has "_only" behind it.
inline constexpr std::string_view policy_name = "memory_identity";

// Protects tables that were made after memory.protect() as it did the others. Needs a live Spi and
// the lock of schema::lock_tables().
void protect_new_tables();

} // namespace memory::access
