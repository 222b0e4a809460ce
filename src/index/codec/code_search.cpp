// Two heaps: of the rows that are left, and of the least of the cosines that count.
#include "index/codec/code_search.h"

#include <cassert>
#include <functional>

namespace memory::codec {

CodeSearch::CodeSearch(std::size_t wanted, double least, std::pmr::memory_resource *memory,
                       double certainty)
    : wanted_(wanted), least_(least), certainty_(certainty), left_(memory), nearest_(memory),
      beyond_(memory) {}

void CodeSearch::add(const Tid &row, const Estimate &estimate) {
    assert(read_ == 0);
    left_.push_back({estimate.cosine, row});
    deviation_ = std::max(deviation_, estimate.deviation);
    variance_ += estimate.deviation * estimate.deviation;
    ++rows_;
}

Estimates CodeSearch::estimates() const {
    return {left_, deviation_, rows_ > 0 ? variance_ / static_cast<double>(rows_) : 0};
}

void CodeSearch::want(std::size_t more) {
    wanted_ += more;
    std::pmr::vector<double> kept(beyond_.get_allocator());
    kept.swap(beyond_);
    for (const double cosine : kept)
        keep(cosine);
}

double CodeSearch::least_estimate() const {
    const bool full = nearest_.size() == wanted_;
    const double cosine = full ? std::max(least_, nearest_.front()) : least_;
    return cosine > -1 ? reach(cosine, deviation_, certainty_) : -1;
}

std::optional<Tid> CodeSearch::next() {
    if (read_ == 0)
        std::make_heap(left_.begin(), left_.end());
    if (wanted_ == 0 || left_.empty() || left_.front().cosine < least_estimate())
        return std::nullopt;
    std::pop_heap(left_.begin(), left_.end());
    const Tid row = left_.back().row;
    left_.pop_back();
    ++read_;
    return row;
}

void CodeSearch::keep(double cosine) {
    if (cosine <= least_)
        return;
    if (nearest_.size() == wanted_) {
        if (cosine <= nearest_.front())
            return beyond_.push_back(cosine);
        std::pop_heap(nearest_.begin(), nearest_.end(), std::greater<>());
        beyond_.push_back(nearest_.back());
        nearest_.pop_back();
    }
    nearest_.push_back(cosine);
    std::push_heap(nearest_.begin(), nearest_.end(), std::greater<>());
}

} // namespace memory::codec
