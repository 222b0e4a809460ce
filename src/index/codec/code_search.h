// Which rows a search by codes reads: in the order of their estimates, until none of the others can
// be among the nearest. The stop rule of docs/codes.md.
#pragma once

#include "index/codec/tid.h"
#include "index/codec/vector_code.h"

namespace memory::codec {

// A cosine that ought to be found is missed with the probability that a normal variable is below
// the negative of this.
inline constexpr double usual_certainty = 3;

struct EstimatedRow {
    double cosine;
    Tid row;
    bool operator<(const EstimatedRow &other) const {
        return cosine != other.cosine ? cosine < other.cosine : other.row < row;
    }
};

// What is known of the estimates of all rows.
struct Estimates {
    std::span<const EstimatedRow> rows;
    double deviation = 0; // the largest
    double variance = 0;  // the mean of the deviations' squares
};

// Call order: add() all rows; then next(), and after it keep() unless the row is dropped, until
// next() gives nothing. A dropped row counts for nothing: the search reads on.
class CodeSearch {
  public:
    // For the `wanted` rows of the largest cosines above `least`.
    CodeSearch(std::size_t wanted, double least, std::pmr::memory_resource *memory,
               double certainty = usual_certainty);

    void add(const Tid &row, const Estimate &estimate);

    // Of the rows that next() has not given, in no order; before it has given one, in that in which
    // they were added.
    Estimates estimates() const;

    // So many more are wanted: next() may go on.
    void want(std::size_t more);

    // The row with the largest estimate of those left.
    std::optional<Tid> next();
    // The cosine of the row that next() gave.
    void keep(double cosine);

    // How many rows next() has given.
    std::size_t read() const { return read_; }

  private:
    double least_estimate() const;

    std::size_t wanted_;
    double least_;
    double certainty_;
    double deviation_ = 0; // the largest of all rows
    double variance_ = 0;  // the sum of all rows'
    std::size_t rows_ = 0;
    std::size_t read_ = 0;
    std::pmr::vector<EstimatedRow> left_; // a heap, once next() has been called
    std::pmr::vector<double> nearest_;    // the cosines kept that are among the wanted: a heap
    std::pmr::vector<double> beyond_;     // the others that were kept
};

} // namespace memory::codec
