// What one tenant answers to a search: its matching rows, best first or as they are, and then,
// where rows are to be ranked, its other rows.
#pragma once

#include "index/corrections.h"
#include "index/segment_search.h"

namespace memory::index {

struct Hit {
    codec::Tid tid;
    bool has_text;
    double score;
    std::uint32_t fingerprint;
    bool recheck;       // whether it matches is for its text to say
    bool recheck_score; // the score is its own only if its text matches the query that ranks
};

// What of a ranking is asked for. `best`: the first rows, and perhaps more of them later. `all`:
// every row, whatever happens. next() gives the same rows in the same order either way.
enum class Wanted : std::uint8_t { all, best };

class Answer {
  public:
    // `memory` must outlive it.
    Answer(Relation index, std::pmr::memory_resource *memory);
    Answer(const Answer &) = delete;
    Answer &operator=(const Answer &) = delete;

    // Documents that rank() leaves out, as if their rows were not seen. In any order.
    void hide(std::span<const codec::Tid> tids);

    // Counts a document that the index does not have, as if it had it and its row were seen: by its
    // records, before rank(). It is no answer; what it scores is asked for behind rank().
    void count(std::span<const codec::Bytes> records, const SearchTerms &terms);

    // The documents that match every query, seen or not, in no order; all, if there is none.
    void filter(Key key, const SearchTerms &terms);

    // The rows that the snapshot sees and that match every query but the first, which ranks them:
    // the best first. Those that do not match it come last, and behind them those without a text.
    void rank(Key key, const SearchTerms &terms, Relation heap, Snapshot snapshot,
              const rank::Bm25Parameters &parameters, Wanted wanted = Wanted::all);

    // The same of these queries and what corrects the first, which is scored, too: chooses that.
    void rank_corrected(Key key, Corrections &corrections, Relation heap, Snapshot snapshot,
                        const rank::Bm25Parameters &parameters, Wanted wanted = Wanted::all);

    std::optional<Hit> next();

    // After rank(): what the tenant is to the snapshot, and how many of its documents have each of
    // the search's terms, by number.
    const rank::CorpusStatistics &corpus() const noexcept { return corpus_; }
    // After rank(): what a document could score at best.
    double most() const noexcept { return most_; }
    std::span<const std::uint64_t> frequencies() const noexcept { return frequencies_; }

    // After rank(): what a text would score, by the statistics of the rows that were ranked. Its
    // terms are those of its `records`.
    double score(std::span<const codec::Bytes> records, const SearchTerms &terms,
                 std::pmr::memory_resource *memory);

    // After rank(): what the nth of those counted scores.
    double score_of_counted(std::size_t n);

    // Instead of next(), of Wanted::all: visits every match, in no order, with its tid and score.
    template <class Visit>
    void each_match(Visit &&visit) {
        for (const Placed &placed : found_)
            visit(row_of(placed, Asked::in_order).tid, placed.score);
    }

    // What each term can add to a score, by number.
    std::span<const double> weights() const noexcept { return weights_; }
    // What each adds to the scores of some matches, by the places where each_match() visits them,
    // of a search without prefixes: to `parts`, all 0 before, a match's beside each other.
    void read_parts(std::span<const std::uint32_t> matches, std::span<double> parts);

  private:
    // A document: of the log (source 0) or of a segment.
    struct Placed {
        Placed(double score_, std::uint32_t source_, std::uint32_t place_, bool recheck_ = false,
               bool recheck_score_ = false)
            : score(score_), place(place_), source(static_cast<std::uint16_t>(source_)),
              recheck(recheck_), recheck_score(recheck_score_) {}

        double score;
        std::uint32_t place;
        std::uint16_t source; // there are most_runs of them and the log
        bool recheck;
        bool recheck_score;
    };
    static_assert(sizeof(Placed) == 16);

    bool better(const Placed &a, const Placed &b) const;
    void order_sources();
    Tenant collect(Key key, const SearchTerms &terms);
    void collect_seen(Key key, const SearchTerms &terms, Relation heap, Snapshot snapshot);
    void count(std::size_t numbers);
    void keep_terms(std::span<const std::uint32_t> numbers);
    void weigh(const SearchTerms &terms, const rank::Bm25Parameters &parameters,
               std::span<const Corrections::Found> corrected = {});
    std::pmr::vector<std::uint32_t> weighing() const;
    void search(const SearchTerms &terms, Wanted wanted);
    segment::Condition judged(const SearchQuery &query, std::size_t numbers);
    segment::Condition any_of(std::span<const std::uint32_t> numbers);
    void add_conditions(const SearchQuery &query, std::size_t numbers);
    std::optional<segment::Condition> condition_of_score(const SearchQuery &query,
                                                         std::size_t numbers);
    bool has_many_postings() const;

    void find_all();
    template <class Take>
    void each_in_log(Take &&take);
    void add(const segment::Found &one, std::uint32_t source);
    void find_best(std::size_t count);
    void read_parts_of(std::uint32_t source, std::span<const std::uint32_t> places,
                       std::span<double> parts);
    bool order_more();

    bool filter_more();

    // Whether rows are asked for in the order of their places, or here and there.
    enum class Asked { in_order, alone };
    codec::Row row_of(const Placed &placed, Asked asked);
    Hit hit(const Placed &placed, Asked asked);
    std::uint32_t size_of(std::uint32_t source) const;
    bool is_rest(std::uint32_t source, std::uint32_t place);
    void begin_rest();
    std::optional<Hit> next_of_rest();

    Relation index_;
    std::pmr::memory_resource *memory_;
    Documents log_;
    Documents counted_;
    std::pmr::deque<SegmentSearch> segments_;
    std::pmr::vector<std::uint32_t> sources_; // that which comes first of equal scores first
    std::pmr::vector<std::uint32_t> order_;   // by source: its place in sources_

    // What is searched for. Its spans are of what follows it.
    segment::Search search_;
    std::pmr::vector<double> weights_;
    std::optional<rank::TermScores> scores_;
    std::pmr::vector<segment::Condition> conditions_;
    std::pmr::deque<std::pmr::vector<std::uint32_t>> numbers_;
    std::pmr::deque<QueryJudge> judges_; // their queries are the caller's: only while rank() runs

    std::pmr::vector<Placed> found_;
    bool found_all_ = false; // not only the best
    bool ranked_ = false;
    bool filters_ = false;                // stretch by stretch
    std::size_t filtered_ = 0;            // segments that have been gone through
    segment::Stretch stretch_{0, 0};      // of the one after them, the last
    std::pmr::vector<codec::Tid> hidden_; // ascending, each once
    rank::CorpusStatistics corpus_;
    double most_ = 0;
    std::pmr::vector<std::uint64_t> frequencies_;
    std::size_t ordered_ = 0; // in found_: the best, in their order
    std::size_t given_ = 0;   // of those

    // The rest: what was not found.
    bool wants_rest_ = false;
    bool rest_begun_ = false;
    std::pmr::vector<std::pmr::vector<bool>> is_found_; // by source
    std::uint32_t source_ = 0;
    std::uint32_t place_ = 0;
    std::pmr::vector<Placed> without_text_; // the last of all
    std::size_t next_without_text_ = 0;
};

} // namespace memory::index
