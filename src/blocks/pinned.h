// The blocks that are pinned, for prompts.
#pragma once

#include "access/scope.h"

#include <vector>

namespace memory::blocks {

// Views the current memory context.
struct PinnedText {
    std::string_view name;
    std::string_view content;
};

// In the order of their places. Needs a live Spi.
std::pmr::vector<PinnedText> pinned_texts(pg::SnapshotOf snapshot, const access::Tenant &tenant,
                                          std::pmr::memory_resource *memory);

} // namespace memory::blocks
