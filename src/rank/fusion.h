// One ranking out of two, or out of many. Formulas, rounding and golden numbers: docs/rank.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace memory::rank {

enum class Fusion { rrf, blend, rrf_replicated };

// Where one row stands on one arm. Ranks start at 1; rank 0 says that the arm does not rank it.
struct Standing {
    std::uint32_t rank = 0;
    double score = 0;

    bool ranked() const { return rank != 0; }
};

// How many of the best scores of an arm say how far its best one stands out.
inline constexpr std::size_t lead_sample = 48;

// How far the best of an arm stands out: the best less the fifth of these scores, which descend,
// in units of how far the fifth and the rest are on average above the last. From 1 to 10, whatever
// the scale of the scores is; nothing where there are too few to tell.
std::optional<double> lead_of(std::span<const double> best);

// How high the best of `count` scores stands over all of them: 1 where it is as far above their
// mean as the best of so many is that are normally distributed, about. Of whatever scale the scores
// are; nothing where there are too few to tell, or all are equal.
std::optional<double> height_of(double best, double mean, double deviation, std::size_t count);

// What `blend` takes shares of: an arm's highest score in this call has all of its weight. Of a
// lexical arm 0 has nothing, of a vector arm what is under all cosines. The weights follow the
// leads of both arms, and how high the vector arm's best stands; the more so where words know more
// than their lead says, by signals and what conversations lend.
struct Scale {
    double lexical = 0;
    double vector = 0;
    double vector_floor = 0;
    std::optional<double> lexical_lead = std::nullopt;
    std::optional<double> vector_lead = std::nullopt;
    std::optional<double> vector_height = std::nullopt;
    bool words_know_more = false;
};

// The weight of the vector arm in `blend` where the caller gives it `alpha`.
double blend_weight(double alpha, const Scale &scale);

// The floor under `count` cosines between these. A model's cosines lie in a band, and only where in
// the band one is says something. The fewer there are, the lower lies the floor under the lowest:
// they show less of the band. Of equal ones nothing is known but that they are.
inline double floor_under(double lowest, double highest, std::size_t count) {
    return highest > lowest ? lowest - (highest - lowest) / static_cast<double>(count) : 0;
}

// The constant of reciprocal ranks in the literature, and of `rrf_replicated`.
inline constexpr double usual_rrf_k = 60;

// Fuses the standings of rows. `alpha` in [0, 1] is the weight of the vector arm, `rrf_k` the
// constant of `rrf`: the smaller, the more a first rank is worth beside a second.
class Fuser {
  public:
    Fuser(Fusion method, double alpha, const Scale &scale = {}, double rrf_k = usual_rrf_k);

    // Whether standings count by their ranks, and not by their scores alone.
    bool counts_ranks() const { return method_ != Fusion::blend; }

    // The fused score, or nothing if no arm of non-zero weight ranks the row: then it does not
    // appear. rrf and blend are in [0, 1].
    std::optional<double> score(const Standing &lexical, const Standing &vector) const;

  private:
    Fusion method_;
    double lexical_weight_;
    double vector_weight_;
    Scale scale_;
    double rrf_k_;
};

// The alpha of a call that has only one arm: that arm gets the whole weight. rrf_replicated keeps
// the caller's, as the model it repeats does.
double single_arm_alpha(Fusion method, bool vector_arm, double alpha);

// The state of the aggregate memory.rrf(rank, weight, k): Σ weight/(k + rank). The two parts add
// up to the sum; `lost` is what rounding took from `sum`. The order of additions does not show.
struct ReciprocalRankSum {
    double sum = 0;
    double lost = 0;

    enum class Refusal { none, rank_below_one, weight_not_finite, k_negative };

    // Why `add` may not be called with these.
    static Refusal check(std::int64_t rank, double weight, std::int64_t k);

    void add(std::int64_t rank, double weight, std::int64_t k);
    void merge(const ReciprocalRankSum &other);
    double value() const { return sum + lost; }

  private:
    void add(double term);
};

} // namespace memory::rank
