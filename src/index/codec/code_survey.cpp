// Rows whose sign is sure count by their estimates, the others by a sample of them.
#include "index/codec/code_survey.h"

#include <cmath>

namespace memory::codec {

CodeSurvey::CodeSurvey(const Estimates &estimates, std::pmr::memory_resource *memory,
                       double certainty)
    : deviation_(estimates.deviation), variance_(estimates.variance), certainty_(certainty),
      band_(certainty * estimates.deviation), edge_(estimates.deviation / 2), positive_(memory),
      sample_(memory), low_(memory) {
    read(estimates);
    take_sample(estimates);
    std::sort(low_.begin(), low_.end());
}

void CodeSurvey::read(const Estimates &estimates) {
    for (const EstimatedRow &one : estimates.rows) {
        const auto cosine = static_cast<double>(one.cosine);
        near_edge_ += std::abs(cosine - band_) < edge_;
        if (cosine < -band_)
            continue;
        if (cosine <= band_) {
            ++in_band_;
        } else {
            above_.add(cosine);
            taken_ += variance_ * (1 - cosine * cosine);
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
    above_.squares -= taken_;
    take_selected();
}

// An estimate has no bias, but one of those above the band has: at its edge are more that are too
// high than too low. Where p is the density of estimates e there, their errors are on average
// -variance * p'/p (Tweedie's formula), of which the sum above the edge is variance * p.
void CodeSurvey::take_selected() {
    if (edge_ == 0)
        return;
    const double here = variance_ * (1 - band_ * band_);
    const double sum = here * static_cast<double>(near_edge_) / (2 * edge_);
    above_.cosines -= sum;
    above_.squares -= 2 * band_ * sum;
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
    ++seen_;
    if (cosine > 0) {
        sampled_.add(cosine);
        positive_.push_back(cosine);
    }
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

template <class F>
double CodeSurvey::band_error(F &&f) const {
    if (seen_ < 2 || in_band_ <= seen_)
        return 0;
    const auto seen = static_cast<double>(seen_);
    const auto band = static_cast<double>(in_band_);
    double sum = 0;
    double squares = 0;
    for (const double cosine : positive_) {
        const double value = f(cosine);
        sum += value;
        squares += value * value;
    }
    const double variance = (squares - sum * sum / seen) / (seen - 1);
    return band * band * variance / seen * (1 - seen / band);
}

// Errors of estimates of different rows are taken for independent. docs/codes.md has the sums.
void CodeSurvey::add_errors(CosineFigures &all) const {
    const double mean = all.mean;
    const double variance = all.deviation * all.deviation;
    const double around = above_.squares - 2 * mean * above_.cosines + above_.count * mean * mean;
    const double of_squares =
        4 * variance_ * std::max(0.0, around) + 2 * above_.count * variance_ * variance_;
    const double mean_error = taken_ + band_error([&](double c) { return c - mean; });
    const double variance_error =
        of_squares + band_error([&](double c) { return (c - mean) * (c - mean) - variance; });
    all.mean_error = std::sqrt(mean_error) / all.count;
    if (all.deviation > 0)
        all.deviation_error = std::sqrt(variance_error) / all.count / (2 * all.deviation);
    all.count_error = std::sqrt(band_error([](double) { return 1.0; }));
}

CosineFigures CodeSurvey::figures() const {
    const double times =
        seen_ == 0 ? 0 : static_cast<double>(in_band_) / static_cast<double>(seen_);
    CosineFigures all;
    all.count = above_.count + times * sampled_.count;
    all.lowest = lowest_.value_or(0);
    if (all.count > 0) {
        all.mean = (above_.cosines + times * sampled_.cosines) / all.count;
        const double squares = (above_.squares + times * sampled_.squares) / all.count;
        all.deviation = std::sqrt(std::max(0.0, squares - all.mean * all.mean));
        add_errors(all);
    }
    return all;
}

} // namespace memory::codec
