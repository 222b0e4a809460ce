// One call's ranking: both arms run, fused, and the rows that it answers with chosen.
#pragma once

#include "index/retrieval.h"
#include "models/coded_vectors.h"
#include "recall/episode_rows.h"
#include "recall/vector_scan.h"
#include "recall/vectors.h"

namespace memory::recall {

// Needs a live Spi while it lives.
class Ranking {
  public:
    // The request must outlive it, be settled, and have a query or an embedding.
    Ranking(const Request &request, const access::Tenant &tenant,
            std::pmr::memory_resource *memory);

    // The rows that the call answers with, in their order.
    std::pmr::vector<rank::HybridRow> best();

    // Whether any row matches, be it before those that the call answers with. After best().
    bool matched() const noexcept { return matched_; }

    // For explanations, after best(): what one episode has; nothing when it may not be answered
    // with, or is not there.
    std::optional<rank::HybridRow> standing(const rank::RowId &id);
    const index::Retrieved &lexical() const noexcept { return lexical_->found(); } // of a query
    std::optional<rank::LexicalReasons> reasons(const rank::RowId &id) const {
        return hybrid_->reasons(id);
    }
    const rank::HybridQuery &query() const noexcept { return query_; }
    double vector_weight() const { return hybrid_->vector_weight(); }
    const rank::Scale &scale() const { return hybrid_->scale(); }
    // Whether ranks far down the vector arm, and what all cosines are like, are estimates.
    bool estimates_vectors() const noexcept { return coded_.has_value(); }
    // Between which the weight of the vectors is where it follows estimates, but for their
    // certainty; nothing where it does not.
    struct Weights {
        double least;
        double most;
    };
    std::optional<Weights> vector_weights() const;
    Relation by_text() const noexcept { return table_.by_text(); }
    std::span<const text::NamedDate> dates() const noexcept { return rows_.dates(); } // of a query

  private:
    void find_lexical(std::span<const rank::Row> expired);
    void ask_of_rows();
    void find_vector(std::span<const rank::Row> expired, bool filtered);
    std::size_t end() const;
    std::size_t wanted() const;
    rank::HybridQuery hybrid_query() const;
    std::pmr::vector<rank::HybridRow> diverse(std::span<const rank::HybridRow> ranked);
    std::pmr::vector<std::size_t> diverse_order(std::span<const rank::HybridRow> pool,
                                                std::size_t count);

    const Request &request_;
    const access::Tenant &tenant_;
    std::pmr::memory_resource *memory_;
    Snapshot snapshot_;
    EpisodeTable table_;
    EpisodeRows rows_;
    std::optional<index::Retrieval> lexical_;
    std::optional<NamedSpeakers> speakers_; // where they are asked for
    std::optional<WordOrder> order_;        // the same
    VectorHits vector_;
    std::optional<VectorScan> vectors_;
    std::optional<models::CodedVectors> coded_; // instead of vector_
    std::pmr::vector<rank::Scored<std::uint64_t>> lexical_hits_;
    std::optional<rank::LexicalArm> lexical_arm_;
    std::optional<rank::VectorArm> vector_arm_;
    rank::HybridQuery query_;
    std::optional<rank::Hybrid> hybrid_;
    bool matched_ = false;
};

} // namespace memory::recall
