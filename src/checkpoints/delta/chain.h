// A version out of the rows of its chain: keyframe, deltas, and the check that it is what was
// written.
#pragma once

#include "checkpoints/delta/delta.h"

namespace memory::delta {

// The most versions that a chain has, its keyframe included: reading is to stay near what copying
// the bytes costs.
inline constexpr std::size_t longest_chain = 48;

// What is known of a version beside its bytes.
struct Check {
    std::size_t size;
    std::uint64_t checksum;

    friend bool operator==(const Check &, const Check &) = default;
};

// Whether the version after a chain is to be a keyframe: `chain` has the stored sizes of its
// members, keyframe first, and `delta` is what would be added for a version of `size` bytes.
bool is_keyframe_due(std::span<const std::size_t> chain, std::size_t delta, std::size_t size);

// Puts the version that `chain` ends with into `to`, which has check.size bytes. `chain` has what
// is stored: a keyframe's own bytes first, then deltas. Null, or what is wrong with the chain; then
// `to` is not the version.
const char *rebuild(std::span<const Bytes> chain, const Check &check, std::span<std::uint8_t> to,
                    std::pmr::memory_resource *memory, text::Interruption &interruption);

} // namespace memory::delta
