// memory.context_weight and memory.exact_vector_rows.
#include "recall/settings.h"

#include "pg/backend.h"

#include <climits>

namespace memory::recall {

namespace {

constinit double context_weight = 1.0;
constinit int exact_rows = -1;

} // namespace

void define_settings() {
    DefineCustomRealVariable(
        "memory.context_weight",
        "How much neighbours and session lend to an episode's score in recall.", "0 turns it off.",
        &context_weight, context_weight, 0, 1, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    DefineCustomIntVariable(
        "memory.exact_vector_rows", "Up to how many vectors of a user are compared one by one.",
        "Above it, the vector index is used where there is one; -1: where that "
        "is expected to take less time.",
        &exact_rows, exact_rows, -1, INT_MAX, PGC_USERSET, 0, nullptr, nullptr, nullptr);
}

double context_weight_setting() { return context_weight; }

std::optional<std::int64_t> exact_vector_rows() {
    return exact_rows < 0 ? std::nullopt : std::optional<std::int64_t>(exact_rows);
}

} // namespace memory::recall
