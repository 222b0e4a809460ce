// Vectors of what facts say, as the ranking of facts asks for them.
#pragma once

#include "facts/ranking.h"
#include "models/row_vectors.h"
#include "rank/gathered.h"

namespace memory::facts {

// Ranking puts the lower of two ids first, and of facts the later one comes first: so a fact goes
// by the complement of its id there.
rank::RowId ranked_id(const pg_uuid_t &id);
pg_uuid_t fact_id(const rank::RowId &ranked);

// Of the facts that a request is about. Those that are visited are known to `found`, too.
class FactVectors final : public models::RowVectors {
  public:
    // All of them must outlive it. Needs a live Spi.
    FactVectors(const Request &request, std::string_view model, rank::Gathered &found,
                std::pmr::memory_resource *memory);

  private:
    void visit_at(std::span<const codec::Tid> places, std::size_t rows,
                  const Visitor &visit) override;
    void visit_of(std::span<const rank::RowId> ids, const Visitor &visit) override;
    void visit_all(const Visitor &visit) override;
    Stored stored(const pg::Row &row);

    const Request &request_;
    std::string_view model_;
    rank::Gathered &found_;
};

} // namespace memory::facts
