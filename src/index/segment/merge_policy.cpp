// Classes by the logarithm of the documents; bounds that grow with the number of runs.
#include "index/segment/merge_policy.h"

#include <algorithm>
#include <array>
#include <bit>

namespace memory::segment {

namespace {

constexpr std::size_t most_sizes = 64;

// A page holds some thousand postings, which are read twice and written: .4 ms. Four small segments
// are within the bound.
constexpr MergeBound in_an_insert{4096, 20};
constexpr Size largest_small{1024, 4};

// Runs from which an INSERT merges large segments, of so many times as many pages; and again for as
// many runs more as `patience`.
constexpr unsigned step = 4;
constexpr std::size_t runs_without_help = 16;
constexpr std::size_t runs_with_help = 32;
constexpr std::size_t patience = 8;

constexpr std::size_t runs_to_merge_apart = 24;

unsigned class_of(const Size &size) {
    return static_cast<unsigned>(std::bit_width(std::max(size.documents, 64U) / 64)) / 2;
}

constexpr unsigned classes = 32 / 2 + 1;

// The smallest of `places` that are within the bound together, as bits.
std::uint64_t smallest(std::span<const Size> sizes, std::span<std::uint8_t> places,
                       MergeBound most) {
    std::stable_sort(places.begin(), places.end(), [&](std::uint8_t a, std::uint8_t b) {
        return sizes[a].pages < sizes[b].pages;
    });
    std::uint64_t chosen = 0;
    for (const std::uint8_t place : places) {
        if (sizes[place].pages > most.pages || sizes[place].documents > most.documents)
            continue;
        most.pages -= sizes[place].pages;
        most.documents -= sizes[place].documents;
        chosen |= std::uint64_t{1} << place;
    }
    return chosen;
}

} // namespace

bool is_small(Size size) {
    return size.documents <= largest_small.documents && size.pages <= largest_small.pages;
}

std::uint64_t choose_merge(std::span<const Size> sizes, Which which, MergeBound most) {
    const auto is_of = [which](const Size &size) {
        return which == Which::all || is_small(size) == (which == Which::small);
    };
    for (unsigned wanted = 0; wanted < classes; ++wanted) {
        std::array<std::uint8_t, most_sizes> places;
        std::size_t count = 0;
        for (std::size_t i = 0; i < std::min(sizes.size(), most_sizes); ++i)
            if (is_of(sizes[i]) && class_of(sizes[i]) == wanted)
                places[count++] = static_cast<std::uint8_t>(i);
        if (count < fan_in)
            continue;
        const std::uint64_t chosen = smallest(sizes, std::span(places).first(count), most);
        if (std::popcount(chosen) >= static_cast<int>(fan_in))
            return chosen;
    }
    return 0;
}

MergeBound bound_of_insert(std::uint32_t sealed) {
    return {in_an_insert.documents,
            in_an_insert.pages - std::min<std::uint64_t>(sealed, in_an_insert.pages)};
}

MergeBound bound_of_large_merge(std::size_t runs, bool helped, bool of_update) {
    const std::size_t from = helped ? runs_with_help : runs_without_help;
    std::size_t steps = of_update ? 1 : 0;
    if (runs >= from)
        steps = (runs - from) / patience + 1;
    if (steps == 0)
        return {0, 0};
    MergeBound bound = in_an_insert;
    for (; steps > 0; --steps)
        bound = {bound.documents * step, bound.pages * step};
    return {std::min(bound.documents, bound_apart.documents), bound.pages};
}

bool merges_apart(std::span<const Size> sizes) {
    return sizes.size() >= runs_to_merge_apart &&
           choose_merge(sizes, Which::large, bound_apart) != 0;
}

} // namespace memory::segment
