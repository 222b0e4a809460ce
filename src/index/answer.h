// What one tenant answers to a search: its matching rows, best first or as they are, and then,
// where rows are to be ranked, its other rows.
#pragma once

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

class Answer {
  public:
    // `memory` must outlive it.
    Answer(Relation index, std::pmr::memory_resource *memory);
    Answer(const Answer &) = delete;
    Answer &operator=(const Answer &) = delete;

    // The documents that match every query, seen or not, in no order; all, if there is none.
    void filter(Key key, const SearchTerms &terms);

    // The rows that the snapshot sees and that match every query but the first, which ranks them:
    // the best first. Those that do not match it come last, and behind them those without a text.
    void rank(Key key, const SearchTerms &terms, Relation heap, Snapshot snapshot,
              const rank::Bm25Parameters &parameters);

    std::optional<Hit> next();

  private:
    // A document: of the log (source 0) or of a segment.
    struct Placed {
        double score;
        std::uint32_t source;
        std::uint32_t place;
        bool recheck;
        bool recheck_score;
    };

    bool worse(const Placed &a, const Placed &b) const;
    void order_sources();
    void clear();
    Tenant collect(Key key, const SearchTerms &terms);
    void collect_seen(Key key, const SearchTerms &terms, Relation heap, Snapshot snapshot);
    segment::Condition condition_of(const SearchQuery &query, std::size_t numbers);
    void find(const segment::Search &search);
    void find_in_log(const segment::Search &search);
    void add(const segment::Found &one, std::uint32_t source);
    Hit hit(const Placed &placed);
    std::uint32_t size_of(std::uint32_t source) const;
    bool is_rest(std::uint32_t source, std::uint32_t place);
    void begin_rest();
    std::optional<Hit> next_of_rest();

    Relation index_;
    std::pmr::memory_resource *memory_;
    std::pmr::deque<QueryJudge> judges_;
    Documents log_;
    std::pmr::deque<SegmentSearch> segments_;
    std::pmr::vector<std::uint32_t> order_; // by source: which comes first of equal scores
    std::pmr::vector<Placed> found_;        // a heap up to left_, behind it what has been given out
    std::size_t left_ = 0;
    bool ranked_ = false;

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
