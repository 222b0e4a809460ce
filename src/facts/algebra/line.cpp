#include "facts/algebra/line.h"

#include <algorithm>

namespace memory::facts::algebra {

namespace {

// Whether `held` begins where a belief in the same object ends: then it begins nothing.
bool goes_on(std::span<const Held> all, const Held &held) {
    return std::any_of(all.begin(), all.end(), [&](const Held &other) {
        return other.object == held.object && other.valid.until == held.valid.from;
    });
}

// Cuts `hole` out of the belief with this index.
void cut(Change &change, std::size_t index, const Span &valid, const Span &hole) {
    change.gives_way.push_back(index);
    if (valid.from < hole.from)
        change.remnants.push_back({index, {valid.from, hole.from}});
    if (hole.until < valid.until)
        change.remnants.push_back({index, {hole.until, valid.until}});
}

// `valid` with everything of `object` that it touches, directly or through what it touches.
Span reach(std::span<const Held> held, Object object, Span valid) {
    for (bool grows = true; grows;) {
        grows = false;
        for (const Held &one : held) {
            if (one.object != object || !touch(one.valid, valid))
                continue;
            const Span wider{std::min(valid.from, one.valid.from),
                             std::max(valid.until, one.valid.until)};
            grows |= wider != valid;
            valid = wider;
        }
    }
    return valid;
}

} // namespace

Instant open_end(std::span<const Held> held, Instant from) {
    Instant end = forever;
    for (const Held &one : held)
        if (one.valid.from > from && one.valid.from < end && !goes_on(held, one))
            end = one.valid.from;
    return end;
}

Assertion assert_in(std::span<const Held> held, Object object, Span valid,
                    std::pmr::memory_resource *memory) {
    Assertion assertion(memory);
    assertion.valid = reach(held, object, valid);
    for (std::size_t i = 0; i < held.size(); ++i) {
        const Held &one = held[i];
        if (one.object == object && touch(one.valid, assertion.valid))
            assertion.taken_up.push_back(i);
        else if (one.object != object && overlap(one.valid, valid))
            cut(assertion, i, one.valid, valid);
    }
    return assertion;
}

Change retract_in(std::span<const Held> held, std::optional<Object> object, Span valid,
                  std::pmr::memory_resource *memory) {
    Change change(memory);
    for (std::size_t i = 0; i < held.size(); ++i)
        if (object.value_or(held[i].object) == held[i].object && overlap(held[i].valid, valid))
            cut(change, i, held[i].valid, valid);
    return change;
}

} // namespace memory::facts::algebra
