// A hybrid ranking of hits that come with their rows: for tables whose rows are read by statements,
// all that may be among the best before they are ranked (hybrid.h reads only as far as it must).
#pragma once

#include "rank/hybrid.h"
#include "text/interruption.h"

namespace memory::rank {

class Gathered {
  public:
    // Both must outlive it.
    Gathered(text::Interruption &interruption, std::pmr::memory_resource *memory);

    // A row by its id may come from either arm, and from the vectors several times: then its best
    // cosine counts.
    void add_text(const NewerThenId &row, double score);
    void add_vector(const NewerThenId &row, double cosine);
    void add_vector(const RowId &known, double cosine);

    // The best of them, in their order.
    std::pmr::vector<HybridRow> best(const HybridQuery &query);

    // The same with vectors of which not all have been looked at, instead of those added. What
    // looks at one calls know() with its row before.
    std::pmr::vector<HybridRow> best(const HybridQuery &query, ArmRest<RowId> &vectors);
    void know(const NewerThenId &row) { number_of(row); }

  private:
    class Source;

    std::uint32_t number_of(const NewerThenId &row);

    text::Interruption &interruption_;
    std::pmr::memory_resource *memory_;
    std::pmr::vector<Row> rows_; // a row's place is its number
    Positions<RowId> numbers_;
    std::pmr::vector<Scored<std::uint64_t>> texts_;
    std::pmr::vector<std::optional<double>> cosines_; // by number
};

} // namespace memory::rank
