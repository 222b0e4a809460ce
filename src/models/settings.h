// The settings of this room.
#pragma once

#include <cstddef>
#include <string_view>

namespace memory::models {

// The model that the database has itself: memory.hash_embedding().
inline constexpr std::string_view hash_model = "hash";

// Of a model, in bytes: what a key of vectors has room for.
inline constexpr std::size_t longest_name = 512;

// Declares them. Called once, when the library is loaded.
void define_settings();

// memory.embedding_model; "default" unless it was set.
std::string_view embedding_model();

} // namespace memory::models
