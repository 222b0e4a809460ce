// What <@> knows: the scores of the rows that ordered scans have given out.
//
// <@> gets a text and a query, and must give the number of the row that the text is of. It may not
// take any open scan that knows such a text: a row that a policy hides, another tenant's, one of a
// statement around this one has a number that is not this row's, and that there is one says that
// there is such a row. So a number comes only from
//  - the same execution of the same plan: the scan's memory and the operator's are the executor's
//    for one query (FmgrInfo::fn_mcxt is what scans begin in);
//  - the scan of the relation that the text is a column of, by the Source that the planner has put
//    into the query of both (score_rule.h);
//  - the search that the row is of. A scan that is begun anew with other keys, as the inner side of
//    a join is for another tenant, has forgotten the rows before: above it, where rows can have
//    waited in a sort or a hash table, <@> is an error from then on. What the scan's own plan node
//    asks is always about the row given out last, or one of the same search.
#pragma once

#include "index/answer.h"
#include "index/query.h"
#include "pg/memory.h"

#include <unordered_map>

namespace memory::index {

class Scores {
  public:
    // `execution`: the executor's memory for the query that the scan is part of; `memory`: the
    // scan's own.
    Scores(MemoryContext execution, MemoryContext memory);
    Scores(const Scores &) = delete;
    Scores &operator=(const Scores &) = delete;

    // A search for the rows of a tenant in the order of a query, whose hits are add()ed from now
    // on. `dictionary` is the index's.
    void begin(Datum ordering, Key tenant, Oid dictionary);
    void add(const Hit &hit);

    struct Question {
        std::string_view text;
        Datum query;
        const Source &source;    // of the query
        MemoryContext execution; // of the operator
        bool at_scan;            // asked by the plan node that scans the relation
    };
    struct Known {
        double score;
        Oid dictionary; // of the index
    };
    // Nothing when no scan knows; an error when several could.
    static std::optional<Known> find(const Question &question);

  protected:
    ~Scores();

  private:
    // The score of a text by the statistics of the search. Slow: it is cut into terms. Nothing when
    // the scan is not searching.
    virtual std::optional<double> rate(std::string_view text) = 0;

    struct Candidates {
        Scores *newest = nullptr; // that has given out a row last
        std::size_t count = 0;
    };
    static Candidates candidates(MemoryContext execution, const Source &source);

    bool is_about(Datum query) const;
    std::optional<double> score_at_scan(const Question &question);
    std::optional<double> score_among_all(std::string_view text);
    std::optional<Known> known(std::optional<double> score) const;

    MemoryContext execution_;
    pg::ContextResource resource_;
    Source source_;
    std::pmr::string ordering_; // the query's bytes; empty before the first search
    std::pmr::string tenant_;
    bool moved_on_ = false; // there was a search of other keys
    bool is_plain_ = false; // rows are given out in the order that the executor returns them in
    Oid dictionary_ = InvalidOid;
    Hit last_{};
    std::uint64_t given_out_ = 0; // when it was, by a clock that ticks with every row
    // By the fingerprint of a row's text; NaN where two texts share one.
    std::pmr::unordered_map<std::uint32_t, double> scores_;

    Scores *older_;
    Scores *younger_ = nullptr;
    static constinit Scores *youngest_;
};

} // namespace memory::index
