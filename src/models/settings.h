// The settings of this room.
#pragma once

#include <string_view>

namespace memory::models {

// Declares them. Called once, when the library is loaded.
void define_settings();

// memory.embedding_model: the model that embeddings given to calls come from.
std::string_view embedding_model();

} // namespace memory::models
