// Vectors of items, as the ranking of items asks for them.
#pragma once

#include "items/ranking.h"
#include "models/row_vectors.h"
#include "rank/gathered.h"

namespace memory::items {

rank::NewerThenId order_of(const pg_uuid_t &id, TimestampTz updated_at);

// Of the items that a request is about. Those that are visited are known to `found`, too.
class ItemVectors final : public models::RowVectors {
  public:
    // All of them must outlive it. Needs a live Spi.
    ItemVectors(const Request &request, std::string_view model, rank::Gathered &found,
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

} // namespace memory::items
