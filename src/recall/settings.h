// The settings of this room.
#pragma once

#include "rank/fusion.h"
#include "rank/lending.h"

#include <cstdint>
#include <optional>

namespace memory::recall {

// Declares them. Called once, when the library is loaded.
void define_settings();

// memory.context_weight: how much of what its conversation lends it a row gets.
double context_weight_setting();
bool fuzzy_setting();

// memory.fusion: how both arms become one ranking where a call does not say.
rank::Fusion fusion_setting();

// memory.recall_signals: what ranks words beyond BM25.
rank::Signals signals_setting();

// memory.exact_vector_rows: up to how many vectors of a user all are compared; nothing where that
// is left to the times that both ways take.
std::optional<std::int64_t> exact_vector_rows();

} // namespace memory::recall
