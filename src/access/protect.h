// Row-level security by the identity of the session: protect() and unprotect(), and what init()
// does about tables that are made later.
#pragma once

namespace memory::access {

// Protects tables that were made after memory.protect() as it did the others. Needs a live Spi and
// the lock of schema::lock_tables().
void protect_new_tables();

} // namespace memory::access
