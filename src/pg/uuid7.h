// Identifiers: UUIDv7 (RFC 9562), increasing within a backend.
#pragma once

#include "pg/backend.h"

namespace memory::pg {

// 48 bits of milliseconds, 12 bits of their fraction, 62 random bits. When the clock stands still
// or goes back, the fraction counts on, so that each id is greater than the one before.
pg_uuid_t new_id();

} // namespace memory::pg
