// Which expressions memory.protect() accepts as the identity of a session.
#pragma once

#include "pg/backend.h"

namespace memory::access {

// An error unless `identity` is an SQL expression that a policy on `tables` can ask once a
// statement: one value by itself, that names no column, is not volatile, can be evaluated, and does
// not read what it protects. It is evaluated, as the caller. Needs a live Spi.
void check_identity(std::string_view identity, std::span<const Oid> tables);

} // namespace memory::access
