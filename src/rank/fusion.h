// One ranking out of two, or out of many. Formulas, rounding and golden numbers: docs/rank.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace memory::rank {

enum class Fusion { rrf, blend, rrf_replicated };

// Where one row stands on one arm. Ranks start at 1; rank 0 says that the arm does not rank it.
struct Standing {
    std::uint32_t rank = 0;
    double score = 0;

    bool ranked() const { return rank != 0; }
};

// The highest score that each arm gave in this call; `blend` alone needs them.
struct Highest {
    double lexical = 0;
    double vector = 0;
};

// Fuses the standings of rows. `alpha` in [0, 1] is the weight of the vector arm.
class Fuser {
  public:
    Fuser(Fusion method, double alpha, const Highest &highest = {});

    // The fused score, or nothing if no arm of non-zero weight ranks the row: then it does not
    // appear. rrf and blend are in [0, 1].
    std::optional<double> score(const Standing &lexical, const Standing &vector) const;

  private:
    Fusion method_;
    double lexical_weight_;
    double vector_weight_;
    Highest highest_;
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
