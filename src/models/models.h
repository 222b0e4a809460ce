// Embedding models and their numbers of dimensions.
#pragma once

#include "pg/given.h"

namespace memory::models {

// Of memory.hash_embedding(), where no others are declared for it.
inline constexpr int hash_dimensions = 384;

// From now on every embedding of `model` has `dimensions` of them. An error when some are stored
// that have not. Needs a live Spi.
void declare_dimensions(std::string_view model, int dimensions);

// What has been declared for a model, if anything. Needs a live Spi.
std::optional<int> declared_dimensions(std::string_view model);

} // namespace memory::models
