// What happens to a ranking after fusion: novelty (MMR), decay with age, and how relevant a row is
// on a scale from 0 to 1. Formulas: docs/rank.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "text/interruption.h"

namespace memory::rank {

// 0.5^(age/half_life), both in the same unit. A negative age, a time in the future, counts as 0.
// `half_life` > 0.
double decay(double age, double half_life);

// The larger of score/most and the cosine, within [0, 1]. What a row is not ranked on is passed
// as 0; so is `most` where there is no query text.
double relevance(double score, double most, double cosine);

// Picks the next row greedily for being well ranked and unlike those already picked.
class MarginalRelevance {
  public:
    // `scores` are those of the rows in their order, best first; they are copied.
    // `novelty` in [0, 1] is the weight of being unlike the rest; 0 keeps the order.
    MarginalRelevance(std::span<const double> scores, double novelty,
                      std::pmr::memory_resource *memory);

    bool empty() const { return rest_.empty(); }

    // The next row's position in the original order. Not empty.
    std::size_t take();

    // Tells the rest how similar they are to the row just taken; `similarity(a, b)` of two
    // positions is within [0, 1], or is clamped to it.
    template <class Similarity>
    void compare(std::size_t taken, Similarity &&similarity) {
        for (Row &row : rest_)
            row.seen(similarity(row.position, taken));
    }

  private:
    struct Row {
        std::size_t position;
        double relevance;  // (1 − λ)·score/highest
        double likest = 0; // to any row taken

        void seen(double similarity) {
            // false for NaN, which therefore counts as 0
            if (similarity > likest)
                likest = std::min(similarity, 1.0);
        }
    };

    double novelty_;
    std::pmr::vector<Row> rest_; // in the original order
};

// The first `wanted` positions of the re-ordered ranking; asks for no similarity at novelty 0. A
// similarity may be that of long texts, so each is preceded by a check.
template <class Similarity>
std::pmr::vector<std::size_t>
diversified(std::span<const double> scores, double novelty, std::size_t wanted,
            std::pmr::memory_resource *memory, Similarity &&similarity,
            text::Interruption &interruption = text::Interruption::none()) {
    MarginalRelevance ranking(scores, novelty, memory);
    std::pmr::vector<std::size_t> order(memory);
    order.reserve(std::min(wanted, scores.size()));
    while (order.size() < wanted && !ranking.empty()) {
        const std::size_t taken = ranking.take();
        order.push_back(taken);
        if (novelty > 0) {
            ranking.compare(taken, [&](std::size_t a, std::size_t b) {
                interruption.check();
                return similarity(a, b);
            });
        }
    }
    return order;
}

} // namespace memory::rank
