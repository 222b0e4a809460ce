// The settings of this room.
#pragma once

#include <cstddef>
#include <string_view>

namespace memory::episodes {

// Declares them. Called once, when the library is loaded.
void define_settings();

// memory.max_content, in bytes: the longest content, and the longest response.
std::size_t max_content();

// memory.embedding_model: the model that embeddings given to calls come from.
std::string_view embedding_model();

} // namespace memory::episodes
