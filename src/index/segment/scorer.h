// Finds and scores a segment's documents, window by window.
#pragma once

#include "index/segment/reader.h"
#include "rank/bm25.h"

namespace memory::segment {

/// What is looked for. Terms are numbered; a term that the segment does not have has an empty list.
struct Search {
    std::span<PostingList> lists; // by term
    /// By term: what it can add to a score, 0 for terms that only conditions ask for. None at all:
    /// nothing is scored, and `bm25` is not needed.
    std::span<const double> weights;
    const rank::Bm25 *bm25 = nullptr;
    /// A document is found if it has a term of each; at least one condition.
    std::span<const std::pmr::vector<std::uint32_t>> conditions;
    /// Documents that are not to be found, ascending.
    std::span<const std::uint32_t> excluded;
};

struct Found {
    double score;
    std::uint32_t ordinal;
};

/// Appends the documents found, ordinals ascending. Contributions to a score are added in the order
/// of the terms. The lists are rewound before.
void find(Segment &segment, const Search &search, std::pmr::vector<Found> &found,
          std::pmr::memory_resource *memory);

} // namespace memory::segment
