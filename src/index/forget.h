// Documents of segments that are alive as far as the index knows, and whose rows are dead.
#pragma once

#include "index/segment_pages.h"
#include "index/tenant.h"

namespace memory::index {

// Clears the alive bits of documents in one table of lengths, and takes them off the tenant's
// numbers: one WAL record, which raises the generation. Under the tenant's lock.
void mark_dead(Relation index, BlockNumber root, const Run &run, segment::Segment &segment,
               std::size_t part, std::span<const std::uint32_t> ordinals);

// Fewer are not worth a WAL record.
inline constexpr std::size_t documents_to_forget = 32;

// Marks documents of a segment, `ordinals`, which ascend, that a reader has found dead to all
// snapshots: later readers need not look their rows up. Does nothing when another backend holds the
// tenant's lock, or nothing may be written.
void forget_dead(Relation index, Relation heap, BlockNumber root, const Run &run,
                 std::span<const std::uint32_t> ordinals);

} // namespace memory::index
