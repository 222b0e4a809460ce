// The terms of a query, arranged to be looked for in front-coded lists.
#pragma once

#include "index/codec/bytes.h"

namespace memory::codec {

// Sorted, distinct terms. The terms' bytes must outlive the set.
class TermSet {
  public:
    struct Target {
        std::string_view term;
        std::uint32_t shared_with_next; // bytes at the front; 0 for the last
    };

    // `terms` are distinct, not empty, and ascend in byte order.
    TermSet(std::span<const std::string_view> terms, std::pmr::memory_resource *memory);

    std::span<const Target> targets() const { return targets_; }

  private:
    std::pmr::vector<Target> targets_;
};

} // namespace memory::codec
