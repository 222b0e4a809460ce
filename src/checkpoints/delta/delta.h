// Deltas: how one version of a state or a part is made of the version before it, byte by byte,
// whatever the bytes mean. Format and reasons: docs/checkpoints.md.
//
// Invariant of a delta that is read: its operations give exactly target_size() bytes, each copy
// lies within base_size() bytes, and nothing follows the last one.
#pragma once

#include "index/codec/bytes.h"
#include "text/interruption.h"

namespace memory::delta {

using codec::ByteBuffer;
using codec::Bytes;

// The longest version: sizes and distances are varints of 32 bits.
inline constexpr std::size_t max_size = (std::size_t{1} << 30) - 1;

// Appends what makes `target` out of `base`; both are at most max_size long. Time is linear in
// their sizes, memory at most 8 MB.
void write(Bytes base, Bytes target, ByteBuffer &to, text::Interruption &interruption);

// A delta as it was written, not yet trusted.
class Delta {
  public:
    // `written` must outlive it. Corrupt when its head is none.
    explicit Delta(Bytes written);

    std::size_t base_size() const { return base_size_; }
    std::size_t target_size() const { return target_size_; }
    Bytes operations() const { return operations_; }

  private:
    std::size_t base_size_;
    std::size_t target_size_;
    Bytes operations_;
};

// The version that the last of `deltas` makes: the first is against `keyframe`, each other one
// against what the one before it makes. `to` has as many bytes as the last delta's target_size().
// Goes through the operations from the last delta to the first, so that no version between is
// built; memory is that of one delta's operations and of the pieces that the target consists of.
// Corrupt when the deltas do not fit each other.
void restore(Bytes keyframe, std::span<const Delta> deltas, std::span<std::uint8_t> to,
             std::pmr::memory_resource *memory, text::Interruption &interruption);

} // namespace memory::delta
