// The best k rows of two arms: fused, weighed by importance and age, cut by relevance, and with
// what their conversations lend them. Reads of either arm as far down as the answer depends on.
// The algorithm, and why its answer is exact: docs/recall.md.
#pragma once

#include "rank/arm.h"

namespace memory::rank {

using LexicalArm = Arm<std::uint64_t>;
using VectorArm = Arm<RowId>;

struct HybridQuery {
    std::size_t k = 5;
    Fusion fusion = Fusion::rrf;
    double alpha = 0.5;
    double rrf_k = usual_rrf_k;
    double most = 0; // what the query text could score at most; 0 without one
    double min_relevance = 0;
    double half_life = 0; // in the unit of NewerThenId::time; 0: none
    std::int64_t now = 0;
    double context_weight = 0;
};

// What a row has of one arm.
struct ArmPart {
    Standing own;
    Standing lent; // with what its conversation lends; what is fused. The same without context
};

struct HybridRow {
    Row row;
    ArmPart lexical;
    ArmPart vector;
    std::optional<double> fused; // nothing: no arm of non-zero weight ranks it
    double score;                // fused, by importance and age
    double relevance;
};

// Rows that follow each other in a conversation, by their numbers.
struct Neighbours {
    std::uint32_t row;
    std::uint32_t beside;

    friend auto operator<=>(const Neighbours &, const Neighbours &) = default;
};

// A row as an index by time knows it, without reading the row: it may not be there any more.
struct Dated {
    std::uint64_t place;
    NewerThenId order;
};

// Also knows conversations, and may know times.
class ConversationSource : public RowSource {
  public:
    // Adds to `pairs` each of `of` with the row before it and the one after it in its session, if
    // there are such; `rows` may grow. A pair may come in both directions.
    virtual void neighbours(std::span<const std::uint32_t> of, KnownRows &rows,
                            std::pmr::vector<Neighbours> &pairs) = 0;

    // Whether it can say the following two.
    virtual bool knows_times() const { return false; }
    // Adds all rows that do not fade.
    virtual void lasting(std::pmr::vector<Dated> &) {}
    // Adds the next `count` of all rows, the newest first; fewer at the end.
    virtual void newest(std::size_t, std::pmr::vector<Dated> &) {}
};

class Hybrid {
  public:
    // All that is passed by reference must outlive it.
    Hybrid(const HybridQuery &query, LexicalArm &lexical, VectorArm &vector,
           ConversationSource &source, std::pmr::memory_resource *memory);

    // Only these rows are ranked; without it, all that the arms and the source know. First.
    void keep(std::span<const Row> rows);

    // The best, in their order.
    std::pmr::vector<HybridRow> best();

    // The weight that the vectors have: in a blend alpha by what the arms show.
    double vector_weight() const;
    const Scale &scale() const { return scale_; }

    // What a row has, whether it is among the best or not; nothing when it is not one of those
    // kept, or not there. After best().
    std::optional<HybridRow> standing(const RowId &id);

  private:
    struct Ref {
        NewerThenId order;
        std::uint32_t number;
        friend bool operator<(const Ref &a, const Ref &b) { return a.order < b.order; }
    };

    struct Lent {
        bool is_set = false;
        Standing lexical;
        Standing vector;
    };

    void take(std::size_t count);
    void lend();
    void take_pool();
    std::pmr::vector<Neighbours> neighbours_of_pool();
    static void keep_first(std::span<Scored<Ref>> ranking, std::span<const double> own,
                           double floor);
    Scale scale_of_arms() const;
    // What is above `floor` is lent.
    template <class Name>
    std::uint32_t lend(Arm<Name> &arm, double floor, std::span<const Neighbours> pairs,
                       Standing Lent::*part);
    Standing shifted(const Standing &own, std::uint32_t shift) const;
    HybridRow weighed(const Row &row, const Lent &lent, const Standing &lexical,
                      const Standing &vector) const;
    Lent lent_to(std::uint32_t number) const;
    // No less than measure() will say, from what is known.
    HybridRow at_best(const Row &row, const Lent &lent);
    HybridRow measure(std::uint32_t number);
    void offer_taken(TopK<Ref> &top, std::pmr::vector<HybridRow> &measured);
    bool more_may_enter(const TopK<Ref> &top) const;
    void read_by_time(const TopK<Ref> &top);
    void take_promising(std::span<const Dated> rows, bool fading, const TopK<Ref> &top);

    HybridQuery query_;
    LexicalArm &lexical_;
    VectorArm &vector_;
    ConversationSource &source_;
    std::pmr::memory_resource *memory_;
    KnownRows rows_;
    std::uint32_t kept_ = UINT32_MAX;       // rows from this number on are not ranked
    std::pmr::vector<std::uint32_t> taken_; // from an arm, since the last batch was measured
    std::pmr::vector<bool> seen_;           // by number: was offered
    std::pmr::vector<std::uint32_t> pool_;  // rows that may be lent something
    std::uint32_t lexical_pool_ = 0;        // how many of the best of an arm are in it
    std::uint32_t vector_pool_ = 0;
    std::pmr::vector<Lent> lent_; // by number
    // By how many ranks a row comes later than its own because others have been lent something.
    std::uint32_t lexical_shift_ = 0;
    std::uint32_t vector_shift_ = 0;
    Scale scale_;
    std::optional<Fuser> fuser_; // once the scale is settled
    // What is left at most of the score of a row that was not read by its time yet.
    double most_left_ = 1;
    std::size_t dated_batch_ = 0; // how many were read by their times the last time
    bool all_dated_ = false;      // no row is left
};

} // namespace memory::rank
