// Rows whose sign is sure count by their estimates, the others by a sample of them.
#include "index/codec/code_survey.h"

#include <cmath>

namespace memory::codec {

CodeSurvey::CodeSurvey(const Estimates &estimates, std::pmr::memory_resource *memory,
                       double certainty)
    : deviation_(estimates.deviation), certainty_(certainty),
      band_(certainty * estimates.deviation), sample_(memory), low_(memory) {
    read(estimates);
    take_sample(estimates);
    std::sort(low_.begin(), low_.end());
}

void CodeSurvey::read(const Estimates &estimates) {
    double taken = 0; // of squares, by how estimates deviate
    for (const EstimatedRow &one : estimates.rows) {
        const auto cosine = static_cast<double>(one.cosine);
        if (cosine < -band_)
            continue;
        if (cosine <= band_) {
            ++in_band_;
        } else {
            above_.add(cosine);
            taken += estimates.variance * (1 - cosine * cosine);
        }
        if (low_.size() == most_read) {
            if (!(one < low_.front()))
                continue;
            std::pop_heap(low_.begin(), low_.end());
            low_.pop_back();
        }
        low_.push_back(one);
        std::push_heap(low_.begin(), low_.end());
    }
    above_.squares -= taken;
}

// Evenly from those in doubt.
void CodeSurvey::take_sample(const Estimates &estimates) {
    const std::size_t wanted = std::min(most_read, in_band_);
    std::size_t passed = 0;
    for (const EstimatedRow &one : estimates.rows) {
        if (sample_.size() == wanted)
            break;
        if (std::abs(static_cast<double>(one.cosine)) > band_)
            continue;
        if (passed * wanted >= sample_.size() * in_band_)
            sample_.push_back(one.row);
        ++passed;
    }
}

void CodeSurvey::keep_sampled(double cosine) {
    if (cosine > 0)
        sampled_.add(cosine);
    keep_low(cosine);
}

std::optional<Tid> CodeSurvey::next_low() {
    if (read_low_ == low_.size())
        return std::nullopt;
    const EstimatedRow &next = low_[read_low_];
    // As reach(), seen from the other end.
    if (lowest_ && -static_cast<double>(next.cosine) < reach(-*lowest_, deviation_, certainty_))
        return std::nullopt;
    ++read_low_;
    return next.row;
}

void CodeSurvey::keep_low(double cosine) {
    if (cosine > 0)
        lowest_ = std::min(cosine, lowest_.value_or(cosine));
}

CosineFigures CodeSurvey::figures() const {
    const double times =
        sample_.empty() ? 0 : static_cast<double>(in_band_) / static_cast<double>(sample_.size());
    CosineFigures all;
    all.count = above_.count + times * sampled_.count;
    all.lowest = lowest_.value_or(0);
    if (all.count > 0) {
        all.mean = (above_.cosines + times * sampled_.cosines) / all.count;
        const double squares = (above_.squares + times * sampled_.squares) / all.count;
        all.deviation = std::sqrt(std::max(0.0, squares - all.mean * all.mean));
    }
    return all;
}

} // namespace memory::codec
