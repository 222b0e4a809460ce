// What every matching document has, by terms alone: what an index can search for.
#include "index/grammar/pattern.h"

#include <algorithm>

namespace memory::index::grammar {

Necessary::Necessary(std::pmr::memory_resource *memory) : conditions(memory), forbidden(memory) {}

// Whether terms that are looked up answer for the whole group.
bool Pattern::is_settled(const Group &group) const {
    return std::all_of(alternatives_.begin() + group.begin, alternatives_.begin() + group.end,
                       [this](const Alternative &one) {
                           return one.of == Of::term && terms_[one.number].looked_up;
                       });
}

void Pattern::append(const Group &group, std::pmr::vector<std::uint32_t> &terms) const {
    for (std::uint32_t i = group.begin; i < group.end; ++i)
        terms.push_back(alternatives_[i].number);
}

void Pattern::require(const Demand &demand, Necessary &necessary) const {
    necessary.sufficient &= !demand.in_order();
    for (std::uint32_t i = demand.begin; i < demand.end; ++i)
        if (is_settled(groups_[i]))
            append(groups_[i], necessary.conditions.emplace_back());
        else
            necessary.sufficient = false;
}

void Pattern::forbid(const Demand &demand, Necessary &necessary) const {
    const Group &only = groups_[demand.begin];
    if (demand.end - demand.begin == 1 && is_settled(only))
        append(only, necessary.forbidden);
    else
        necessary.sufficient = false;
}

// One of the clauses without a mark: of each, some group must be there.
void Pattern::require_any(Necessary &necessary) const {
    std::pmr::vector<std::uint32_t> any(terms_.get_allocator());
    for (const Demand &demand : demands_) {
        if (demand.mark != Mark::should)
            continue;
        const auto groups = std::span(groups_).subspan(demand.begin, demand.end - demand.begin);
        const auto settled = std::find_if(groups.begin(), groups.end(),
                                          [this](const Group &one) { return is_settled(one); });
        necessary.sufficient &= groups.size() == 1 && settled != groups.end();
        if (settled == groups.end())
            return; // an opening may be all that a match has
        append(*settled, any);
    }
    std::sort(any.begin(), any.end());
    any.erase(std::unique(any.begin(), any.end()), any.end());
    necessary.conditions.push_back(std::move(any));
}

Necessary Pattern::necessary(std::pmr::memory_resource *memory) const {
    Necessary necessary(memory);
    for (const Demand &demand : demands_) {
        if (demand.mark == Mark::must)
            require(demand, necessary);
        if (demand.mark == Mark::must_not)
            forbid(demand, necessary);
    }
    if (!has_must_)
        require_any(necessary);
    return necessary;
}

} // namespace memory::index::grammar
