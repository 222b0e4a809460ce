// What the cosines above 0 of all rows are like, by estimates of them all and the cosines of few.
// The arithmetic, and how far it is off: docs/codes.md, "All cosines".
#pragma once

#include "index/codec/code_search.h"

namespace memory::codec {

struct CosineFigures {
    double count = 0; // of cosines above 0, as are all of these
    double lowest = 0;
    double mean = 0;
    double deviation = 0;
    // How far off these may be: the deviations of their errors.
    double mean_error = 0;
    double deviation_error = 0;
    double count_error = 0;
};

// Call order: sample() and keep_sampled() of each of its rows that is seen; next_low(), and
// keep_low() unless the row is not seen, until there is none; then figures().
class CodeSurvey {
  public:
    // Of so many rows at most the cosines are asked for, for each of two purposes.
    static constexpr std::size_t most_read = 128;

    CodeSurvey(const Estimates &estimates, std::pmr::memory_resource *memory,
               double certainty = usual_certainty);

    // Of the rows whose cosines may be above 0 or not.
    std::span<const Tid> sample() const { return sample_; }
    void keep_sampled(double cosine);

    // A row whose cosine may be the lowest above 0.
    std::optional<Tid> next_low();
    void keep_low(double cosine);

    CosineFigures figures() const;

  private:
    struct Sums {
        double count = 0;
        double cosines = 0;
        double squares = 0;

        void add(double cosine) {
            ++count;
            cosines += cosine;
            squares += cosine * cosine;
        }
    };

    // Of the sum over the band of f(cosine), 0 where that is not above 0: its error's square.
    template <class F>
    double band_error(F &&f) const;
    void add_errors(CosineFigures &all) const;
    void take_selected();

    void read(const Estimates &estimates);
    void take_sample(const Estimates &estimates);

    double deviation_;
    double variance_; // the mean of the rows'
    double certainty_;
    double band_; // estimates this far from 0 leave no doubt
    double edge_;
    std::size_t in_band_ = 0;
    std::size_t near_edge_ = 0;         // estimates within edge_ of the band's upper end
    Sums above_;                        // by their estimates, of rows above the band
    double taken_ = 0;                  // of their squares, by how estimates deviate
    Sums sampled_;                      // of cosines above 0
    std::size_t seen_ = 0;              // of the sample
    std::pmr::vector<double> positive_; // of the sample: cosines above 0
    std::pmr::vector<Tid> sample_;
    std::pmr::vector<EstimatedRow> low_; // in the order of their estimates
    std::size_t read_low_ = 0;
    std::optional<double> lowest_;
};

} // namespace memory::codec
