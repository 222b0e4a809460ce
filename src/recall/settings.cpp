// memory.context_weight, memory.fuzzy, memory.fusion, memory.recall_signals and
// memory.exact_vector_rows.
#include "recall/settings.h"

#include "pg/entry.h"

#include <algorithm>
#include <array>
#include <climits>
#include <string_view>

namespace memory::recall {

namespace {

constinit double context_weight = 1.0;
constinit bool fuzzy = true;
constinit int exact_rows = -1;
constinit int fusion = static_cast<int>(rank::Fusion::blend);

const config_enum_entry fusion_choices[] = {
    {"blend", static_cast<int>(rank::Fusion::blend), false},
    {"rrf", static_cast<int>(rank::Fusion::rrf), false},
    {"rrf_replicated", static_cast<int>(rank::Fusion::rrf_replicated), false},
    {nullptr, 0, false},
};

constinit char *signals = nullptr;

struct NamedSignal {
    std::string_view name;
    bool rank::Signals::*is_on;
};
constexpr std::array named_signals{
    NamedSignal{"coverage", &rank::Signals::coverage},
    NamedSignal{"terms", &rank::Signals::terms},
    NamedSignal{"roles", &rank::Signals::roles},
    NamedSignal{"evidence", &rank::Signals::evidence},
    NamedSignal{"dates", &rank::Signals::dates},
    NamedSignal{"names", &rank::Signals::names},
    NamedSignal{"order", &rank::Signals::order},
};

// All but order: to read texts costs more than it brings.
constexpr const char *usual_signals = "coverage,terms,roles,evidence,dates,names";

// Of `all`, `none`, or names with commas between; nothing of anything else.
std::optional<rank::Signals> signals_of(std::string_view list) {
    rank::Signals read;
    if (list == "all" || list == "none") {
        for (const NamedSignal &one : named_signals)
            read.*one.is_on = list == "all";
        return read;
    }
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t end = std::min(list.find(',', from), list.size());
        std::string_view name = list.substr(from, end - from);
        name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
        name = name.substr(0, name.find_last_not_of(' ') + 1);
        const auto *const known =
            std::find_if(named_signals.begin(), named_signals.end(),
                         [name](const auto &one) { return one.name == name; });
        if (known == named_signals.end())
            return std::nullopt;
        read.*known->is_on = true;
        from = end + 1;
    }
    return read;
}

bool check_signals(char **value, void **, GucSource) {
    return pg::entry([value] {
        if (*value != nullptr && signals_of(*value))
            return true;
        GUC_check_errdetail("It must be all, none, or some of coverage, terms, roles, evidence, "
                            "dates, names and order, with commas between.");
        return false;
    });
}

} // namespace

void define_settings() {
    DefineCustomRealVariable(
        "memory.context_weight",
        "How much neighbours and session lend to an episode's score in recall.", "0 turns it off.",
        &context_weight, context_weight, 0, 1, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    DefineCustomBoolVariable("memory.fuzzy",
                             "Whether a recall also looks for what words may mean that no episode "
                             "of the user has.",
                             "Used where a call's fuzzy is not given: docs/recall.md.", &fuzzy,
                             fuzzy, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    DefineCustomEnumVariable("memory.fusion",
                             "How a recall fuses the rankings by words and by vectors.",
                             "Used where a call's fusion is not given.", &fusion, fusion,
                             fusion_choices, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    DefineCustomStringVariable(
        "memory.recall_signals", "What ranks the words of a recall beyond BM25.",
        "all, none, or some of coverage, terms, roles, evidence, dates, names and order: "
        "docs/recall.md.",
        &signals, usual_signals, PGC_USERSET, 0, check_signals, nullptr, nullptr);
    DefineCustomIntVariable(
        "memory.exact_vector_rows", "Up to how many vectors of a user are compared one by one.",
        "Above it, the vector index is used where there is one; -1: where that "
        "is expected to take less time.",
        &exact_rows, exact_rows, -1, INT_MAX, PGC_USERSET, 0, nullptr, nullptr, nullptr);
}

double context_weight_setting() { return context_weight; }

bool fuzzy_setting() { return fuzzy; }

rank::Fusion fusion_setting() { return static_cast<rank::Fusion>(fusion); }

rank::Signals signals_setting() { return *signals_of(signals); }

std::optional<std::int64_t> exact_vector_rows() {
    return exact_rows < 0 ? std::nullopt : std::optional<std::int64_t>(exact_rows);
}

} // namespace memory::recall
