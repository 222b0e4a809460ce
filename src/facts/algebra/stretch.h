// Stretches of lines of time, and what an index over them asks: the arithmetic of the exclusion
// constraint of memory.facts (docs/facts.md), and nothing else.
#pragma once

#include "facts/algebra/line.h"

#include <compare>
#include <cstddef>
#include <span>

namespace memory::facts::algebra {

// A time on a numbered line of a tenant. All times of a line come before those of the next one, all
// lines of a tenant before those of the next one.
struct Place {
    std::uint64_t tenant; // the beginning of a hash that tells tenants apart
    std::int64_t line;
    Instant at;

    friend auto operator<=>(const Place &, const Place &) = default;
};

// [from, until), never empty: of one line, or as an index bounds those of several.
struct Stretch {
    Place from;
    Place until;

    friend bool operator==(const Stretch &, const Stretch &) = default;
};

constexpr bool overlap(const Stretch &a, const Stretch &b) {
    return a.from < b.until && b.from < a.until;
}

// The smallest that holds both.
Stretch joined(const Stretch &a, const Stretch &b);

// How much longer `whole` would be if it held `added`, too. A tenant counts as much as 2^64 lines,
// a line as much as twice all of its times; 2^125 at most.
double growth(const Stretch &whole, const Stretch &added);

// How many of `count` entries, which are in order, go to the left of two pages that hold `room`
// each; `newest` is the place of the one that came last. If that is the greatest, ascending inserts
// are assumed, and nine tenths go to the left; where more than a page is split, the index is being
// built by sorting, and the split is even.
std::size_t left_of_split(std::size_t count, std::size_t newest, std::size_t room);

} // namespace memory::facts::algebra
