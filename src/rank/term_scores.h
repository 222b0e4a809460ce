// What terms add to scores, where many documents are scored: the saturations of usual counts and
// lengths are computed once.
#pragma once

#include "rank/bm25.h"

#include <array>

namespace memory::rank {

class TermScores {
  public:
    // `bm25` is settled.
    explicit TermScores(const Bm25 &bm25) : bm25_(bm25) {}

    // Exactly bm25.score().
    double operator()(double weight, std::uint32_t count, std::uint32_t length) {
        if (count - 1 >= usual_counts || length >= usual_lengths)
            return bm25_.score(weight, count, bm25_.norm(length));
        double &known = saturations_[count - 1][length];
        if (known == 0)
            known = Bm25::saturation(count, bm25_.norm(length));
        return bm25_.part(weight, known);
    }

  private:
    static constexpr std::uint32_t usual_counts = 4;
    static constexpr std::uint32_t usual_lengths = 128;

    const Bm25 bm25_;
    std::array<std::array<double, usual_lengths>, usual_counts> saturations_{}; // 0: not known yet
};

} // namespace memory::rank
