// Random bits from PostgreSQL's strong generator: they cannot be guessed from those drawn before.
#pragma once

#include <cstdint>

namespace memory::pg {

// 64 bits, never given twice. Drawn for many calls at a time: one draw costs about as much as ten
// calls.
std::uint64_t random_bits();

} // namespace memory::pg
