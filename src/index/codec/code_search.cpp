// Two heaps: of the rows that are left, and of the least of the cosines that count.
#include "index/codec/code_search.h"

#include <cassert>
#include <functional>

namespace memory::codec {

namespace {

// To add all rows again costs more where there are more of them: so more are held.
constexpr std::size_t rows_a_held = 128;

} // namespace

CodeSearch::CodeSearch(std::size_t wanted, double least, std::pmr::memory_resource *memory,
                       double certainty, std::size_t most)
    : wanted_(wanted), least_(least), certainty_(certainty), most_(most), left_(memory),
      passed_(memory), nearest_(memory), beyond_(memory) {}

// Twice as many as are to be held, so that half of them go at once.
void CodeSearch::hold(const EstimatedRow &added) {
    assert(!in_order_);
    left_.push_back(added);
    const std::size_t held = std::max(most_, rows_ / rows_a_held);
    if (left_.size() < 2 * held)
        return;
    const auto last = left_.begin() + static_cast<std::ptrdiff_t>(held);
    std::nth_element(left_.begin(), last, left_.end(),
                     [](const EstimatedRow &a, const EstimatedRow &b) { return b < a; });
    floor_ = *last;
    left_.erase(last, left_.end());
}

Estimates CodeSearch::estimates() const {
    return {left_, passed_, deviation_, rows_ > 0 ? variance_ / static_cast<double>(rows_) : 0};
}

void CodeSearch::want(std::size_t more) {
    wanted_ += more;
    std::pmr::vector<double> kept(beyond_.get_allocator());
    kept.swap(beyond_);
    for (const double cosine : kept)
        keep(cosine);
    if (passed_.empty())
        return;
    left_.insert(left_.end(), passed_.begin(), passed_.end());
    passed_.clear();
    std::make_heap(left_.begin(), left_.end());
}

double CodeSearch::least_cosine() const {
    const bool full = nearest_.size() == wanted_;
    return full ? std::max(least_, nearest_.front()) : least_;
}

double CodeSearch::least_estimate(double deviation) const {
    const double cosine = least_cosine();
    return cosine > -1 ? reach(cosine, deviation, certainty_) : -1;
}

std::optional<Tid> CodeSearch::next() {
    if (!std::exchange(in_order_, true))
        std::make_heap(left_.begin(), left_.end());
    if (wanted_ == 0)
        return std::nullopt;
    while (!left_.empty() &&
           static_cast<double>(left_.front().cosine) >= least_estimate(deviation_)) {
        std::pop_heap(left_.begin(), left_.end());
        const EstimatedRow row = left_.back();
        left_.pop_back();
        ceiling_ = std::min(ceiling_, row);
        if (static_cast<double>(row.cosine) < least_estimate(static_cast<double>(row.deviation))) {
            passed_.push_back(row);
            continue;
        }
        ++read_;
        return row.row;
    }
    return std::nullopt;
}

bool CodeSearch::must_add_again() const {
    const bool holds_all = floor_.cosine == -beyond_cosines;
    return wanted_ > 0 && left_.empty() && !holds_all &&
           static_cast<double>(floor_.cosine) >= least_estimate(deviation_);
}

void CodeSearch::add_again() {
    constexpr std::size_t times = 8;
    most_ *= times;
    floor_ = {-beyond_cosines, 0, {}};
    in_order_ = false;
    variance_ = 0;
    rows_ = 0;
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
