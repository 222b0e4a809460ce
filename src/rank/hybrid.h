// The best k rows of two arms: fused, weighed by importance and age, cut by relevance, and with
// what their conversations lend them. Reads of either arm as far down as the answer depends on.
// The algorithm, and why its answer is exact: docs/recall.md.
#pragma once

#include "rank/arm.h"
#include "rank/term_source.h"

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
    Signals signals{};           // where there is a TermSource
    std::uint64_t documents = 0; // of the tenant
    double average_length = 0;   // of their texts, in terms
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
    double bm25;                 // of its own score by words, what the query alone gives
    double relevance;
};

// A row as an index by time knows it, without reading the row: it may not be there any more.
struct Dated {
    std::uint64_t place;
    NewerThenId order;
};

// A row, by its number, and a term of the query, by its number at the TermSource.
struct RowTerm {
    std::uint32_t row;
    std::uint32_t term;
};

// Two terms of the query, the second behind the first.
struct TermPair {
    std::uint32_t first;
    std::uint32_t second;

    friend auto operator<=>(const TermPair &, const TermPair &) = default;
};

// Also knows conversations, and may know times.
class ConversationSource : public RowSource {
  public:
    // Adds to `pairs` each of `of` with the rows up to lending_steps before it and after it in its
    // session, if there are such; `rows` may grow. A pair may come in both directions.
    virtual void neighbours(std::span<const std::uint32_t> of, KnownRows &rows,
                            std::pmr::vector<Neighbours> &pairs) = 0;

    // Whether the query names the day, month or year that a row is of.
    virtual bool is_of_named_date(const Row &) const { return false; }
    // Adds to `found` which terms of the query each of `of` has in its speaker's name.
    virtual void find_named(std::span<const std::uint32_t> /*of*/, const KnownRows & /*rows*/,
                            std::pmr::vector<RowTerm> & /*found*/) {}
    // Terms that stand beside each other in the query, each pair once.
    virtual std::span<const TermPair> pairs_of_query() const { return {}; }
    // Adds to `found` the first and the second term of each of these pairs that stands so in the
    // text of a row of `of`: each pair once.
    virtual void find_pairs(std::span<const std::uint32_t> /*of*/, const KnownRows & /*rows*/,
                            std::pmr::vector<RowTerm> & /*found*/) {}

    // Whether it can say the following two.
    virtual bool knows_times() const { return false; }
    // Adds all rows that do not fade.
    virtual void lasting(std::pmr::vector<Dated> &) {}
    // Adds the next `count` of all rows, the newest first; fewer at the end.
    virtual void newest(std::size_t, std::pmr::vector<Dated> &) {}
};

// What a row's score by words is multiplied with, as the query names what the row is of.
struct Lifts {
    double dates = 1;
    double names = 1;

    double product() const { return dates * names; }
};

// What made a row's score on the lexical arm, by the terms of the query.
struct LexicalReasons {
    double coverage; // what its own score was multiplied with
    double evidence; // and what it is lent
    double order;    // what pairs of words add to its own score, with coverage
    double own_sum;  // with both
    double lent_sum; // with evidence, before context_weight
    Lifts lifts;     // of both
    std::span<const double> own;
    std::span<const double> lent; // before evidence; empty where not by terms
};

class Hybrid {
  public:
    // All that is passed by reference must outlive it. Without `terms` BM25 alone ranks words.
    Hybrid(const HybridQuery &query, LexicalArm &lexical, VectorArm &vector,
           ConversationSource &source, std::pmr::memory_resource *memory,
           TermSource *terms = nullptr);

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

    // Nothing of a row that is not among those whose words are ranked anew. After best().
    std::optional<LexicalReasons> reasons(const RowId &id) const;

  private:
    struct Ref {
        NewerThenId order;
        std::uint32_t number;
        friend bool operator<(const Ref &a, const Ref &b) { return a.order < b.order; }
    };

    // Unranked: as the row's own.
    struct Lent {
        Standing lexical;
        Standing vector;
    };

    // Rows that lend to each other or are ranked anew.
    struct Pool {
        std::pmr::vector<std::uint32_t> numbers; // ascending; a row's place here is its member
        std::pmr::vector<Lender> lenders;        // by member
        std::pmr::vector<Neighbours> pairs;      // of members
        std::pmr::vector<double> own;            // by member: what it has of the arm in hand
        std::pmr::vector<double> lent;
        std::pmr::vector<Lifts> lifts;

        explicit Pool(std::pmr::memory_resource *memory)
            : numbers(memory), lenders(memory), pairs(memory), own(memory), lent(memory),
              lifts(memory) {}
        std::uint32_t member(std::uint32_t number) const;
        Circle circle() const { return {lenders, pairs, numbers.get_allocator().resource()}; }
    };

    // The lexical arm by terms.
    struct Words {
        TermParts own;
        TermParts lent;
        std::pmr::vector<double> coverage; // by member
        std::pmr::vector<double> order;
        std::pmr::vector<double> own_sums;
        std::pmr::vector<double> lent_sums;
        std::pmr::vector<Lifts> lifts;
        double evidence = 1;
    };

    void take(std::size_t count);
    bool has_signals() const { return terms_ != nullptr && query_.signals.any(); }
    void lend();
    std::pmr::vector<std::uint32_t> take_best_of_arms();
    std::pmr::vector<Neighbours> neighbours_of(std::span<const std::uint32_t> numbers);
    void gather(std::span<const std::uint32_t> best, std::span<const Neighbours> pairs);
    void number_sessions();
    template <class Name>
    void read_own(Arm<Name> &arm, double floor);
    void rank_words();
    void read_words();
    void cover_words(double weight);
    void order_words();
    void lift_words();
    void lift_named();
    double evidence_of_words();
    void rank_vectors();
    std::pmr::vector<Scored<Ref>> ranked_anew(double floor) const;
    void keep_first(std::span<Scored<Ref>> ranking, double floor, double given_way) const;
    void set_standings(std::span<const Scored<Ref>> ranking, Standing Lent::*part);
    void put_others_behind(std::span<const Scored<Ref>> ranking);
    Scale scale_of_arms() const;
    static Standing shifted(const Standing &own, std::uint32_t shift, double scale);
    HybridRow weighed(const Row &row, const Lent &lent, const Standing &lexical,
                      const Standing &vector) const;
    Lent lent_to(std::uint32_t number) const;
    // No less than measure() will say, from what is known.
    HybridRow at_best(const Row &row, const Lent &lent);
    HybridRow measure(std::uint32_t number);
    void bring(std::span<const Scored<std::uint32_t>> promising, const TopK<Ref> &top);
    void offer_taken(TopK<Ref> &top, std::pmr::vector<HybridRow> &measured);
    bool more_may_enter(const TopK<Ref> &top) const;
    void read_by_time(const TopK<Ref> &top);
    std::pmr::vector<Dated> may_be_best(std::span<const Dated> rows, bool fading,
                                        const TopK<Ref> &top);
    void take_promising(std::span<const Dated> rows, bool fading, const TopK<Ref> &top);

    HybridQuery query_;
    LexicalArm &lexical_;
    VectorArm &vector_;
    ConversationSource &source_;
    TermSource *terms_;
    std::pmr::memory_resource *memory_;
    KnownRows rows_;
    std::uint32_t kept_ = UINT32_MAX;       // rows from this number on are not ranked
    std::pmr::vector<std::uint32_t> taken_; // from an arm, since the last batch was measured
    std::pmr::vector<bool> seen_;           // by number: was offered
    Pool pool_;
    std::optional<Words> words_;
    std::pmr::vector<std::uint32_t> best_words_; // numbers of the arm's best, ascending
    std::size_t best_vectors_ = 0;               // how many of the best of that arm are in the pool
    std::pmr::vector<Lent> lent_;                // by number
    // By how many ranks a row comes later than its own because others have been lent something, and
    // by what its score is multiplied, so that it stays behind those that were ranked anew.
    std::uint32_t lexical_shift_ = 0;
    std::uint32_t vector_shift_ = 0;
    double lexical_behind_ = 1;
    Scale scale_;
    std::optional<Fuser> fuser_; // once the scale is settled
    // What is left at most of the score of a row that was not read by its time yet.
    double most_left_ = 1;
    std::size_t dated_batch_ = 0; // how many were read by their times the last time
    bool all_dated_ = false;      // no row is left
};

} // namespace memory::rank
