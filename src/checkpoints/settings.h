// The settings of this room.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memory::checkpoints {

// Declares them. Called once, when the library is loaded.
void define_settings();

// An error where `what`, all the bytes that a call gives, is longer than memory.max_state.
void check_size(const char *what, std::size_t bytes);

// memory.checkpoints_kept: how many of a path are kept when one more is put; 0: all.
std::int64_t checkpoints_kept();

} // namespace memory::checkpoints
