// Which rows a search by codes reads: in the order of their estimates, until none of the others can
// be among the nearest. The stop rule of docs/codes.md.
#pragma once

#include "index/codec/tid.h"
#include "index/codec/vector_code.h"

namespace memory::codec {

// A cosine that ought to be found is missed with the probability that a normal variable is below
// the negative of this.
inline constexpr double usual_certainty = 3;

// Call order: add() all rows; then next(), and after it keep() unless the row is dropped, until
// next() gives nothing. A dropped row counts for nothing: the search reads on.
class CodeSearch {
  public:
    // For the `wanted` rows of the largest cosines above `least`.
    CodeSearch(std::size_t wanted, double least, std::pmr::memory_resource *memory,
               double certainty = usual_certainty);

    void add(const Tid &row, const Estimate &estimate);

    // The row with the largest estimate of those left.
    std::optional<Tid> next();
    // The cosine of the row that next() gave.
    void keep(double cosine);

    // How many rows next() has given.
    std::size_t read() const { return read_; }

  private:
    struct Candidate {
        double cosine;
        Tid row;
        bool operator<(const Candidate &other) const {
            return cosine != other.cosine ? cosine < other.cosine : other.row < row;
        }
    };

    double least_estimate() const;

    std::size_t wanted_;
    double least_;
    double certainty_;
    double deviation_ = 0; // the largest of all rows
    std::size_t read_ = 0;
    std::pmr::vector<Candidate> left_; // a heap, once next() has been called
    std::pmr::vector<double> nearest_; // the cosines kept that are among the wanted: a heap
};

} // namespace memory::codec
