// The best of many hits, for callers that must ask of each whether it counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace memory::rank {

// Calls take(part) for one part of `hits` after another, the best first, until it has returned that
// so many count as are wanted; hits of one score are in one part. A hit has a `score`, which is no
// NaN. The hits lose their order. Parts grow, for where few count.
template <class Hit, class Take>
void take_best(std::span<Hit> hits, std::size_t wanted, Take &&take) {
    constexpr std::size_t least = 16;
    constexpr std::size_t growth = 4;
    for (std::size_t part = std::max(least, 2 * wanted); wanted > 0 && !hits.empty();
         part *= growth) {
        std::size_t end = std::min(hits.size(), part);
        std::ranges::partial_sort(hits, hits.begin() + static_cast<std::ptrdiff_t>(end),
                                  std::ranges::greater{}, &Hit::score);
        const std::span<Hit> rest = hits.subspan(end);
        const auto others =
            std::partition(rest.begin(), rest.end(), [last = hits[end - 1].score](const Hit &hit) {
                return hit.score == last;
            });
        end += static_cast<std::size_t>(others - rest.begin());
        wanted -= std::min<std::size_t>(wanted, take(hits.first(end)));
        hits = hits.subspan(end);
    }
}

} // namespace memory::rank
