// Decay, relevance, and the greedy choice of maximal marginal relevance.
#include "rank/diversity.h"

#include <cmath>

namespace memory::rank {

double decay(double age, double half_life) { return std::exp2(-std::max(age, 0.0) / half_life); }

// The comparisons are false for NaN, which therefore counts as 0.
double relevance(double score, double most, double cosine) {
    const double by_text = score > 0 && most > 0 ? score / most : 0.0;
    const double by_vector = cosine > 0 ? cosine : 0.0;
    return std::min(std::max(by_text, by_vector), 1.0);
}

MarginalRelevance::MarginalRelevance(std::span<const double> scores, double novelty,
                                     std::pmr::memory_resource *memory)
    : novelty_(novelty), rest_(memory) {
    double highest = 0;
    for (const double score : scores)
        highest = score > highest ? score : highest;
    rest_.reserve(scores.size());
    for (const double score : scores) {
        const double share = score > 0 ? score / highest : 0.0;
        rest_.push_back({.position = rest_.size(), .relevance = (1 - novelty) * share});
    }
}

std::size_t MarginalRelevance::take() {
    auto best = rest_.begin();
    double best_value = best->relevance - novelty_ * best->likest;
    for (auto row = rest_.begin() + 1; row != rest_.end(); ++row) {
        const double value = row->relevance - novelty_ * row->likest;
        if (value > best_value) {
            best = row;
            best_value = value;
        }
    }
    const std::size_t position = best->position;
    rest_.erase(best);
    return position;
}

} // namespace memory::rank
