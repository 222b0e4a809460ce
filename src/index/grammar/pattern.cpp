// Evaluates a pattern with the three values no, maybe, yes: "all" is their minimum, "one of" their
// maximum.
#include "index/grammar/pattern.h"

#include <algorithm>

#include "text/terms.h"

namespace memory::index::grammar {

namespace {

Answer negated(Answer answer) {
    return answer == Answer::no ? Answer::yes : answer == Answer::yes ? Answer::no : Answer::maybe;
}

} // namespace

Pattern::Pattern(std::pmr::memory_resource *memory)
    : bytes_(memory), terms_(memory), prefixes_(memory), nears_(memory), alternatives_(memory),
      groups_(memory), demands_(memory) {}

std::optional<std::uint32_t> Pattern::find(std::string_view term, bool weak) const {
    const auto bare = [](const PatternTerm &known) {
        const bool is_weak = known.term.front() == text::weak_mark;
        return std::pair(is_weak, known.term.substr(is_weak ? 1 : 0));
    };
    const auto place =
        std::partition_point(terms_.begin(), terms_.end(), [&](const PatternTerm &known) {
            const auto [is_weak, stored] = bare(known);
            return is_weak != weak ? is_weak : stored < term;
        });
    if (place == terms_.end() || bare(*place) != std::pair(weak, term))
        return std::nullopt;
    return static_cast<std::uint32_t>(place - terms_.begin());
}

Answer Pattern::answer(std::span<const Answer> terms, std::span<const Answer> openings) const {
    return answer(Known{terms, openings, nullptr});
}

bool Pattern::matches(std::span<const Answer> terms, std::span<const Answer> openings,
                      const Phrases &phrases) const {
    return answer(Known{terms, openings, &phrases}) == Answer::yes;
}

Answer Pattern::answer(const Known &known) const {
    Answer all = Answer::yes;
    Answer any = Answer::no;
    for (const Demand &demand : demands_) {
        if (demand.mark == Mark::should && has_must_)
            continue; // it only adds to the score
        const Answer found = answer(demand, known);
        if (demand.mark == Mark::should)
            any = std::max(any, found);
        else
            all = std::min(all, demand.mark == Mark::must ? found : negated(found));
        if (all == Answer::no)
            return all;
    }
    return has_must_ ? all : std::min(all, any);
}

Answer Pattern::answer(const Demand &demand, const Known &known) const {
    const auto groups = std::span(groups_).subspan(demand.begin, demand.end - demand.begin);
    Answer all = Answer::yes;
    for (const Group &group : groups) {
        all = std::min(all, answer(group, known));
        if (all == Answer::no)
            return all;
    }
    if (!demand.in_order())
        return all;
    if (known.phrases == nullptr)
        return Answer::maybe;
    return known.phrases->stands(demand.phrase) ? Answer::yes : Answer::no;
}

Answer Pattern::answer(const Group &group, const Known &known) const {
    Answer any = Answer::no;
    for (std::uint32_t i = group.begin; i < group.end && any != Answer::yes; ++i) {
        const Alternative &one = alternatives_[i];
        any = std::max(any, (one.of == Of::term ? known.terms : known.openings)[one.number]);
    }
    return any;
}

Phrases Pattern::phrases(std::pmr::memory_resource *memory) const {
    Phrases phrases(memory);
    for (const Demand &demand : demands_) {
        if (!demand.in_order())
            continue;
        phrases.begin();
        for (std::uint32_t group = demand.begin; group < demand.end; ++group)
            for (std::uint32_t i = groups_[group].begin; i < groups_[group].end; ++i)
                phrases.allow(groups_[group].offset, alternatives_[i].number);
    }
    phrases.prepare();
    return phrases;
}

} // namespace memory::index::grammar
