// Decay, relevance, and the greedy choice of maximal marginal relevance.
#include "rank/diversity.h"

#include <cmath>
#include <functional>

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
    : novelty_(novelty), rest_(memory), taken_(memory) {
    double highest = 0;
    for (const double score : scores)
        highest = score > highest ? score : highest;
    rest_.reserve(scores.size());
    for (const double score : scores) {
        const double share = score > 0 ? score / highest : 0.0;
        rest_.push_back({.position = rest_.size(), .relevance = (1 - novelty) * share});
    }
    std::ranges::make_heap(rest_, std::bind_front(&MarginalRelevance::comes_later, this));
}

// Of those worth the same, the better ranked one is first.
bool MarginalRelevance::comes_later(const Row &a, const Row &b) const {
    const double one = a.relevance - novelty_ * a.likest;
    const double other = b.relevance - novelty_ * b.likest;
    return one != other ? one < other : a.position > b.position;
}

MarginalRelevance::Row &MarginalRelevance::first() {
    std::ranges::pop_heap(rest_, std::bind_front(&MarginalRelevance::comes_later, this));
    return rest_.back();
}

std::size_t MarginalRelevance::take_first() {
    taken_.push_back(rest_.back().position);
    rest_.pop_back();
    return taken_.back();
}

void MarginalRelevance::put_back_first() {
    std::ranges::push_heap(rest_, std::bind_front(&MarginalRelevance::comes_later, this));
}

} // namespace memory::rank
