// What each term of a query adds to scores: where a ranking wants more than their sum.
#pragma once

#include <cstdint>
#include <span>

namespace memory::rank {

class TermSource {
  public:
    virtual ~TermSource() = default;

    // The most that each term can add to a score; 0 of a term that no document has.
    virtual std::span<const double> weights() const = 0;

    // What each term adds to the scores of some hits, by their numbers, which are distinct: to
    // `parts`, all 0 before, as many numbers a hit as there are terms. Their sum is the score.
    virtual void read_parts(std::span<const std::uint32_t> hits, std::span<double> parts) = 0;
};

} // namespace memory::rank
