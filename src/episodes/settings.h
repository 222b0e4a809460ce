// The settings of this room.
#pragma once

#include <cstddef>

namespace memory::episodes {

// Declares them. Called once, when the library is loaded.
void define_settings();

// memory.max_content, in bytes: the longest content, and the longest response.
std::size_t max_content();

} // namespace memory::episodes
