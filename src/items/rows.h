// Rows of items() in an order that was found before.
#pragma once

#include "access/scope.h"
#include "pg/rows.h"
#include "rank/arm.h"

namespace memory::items {

namespace detail {

// Rows of items, their ids in the column behind those of a memory.item.
pg::Rows rows_of(const access::Tenant &tenant, std::span<const pg_uuid_t> ids);
inline constexpr int id_column = 8;

} // namespace detail

// Adds the items of these ids to a result of items(); behind(n) are the score and the relevance of
// the n-th. Needs a live Spi.
template <class Behind>
void add_rows(const access::Tenant &tenant, std::span<const pg_uuid_t> ids, pg::ResultSet &result,
              Behind &&behind) {
    pg::ContextResource memory(CurrentMemoryContext);
    const pg::Rows rows = detail::rows_of(tenant, ids);
    rank::Positions<rank::RowId> places(&memory);
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        places.put(std::to_array(rows.get<pg::Uuid>(row, detail::id_column).data), row);
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (const auto place = places.find(std::to_array(ids[n].data)))
            result.add_row(rows, *place, behind(n));
}

} // namespace memory::items
