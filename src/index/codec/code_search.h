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
    float cosine;
    float deviation;
    Tid row;
    bool operator<(const EstimatedRow &other) const {
        return cosine != other.cosine ? cosine < other.cosine : other.row < row;
    }
};

// What is known of the estimates of all rows.
struct Estimates {
    std::span<const EstimatedRow> rows;
    std::span<const EstimatedRow> passed; // rows that were passed over: they are not among `rows`
    double deviation = 0;                 // the largest
    double variance = 0;                  // the mean of the deviations' squares
};

// Call order: add() all rows; then next(), and after it keep() unless the row is dropped, until
// next() gives nothing. A dropped row counts for nothing: the search reads on.
//
// Not all rows need to be held: of those added only about `most` of the largest estimates are, more
// of very many. When next() has gone through them, and must_add_again(), all rows are to be added
// again, after add_again(). Rows that have been given are not given again.
class CodeSearch {
  public:
    // For the `wanted` rows of the largest cosines above `least`.
    CodeSearch(std::size_t wanted, double least, std::pmr::memory_resource *memory,
               double certainty = usual_certainty, std::size_t most = all_rows);
    static constexpr std::size_t all_rows = SIZE_MAX / 2;

    void add(const Tid &row, const Estimate &estimate) {
        deviation_ = std::max(deviation_, estimate.deviation);
        variance_ += estimate.deviation * estimate.deviation;
        ++rows_;
        const auto cosine = static_cast<float>(estimate.cosine);
        if (cosine < floor_.cosine)
            return;
        const EstimatedRow added{cosine, static_cast<float>(estimate.deviation), row};
        if (floor_ < added && added < ceiling_)
            hold(added);
    }

    // Of the rows that next() has not given, in no order; before it has given one, in that in which
    // they were added. Of all only where all are held.
    Estimates estimates() const;

    // So many more are wanted: next() may go on.
    void want(std::size_t more);

    // The row with the largest estimate of those left that may be among the wanted.
    std::optional<Tid> next();
    // The cosine of the row that next() gave.
    void keep(double cosine);

    // After next() has given nothing: whether rows that are not held may be among the wanted.
    bool must_add_again() const;
    void add_again();

    // How many rows next() has given.
    std::size_t read() const { return read_; }

  private:
    static constexpr float beyond_cosines = 2;

    void hold(const EstimatedRow &added);
    double least_cosine() const;
    double least_estimate(double deviation) const;

    std::size_t wanted_;
    double least_;
    double certainty_;
    std::size_t most_;
    double deviation_ = 0; // the largest of all rows
    double variance_ = 0;  // the sum of all rows'
    std::size_t rows_ = 0;
    std::size_t read_ = 0;
    bool in_order_ = false;                       // whether left_ is a heap
    EstimatedRow floor_{-beyond_cosines, 0, {}};  // no row up to it is held
    EstimatedRow ceiling_{beyond_cosines, 0, {}}; // nor one from it on: it was taken last
    std::pmr::vector<EstimatedRow> left_;
    std::pmr::vector<EstimatedRow> passed_; // taken, and not given: too far off for what is wanted
    std::pmr::vector<double> nearest_;      // the cosines kept that are among the wanted: a heap
    std::pmr::vector<double> beyond_;       // the others that were kept
};

} // namespace memory::codec
