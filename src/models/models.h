// Embedding models and their numbers of dimensions.
#pragma once

#include <optional>
#include <string_view>

namespace memory::models {

// From now on every embedding of the current model has `dimensions` of them. An error when some are
// stored that have not.
void declare_dimensions(int dimensions);

// What has been declared for a model, if anything. Needs a live Spi.
std::optional<int> declared_dimensions(std::string_view model);

} // namespace memory::models
