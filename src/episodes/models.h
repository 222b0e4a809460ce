// Embedding models and their numbers of dimensions.
#pragma once

namespace memory::episodes {

// From now on every embedding of the current model has `dimensions` of them. An error when some are
// stored that have not.
void declare_dimensions(int dimensions);

} // namespace memory::episodes
