// The lists of heads (didn) and tails (t).
#include "text/contraction.h"

#include <algorithm>
#include <iterator>

#include "text/characters.h"

namespace memory::text {

namespace {

constexpr std::string_view tails[] = {"s", "t", "d", "m", "ll", "re", "ve"};
constexpr std::string_view heads[] = {
    "ain",    "aren",  "couldn",  "didn", "doesn",  "don",   "hadn",
    "hasn",   "haven", "isn",     "mayn", "mightn", "mustn", "needn",
    "oughtn", "shan",  "shouldn", "wasn", "weren",  "won",   "wouldn",
};

bool equals_lower(std::string_view word, std::string_view lower) {
    return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                      [](char byte, char small) { return ascii_lower(byte) == small; });
}

} // namespace

bool is_contraction_tail(std::string_view atom) noexcept {
    return std::any_of(std::begin(tails), std::end(tails),
                       [&](std::string_view tail) { return equals_lower(atom, tail); });
}

bool is_contraction_head(std::string_view atom) noexcept {
    return std::any_of(std::begin(heads), std::end(heads),
                       [&](std::string_view head) { return equals_lower(atom, head); });
}

} // namespace memory::text
