// XXH64: a checksum of 64 bits that takes a tenth of the time of reading the bytes from a table.
// Stored with every version; it tells damage, not forgery.
#pragma once

#include "index/codec/bytes.h"
#include "text/interruption.h"

namespace memory::delta {

// XXH64 with seed 0, the same on every machine.
std::uint64_t checksum(codec::Bytes bytes, text::Interruption &interruption);

} // namespace memory::delta
