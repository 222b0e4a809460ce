// The three fusions as sums of two shares, and the exact sum of reciprocal ranks.
#include "rank/fusion.h"

#include <algorithm>
#include <cmath>

namespace memory::rank {

namespace {

// Copies of a list in replicated fusion. Python's round, which the model uses, takes a half to the
// even neighbour; std::round would not.
double copies(double weight) {
    const double scaled = weight * 4;
    const double below = std::floor(scaled);
    const double fraction = scaled - below;
    const bool up = fraction > 0.5 || (fraction == 0.5 && std::fmod(below, 2) != 0);
    return std::max(1.0, up ? below + 1 : below);
}

// 61/61 is exactly 1, so the best rank is worth exactly its weight.
double reciprocal(const Standing &arm, double k) { return (k + 1) / (k + arm.rank); }

// Repeated addition, not a product: it rounds as the model's loop over replicated lists does.
double add_copies(double score, const Standing &arm, double times) {
    const double vote = 1 / (usual_rrf_k + arm.rank);
    for (; arm.ranked() && times > 0; --times)
        score += vote;
    return score;
}

// The comparisons are false for NaN, which therefore counts as 0.
double share(double score, double highest, double floor = 0) {
    return score > floor && highest > floor ? std::min((score - floor) / (highest - floor), 1.0)
                                            : 0.0;
}

// The cosines of all rows lie close together, so the best few are to stand out of them.
double vector_share(double score, const Scale &scale) {
    const double linear = share(score, scale.vector, scale.vector_floor);
    return linear * std::sqrt(linear);
}

constexpr std::size_t least_sample = 24;
constexpr std::size_t not_in_tail = 4; // a question may have some answers
constexpr double shortest_lead = 1;
constexpr double longest_lead = 10;

// What an arm's weight is multiplied by: 1 at the lead that it usually has. Vectors that know
// nothing have that lead, too; one that is longer is seldom by chance. By measurement:
// docs/recall.md.
//
// A lead says nothing where many rows are nearly as near as the best, as they are to a mean of word
// vectors: of short texts one has the very words, and leads. Such a best does not stand high over
// all.
double vector_trust(double lead, std::optional<double> height) {
    const double by_lead = std::sqrt(1.25 * (lead - 1));
    const double most = height ? std::max(*height, *height * *height * *height) : by_lead;
    return std::max(0.2, std::min(by_lead, most));
}

// What is left of it beside words that know more than BM25, by whose lead it was chosen: all where
// the best stands higher than it does by chance. Not 0: an alpha of 1 stays 1.
double trust_beside_signals(double height) {
    const double part = std::clamp(height / 1.15, 0.1, 1.0);
    return part * part * part * part;
}

double lexical_trust(double lead) { return std::cbrt(lead / 5); }

} // namespace

std::optional<double> lead_of(std::span<const double> best) {
    if (best.size() < least_sample)
        return std::nullopt;
    const std::span<const double> tail = best.subspan(not_in_tail);
    double above = 0;
    for (const double score : tail)
        above += score - tail.back();
    const double ahead = (best.front() - tail.front()) * static_cast<double>(tail.size());
    // So written that a tail of equal scores, and NaN, divide nothing.
    if (!(ahead > shortest_lead * above))
        return shortest_lead;
    return ahead < longest_lead * above ? ahead / above : longest_lead;
}

std::optional<double> height_of(double best, double mean, double deviation, std::size_t count) {
    if (count < least_sample || !(deviation > 0))
        return std::nullopt;
    return (best - mean) / (deviation * std::sqrt(2 * std::log(static_cast<double>(count))));
}

double blend_weight(double alpha, const Scale &scale) {
    double vector =
        alpha * (scale.vector_lead ? vector_trust(*scale.vector_lead, scale.vector_height) : 1);
    if (scale.words_know_more && scale.vector_height)
        vector *= trust_beside_signals(*scale.vector_height);
    const double lexical =
        (1 - alpha) * (scale.lexical_lead ? lexical_trust(*scale.lexical_lead) : 1);
    return vector / (vector + lexical);
}

Fuser::Fuser(Fusion method, double alpha, const Scale &scale, double rrf_k)
    : method_(method), lexical_weight_(1 - alpha), vector_weight_(alpha), scale_(scale),
      rrf_k_(rrf_k) {
    if (method == Fusion::blend) {
        vector_weight_ = blend_weight(alpha, scale);
        lexical_weight_ = 1 - vector_weight_;
    } else if (method == Fusion::rrf_replicated) {
        lexical_weight_ = copies(lexical_weight_);
        vector_weight_ = copies(vector_weight_);
    }
}

std::optional<double> Fuser::score(const Standing &lexical, const Standing &vector) const {
    const bool by_text = lexical.ranked() && lexical_weight_ > 0;
    const bool by_vector = vector.ranked() && vector_weight_ > 0;
    if (!by_text && !by_vector)
        return std::nullopt;
    if (method_ == Fusion::rrf_replicated)
        return add_copies(add_copies(0, lexical, lexical_weight_), vector, vector_weight_);
    const bool blend = method_ == Fusion::blend;
    double score = 0;
    if (by_text) {
        score += lexical_weight_ *
                 (blend ? share(lexical.score, scale_.lexical) : reciprocal(lexical, rrf_k_));
    }
    if (by_vector) {
        score += vector_weight_ *
                 (blend ? vector_share(vector.score, scale_) : reciprocal(vector, rrf_k_));
    }
    return score;
}

double single_arm_alpha(Fusion method, bool vector_arm, double alpha) {
    if (method == Fusion::rrf_replicated)
        return alpha;
    return vector_arm ? 1 : 0;
}

ReciprocalRankSum::Refusal ReciprocalRankSum::check(std::int64_t rank, double weight,
                                                    std::int64_t k) {
    if (rank < 1)
        return Refusal::rank_below_one;
    if (!std::isfinite(weight))
        return Refusal::weight_not_finite;
    return k < 0 ? Refusal::k_negative : Refusal::none;
}

void ReciprocalRankSum::add(std::int64_t rank, double weight, std::int64_t k) {
    add(weight / (static_cast<double>(k) + static_cast<double>(rank)));
}

void ReciprocalRankSum::merge(const ReciprocalRankSum &other) {
    add(other.sum);
    add(other.lost);
}

// Two exact additions (Knuth's TwoSum, then Dekker's FastTwoSum): sum + lost loses only what does
// not fit two doubles.
void ReciprocalRankSum::add(double term) {
    const double high = sum + term;
    if (!std::isfinite(high)) {
        *this = {.sum = high, .lost = 0};
        return;
    }
    const double grown = high - sum;
    const double error = (sum - (high - grown)) + (term - grown);
    const double low = lost + error;
    sum = high + low;
    lost = low - (sum - high);
}

} // namespace memory::rank
