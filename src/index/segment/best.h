// The best of a segment's documents, without scoring all that match.
#pragma once

#include "index/segment/scorer.h"
#include "rank/top_k.h"

namespace memory::segment {

// A document of one of several sources; what comes first is better of those with equal scores.
struct Place {
    std::uint32_t source;
    std::uint32_t ordinal;

    friend auto operator<=>(const Place &, const Place &) = default;
};
using Best = rank::TopK<Place>;

// Whether find_best() can answer: every document with a score is wanted.
bool wants_all_scored(const Search &search);

// Offers the documents that can be among the best, with the scores that find() gives them. Those
// without a score are not offered. `source` is above all sources offered before.
//
// This is MaxScore (Turtle, Flood 1995) with bounds by blocks, in windows of ordinals. In a
// window every term has a bound; terms whose bounds add up to no more than what is to be beaten
// cannot bring up a document alone. They are only looked up for the documents that the other
// terms, the essential ones, have; and in a block only if its own bound can still make a
// difference. What cannot is not decoded.
void find_best(Segment &segment, const Search &search, std::uint32_t source, Best &best,
               std::pmr::memory_resource *memory);

} // namespace memory::segment
