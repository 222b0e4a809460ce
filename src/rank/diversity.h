// What happens to a ranking after fusion: novelty (MMR), decay with age, and how relevant a row is
// on a scale from 0 to 1. Formulas: docs/rank.md.
#pragma once

#include <algorithm>
#include <cstddef>
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

// Picks the next row greedily for being well ranked and unlike those already picked. What a row is
// worth only falls while others are picked: so a row is compared with them when what it was worth
// last is the most of all, and most rows of a long ranking never are.
class MarginalRelevance {
  public:
    // `scores` are those of the rows in their order, best first; they are copied.
    // `novelty` in [0, 1] is the weight of being unlike the rest; 0 keeps the order and asks for no
    // similarity.
    MarginalRelevance(std::span<const double> scores, double novelty,
                      std::pmr::memory_resource *memory);

    bool empty() const { return rest_.empty(); }

    // The next row's position in the original order. Not empty. `similarity(a, b)` of two positions
    // is within [0, 1], or is clamped to it; it is asked for no pair twice.
    template <class Similarity>
    std::size_t take(Similarity &&similarity) {
        for (;;) {
            Row &row = first();
            if (novelty_ == 0 || row.compared == taken_.size())
                return take_first();
            row.see(similarity(row.position, taken_[row.compared]));
            put_back_first();
        }
    }

  private:
    struct Row {
        std::size_t position;
        double relevance;         // (1 − λ)·score/highest
        double likest = 0;        // to any row that it was compared with
        std::size_t compared = 0; // with so many of those taken

        void see(double similarity) {
            ++compared;
            // false for NaN, which therefore counts as 0
            if (similarity > likest)
                likest = std::min(similarity, 1.0);
        }
    };

    // The one that is worth most, for all that it was compared with; it is taken or put back.
    Row &first();
    std::size_t take_first();
    void put_back_first();
    bool comes_later(const Row &a, const Row &b) const;

    double novelty_;
    std::pmr::vector<Row> rest_; // a heap
    std::pmr::vector<std::size_t> taken_;
};

// The first `wanted` positions of the re-ordered ranking. A similarity may be that of long texts,
// so each is preceded by a check.
template <class Similarity>
std::pmr::vector<std::size_t>
diversified(std::span<const double> scores, double novelty, std::size_t wanted,
            std::pmr::memory_resource *memory, Similarity &&similarity,
            text::Interruption &interruption = text::Interruption::none()) {
    MarginalRelevance ranking(scores, novelty, memory);
    std::pmr::vector<std::size_t> order(memory);
    order.reserve(std::min(wanted, scores.size()));
    while (order.size() < wanted && !ranking.empty())
        order.push_back(ranking.take([&](std::size_t a, std::size_t b) {
            interruption.check();
            return similarity(a, b);
        }));
    return order;
}

} // namespace memory::rank
