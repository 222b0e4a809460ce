// Putting many hits in order, best first; and sets as sorted arrays.
#pragma once

#include "rank/top_k.h"

#include <span>
#include <vector>

namespace memory::rank {

// Leaves each value once, ascending.
template <class Value>
void make_distinct(std::pmr::vector<Value> &values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Leaves `hits` in the order of better(). Scores are finite. Each is thrown into one of as many
// drawers as there are hits, which divide the range of the scores evenly, and what is in one
// drawer is sorted: twice as fast as sorting them all where scores spread, and never worse than
// that.
template <class Key>
void put_in_order(std::pmr::vector<Scored<Key>> &hits) {
    using Hit = Scored<Key>;
    constexpr std::size_t few = 256;
    if (hits.size() <= few) {
        std::sort(hits.begin(), hits.end(), better<Key>);
        return;
    }
    const auto [least, most] = std::minmax_element(
        hits.begin(), hits.end(), [](const Hit &a, const Hit &b) { return a.score < b.score; });
    const double top = most->score;
    const double range = top - least->score;
    const double drawers = static_cast<double>(hits.size() - 1);
    const auto drawer_of = [=](const Hit &hit) {
        return range > 0 ? static_cast<std::size_t>((top - hit.score) / range * drawers) : 0;
    };
    // Where each drawer begins; while it is filled, where its next one goes.
    std::pmr::vector<std::uint32_t> places(hits.size() + 1, hits.get_allocator());
    for (const Hit &hit : hits)
        ++places[drawer_of(hit) + 1];
    std::partial_sum(places.begin(), places.end(), places.begin());
    std::pmr::vector<Hit> ordered(hits.size(), hits.get_allocator());
    for (const Hit &hit : hits)
        ordered[places[drawer_of(hit)]++] = hit;
    std::size_t from = 0;
    for (const std::size_t end : places) {
        if (end > from + 1) {
            std::sort(ordered.begin() + static_cast<std::ptrdiff_t>(from),
                      ordered.begin() + static_cast<std::ptrdiff_t>(end), better<Key>);
        }
        from = std::max(from, end);
    }
    hits.swap(ordered);
}

} // namespace memory::rank
