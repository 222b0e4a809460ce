// The vector arm by an index of codes: the nearest rows as far down as the ranking reads, the
// cosines of others when it asks, and what all cosines are like, by estimates. docs/codes.md, "The
// hybrid ranking".
#pragma once

#include "access/scope.h"
#include "index/codec/code_survey.h"
#include "index/nearest_codes.h"
#include "models/comparison.h"
#include "models/stored_vectors.h"
#include "rank/gathered.h"

namespace memory::models {

// What vectors are asked for.
struct VectorQuestion {
    const access::Tenant &tenant;
    std::string_view model;
    const pg::Vector &embedding;
    Snapshot snapshot;
};

// What the arm is for.
struct ArmUse {
    bool beside_words = true; // numbers of rows far down the arm count
    bool by_scores = true;    // fused by scores (blend): what all cosines are like counts
};

class CodedVectors final : public rank::ArmRest<rank::RowId> {
  public:
    // `expired` have no cosine. Needs a live Spi. What is passed by reference must outlive it.
    CodedVectors(const VectorQuestion &question, StoredVectors &vectors,
                 std::span<const rank::Row> expired, std::pmr::memory_resource *memory);

    // Whether there are codes, and they spare more than they cost where about so many of the best
    // rows are read. If not, the object is of no use.
    bool begin(std::size_t wanted, const ArmUse &use);

    rank::ArmFigures figures() override;
    // The same with how far off they may be.
    const codec::CosineFigures &surveyed() const noexcept { return surveyed_; }
    void more(std::size_t count, std::pmr::vector<rank::Scored<rank::RowId>> &hits) override;
    void read(std::span<const rank::RowId> ids, std::span<double> scores) override;
    std::size_t above(double score) override;

  private:
    using Hit = rank::Scored<rank::RowId>;

    bool many_may_come();
    bool survey(const ArmUse &use);
    bool read_nearest(std::size_t wanted);
    void add_nearest(const Hit &found);
    void put_nearest_in_order();
    std::span<const Hit> all();
    void read_all(std::span<const Hit> given);
    std::optional<Hit> hit(const StoredVectors::Stored &stored);
    void count_estimates();

    static constexpr std::size_t drawers = 1024; // of estimates between 0 and 1

    VectorQuestion question_;
    StoredVectors &vectors_;
    std::pmr::memory_resource *memory_;
    std::optional<Comparison> comparison_; // where there is an index
    rank::Positions<rank::RowId> gone_;
    std::optional<index::NearestCodes> codes_;
    codec::CosineFigures surveyed_;
    double share_ = 1;                // of the rows, that may be answered with
    std::pmr::vector<Hit> nearest_;   // read, and not given yet
    rank::Positions<rank::RowId> of_; // in best_: of what vectors have been read
    std::pmr::vector<double> best_;   // its best cosine; above all where it has been given
    std::size_t wanted_ = 0;
    std::size_t asked_ = 0; // rows by their ids
    std::optional<std::pmr::vector<Hit>> all_;
    bool read_all_ = false;
    std::pmr::vector<std::size_t> above_; // by drawer: rows in it and in those above
    std::size_t counted_at_ = SIZE_MAX;   // when so many had been read
};

// The best of what was gathered by words, and of these vectors: by their codes, where that spares
// reading most of them. Else all are compared, one at a time; those that point away from the
// question's get no credit. Visiting a vector must make its row known to `found`.
std::pmr::vector<rank::HybridRow>
best_with_vectors(rank::Gathered &found, const rank::HybridQuery &query,
                  const VectorQuestion &question, StoredVectors &vectors, std::size_t wanted,
                  const ArmUse &use, std::pmr::memory_resource *memory);

} // namespace memory::models
