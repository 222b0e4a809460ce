// The vector arm by an index of codes: the nearest rows as far down as the ranking reads, the
// cosines of others when it asks, and what all cosines are like, by estimates. docs/codes.md, "The
// hybrid ranking".
#pragma once

#include "index/codec/code_survey.h"
#include "index/nearest_codes.h"
#include "models/comparison.h"
#include "recall/vector_scan.h"

namespace memory::recall {

class CodedVectors final : public rank::ArmRest<rank::RowId> {
  public:
    // `expired` have no cosine. Needs a live Spi. What is passed by reference must outlive it.
    CodedVectors(const access::Tenant &tenant, std::string_view model, const pg::Vector &embedding,
                 Snapshot snapshot, std::span<const rank::Row> expired,
                 std::pmr::memory_resource *memory);

    // Whether there are codes, and they spare more than they cost where about so many of the best
    // rows are read. If not, the object is of no use.
    bool begin(std::size_t wanted);

    rank::ArmFigures figures() override;
    void more(std::size_t count, std::pmr::vector<rank::Scored<rank::RowId>> &hits) override;
    void read(std::span<const rank::RowId> ids, std::span<double> scores) override;
    std::size_t above(double score) override;

  private:
    using Hit = rank::Scored<rank::RowId>;

    bool survey();
    bool read_nearest(std::size_t wanted);
    std::span<const Hit> all();
    void read_all(std::span<const Hit> given);
    std::optional<Hit> hit(const VectorScan::Stored &stored);
    void count_estimates();

    static constexpr std::size_t drawers = 1024; // of estimates between 0 and 1

    const access::Tenant &tenant_;
    std::string_view model_;
    const pg::Vector &embedding_;
    Snapshot snapshot_;
    std::pmr::memory_resource *memory_;
    VectorScan scan_;
    std::optional<models::Comparison> comparison_; // where there is an index
    rank::Positions<rank::RowId> gone_;
    std::optional<index::NearestCodes> codes_;
    rank::ArmFigures figures_;
    std::pmr::vector<Hit> nearest_; // read, and not given yet
    std::size_t wanted_ = 0;
    std::size_t asked_ = 0; // rows by their ids
    std::optional<std::pmr::vector<Hit>> all_;
    bool read_all_ = false;
    std::pmr::vector<std::size_t> above_; // by drawer: rows in it and in those above
    std::size_t counted_at_ = SIZE_MAX;   // when so many had been read
};

} // namespace memory::recall
