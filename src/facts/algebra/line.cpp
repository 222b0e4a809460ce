#include "facts/algebra/line.h"

#include <algorithm>

namespace memory::facts::algebra {

namespace {

// Indexes of neighbours, from first up to last.
struct Run {
    std::size_t first;
    std::size_t last;
};

// Those that touch `valid`.
Run touching(std::span<const Held> held, const Span &valid) {
    const auto first = std::partition_point(
        held.begin(), held.end(), [&](const Held &one) { return one.valid.until < valid.from; });
    const auto last = std::partition_point(
        first, held.end(), [&](const Held &one) { return one.valid.from <= valid.until; });
    return {static_cast<std::size_t>(first - held.begin()),
            static_cast<std::size_t>(last - held.begin())};
}

// Whether it begins where a belief in the same object ends: then it begins nothing.
bool goes_on(std::span<const Held> held, std::size_t index) {
    return index > 0 && held[index - 1].object == held[index].object &&
           held[index - 1].valid.until == held[index].valid.from;
}

// `run` with the pieces of one object that go on beyond it, on either side.
Run with_all_pieces(std::span<const Held> held, Run run, Object object) {
    if (run.first == run.last)
        return run;
    while (held[run.first].object == object && goes_on(held, run.first))
        --run.first;
    while (held[run.last - 1].object == object && run.last < held.size() && goes_on(held, run.last))
        ++run.last;
    return run;
}

// Cuts `hole` out of the belief with this index.
void cut(Change &change, std::span<const Held> held, std::size_t index, const Span &hole) {
    const Span &valid = held[index].valid;
    change.ended.push_back(index);
    if (valid.from < hole.from)
        change.remnants.push_back({index, {valid.from, hole.from}});
    if (hole.until < valid.until)
        change.remnants.push_back({index, {hole.until, valid.until}});
}

} // namespace

Instant open_end(std::span<const Held> held, Instant from) {
    const auto later = std::partition_point(
        held.begin(), held.end(), [&](const Held &one) { return one.valid.from <= from; });
    auto index = static_cast<std::size_t>(later - held.begin());
    while (index < held.size() && goes_on(held, index))
        ++index;
    return index < held.size() ? held[index].valid.from : forever;
}

Assertion assert_in(std::span<const Held> held, Object object, Span valid,
                    std::pmr::memory_resource *memory) {
    Assertion assertion(memory);
    assertion.valid = valid;
    const Run run = with_all_pieces(held, touching(held, valid), object);
    for (std::size_t i = run.first; i < run.last; ++i) {
        const Held &one = held[i];
        if (one.object == object) {
            assertion.ended.push_back(i);
            assertion.taken_up.push_back(i);
            assertion.valid.from = std::min(assertion.valid.from, one.valid.from);
            assertion.valid.until = std::max(assertion.valid.until, one.valid.until);
        } else if (overlap(one.valid, valid)) {
            cut(assertion, held, i, valid);
        }
    }
    return assertion;
}

Change retract_in(std::span<const Held> held, std::optional<Object> object, Span valid,
                  std::pmr::memory_resource *memory) {
    Change change(memory);
    const Run run = touching(held, valid);
    for (std::size_t i = run.first; i < run.last; ++i)
        if (object.value_or(held[i].object) == held[i].object && overlap(held[i].valid, valid))
            cut(change, held, i, valid);
    return change;
}

} // namespace memory::facts::algebra
