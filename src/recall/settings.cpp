// memory.context_weight, memory.fusion and memory.exact_vector_rows.
#include "recall/settings.h"

#include "pg/backend.h"

#include <climits>

namespace memory::recall {

namespace {

constinit double context_weight = 1.0;
constinit int exact_rows = -1;
constinit int fusion = static_cast<int>(rank::Fusion::blend);

const config_enum_entry fusion_choices[] = {
    {"blend", static_cast<int>(rank::Fusion::blend), false},
    {"rrf", static_cast<int>(rank::Fusion::rrf), false},
    {"rrf_replicated", static_cast<int>(rank::Fusion::rrf_replicated), false},
    {nullptr, 0, false},
};

} // namespace

void define_settings() {
    DefineCustomRealVariable(
        "memory.context_weight",
        "How much neighbours and session lend to an episode's score in recall.", "0 turns it off.",
        &context_weight, context_weight, 0, 1, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    DefineCustomEnumVariable("memory.fusion",
                             "How a recall fuses the rankings by words and by vectors.",
                             "Used where a call's fusion is not given.", &fusion, fusion,
                             fusion_choices, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    DefineCustomIntVariable(
        "memory.exact_vector_rows", "Up to how many vectors of a user are compared one by one.",
        "Above it, the vector index is used where there is one; -1: where that "
        "is expected to take less time.",
        &exact_rows, exact_rows, -1, INT_MAX, PGC_USERSET, 0, nullptr, nullptr, nullptr);
}

double context_weight_setting() { return context_weight; }

rank::Fusion fusion_setting() { return static_cast<rank::Fusion>(fusion); }

std::optional<std::int64_t> exact_vector_rows() {
    return exact_rows < 0 ? std::nullopt : std::optional<std::int64_t>(exact_rows);
}

} // namespace memory::recall
