// What a new belief does to the beliefs that are held: the arithmetic of valid time, and nothing
// else. docs/facts.md has the rules with pictures. What it takes grows with the beliefs that a
// change meets, not with those of the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

namespace memory::facts::algebra {

// Microseconds; the ends of the range are the infinities.
using Instant = std::int64_t;
inline constexpr Instant beginning = std::numeric_limits<Instant>::min();
inline constexpr Instant forever = std::numeric_limits<Instant>::max();

// [from, until), never empty.
struct Span {
    Instant from;
    Instant until;

    friend bool operator==(const Span &, const Span &) = default;
};

constexpr bool overlap(const Span &a, const Span &b) {
    return a.from < b.until && b.from < a.until;
}

// Objects are told apart by number; what they are is the caller's.
using Object = std::uint32_t;

// One of the beliefs that are held now. Those of a line are disjoint, and given in the order of
// time.
struct Held {
    Span valid;
    Object object;
};

// What is left of a belief that gave way.
struct Remnant {
    std::size_t of; // its index among those held
    Span valid;
};

struct Change {
    explicit Change(std::pmr::memory_resource *memory) : ended(memory), remnants(memory) {}

    std::pmr::vector<std::size_t> ended; // indexes of those that are held no more, ascending
    std::pmr::vector<Remnant> remnants;  // what goes on of them
};

struct Assertion : Change {
    explicit Assertion(std::pmr::memory_resource *memory) : Change(memory), taken_up(memory) {}

    Span valid{};                           // of the one belief that the object now has there
    std::pmr::vector<std::size_t> taken_up; // of those that have ended, what became part of it
};

// The end of an assertion from `from` that names none: where the next change is known to begin,
// whatever its object, else `forever`. Touching pieces of one object are no change.
Instant open_end(std::span<const Held> held, Instant from);

// `object` holds during `valid`: others give way just there, and what it touches of the same object
// is taken up.
Assertion assert_in(std::span<const Held> held, Object object, Span valid,
                    std::pmr::memory_resource *memory);

// Nothing holds during `valid`, or `object` does not.
Change retract_in(std::span<const Held> held, std::optional<Object> object, Span valid,
                  std::pmr::memory_resource *memory);

} // namespace memory::facts::algebra
