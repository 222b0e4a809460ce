// The settings of this room.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memory::checkpoints {

// Declares them. Called once, when the library is loaded.
void define_settings();

// memory.max_state, in bytes: the longest state with the parts of one call.
std::size_t max_state();

// memory.checkpoints_kept: how many of a path are kept when one more is put; 0: all.
std::int64_t checkpoints_kept();

} // namespace memory::checkpoints
