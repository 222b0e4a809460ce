// See stretch.h.
#include "facts/algebra/stretch.h"

#include <algorithm>

namespace memory::facts::algebra {

namespace {

// Not less than 0 when `a` comes before `b`: the times of a line differ by half a line at most.
double distance(const Place &a, const Place &b) {
    constexpr double times_of_a_line = 0x1p64;
    const double lines = static_cast<double>(b.line) - static_cast<double>(a.line);
    const double times = static_cast<double>(b.at) - static_cast<double>(a.at);
    return lines + times / (2 * times_of_a_line);
}

} // namespace

Stretch joined(const Stretch &a, const Stretch &b) {
    return {std::min(a.from, b.from), std::max(a.until, b.until)};
}

double growth(const Stretch &whole, const Stretch &added) {
    return (added.from < whole.from ? distance(added.from, whole.from) : 0) +
           (whole.until < added.until ? distance(whole.until, added.until) : 0);
}

std::size_t left_of_split(std::size_t count, std::size_t newest, std::size_t room) {
    const bool at_the_end = newest + 1 == count && count <= room + 1;
    return at_the_end ? count - (count + 9) / 10 : count / 2;
}

} // namespace memory::facts::algebra
