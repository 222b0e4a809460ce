// See stretch.h.
#include "facts/algebra/stretch.h"

#include <algorithm>

namespace memory::facts::algebra {

namespace {

// b - a, rounded once: numbers of lines and tenants are too large for the difference of two
// doubles.
template <class Integer>
double difference(Integer a, Integer b) {
    const auto unsigned_a = static_cast<std::uint64_t>(a);
    const auto unsigned_b = static_cast<std::uint64_t>(b);
    return a <= b ? static_cast<double>(unsigned_b - unsigned_a)
                  : -static_cast<double>(unsigned_a - unsigned_b);
}

// Not less than 0 when `a` comes before `b`: one step of a coordinate is worth more than all that
// the next one can take back.
double distance(const Place &a, const Place &b) {
    constexpr double of_a_tenant = 0x1p60;
    constexpr double of_a_line = 0x1p-4;
    constexpr double of_a_microsecond = of_a_line * 0x1p-65;
    return std::max(0.0, difference(a.tenant, b.tenant) * of_a_tenant +
                             difference(a.line, b.line) * of_a_line +
                             difference(a.at, b.at) * of_a_microsecond);
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
