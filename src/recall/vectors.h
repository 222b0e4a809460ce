// The vector arm: whose embeddings point where the query's does.
#pragma once

#include "access/scope.h"
#include "pg/vector.h"
#include "recall/row_id.h"

namespace memory::recall {

using VectorHits = std::pmr::vector<rank::Scored<rank::RowId>>; // by their cosines, in no order

// What is done with hits: ranked among all rows, or none but the most similar are looked at.
enum class Use : std::uint8_t { ranks, nearest };

// Those of the tenant's episodes whose embeddings by `model` have a cosine above `least` with
// `embedding`.
// With `best`, so many of the most similar are all that matters: then the vector index is asked,
// where there is one and the tenant has more vectors than memory.exact_vector_rows, and believed if
// it finds enough and the best of them soon. For Use::nearest an index of codes is asked, where
// there is one, and gives what comparing all gives: of all that are above `least`, without `best`.
// Else all are compared. Needs a live Spi. An error when the model's vectors have other dimensions.
VectorHits similar(const access::Tenant &tenant, std::string_view model,
                   const pg::Vector &embedding, double least, std::optional<std::size_t> best,
                   Use use, std::pmr::memory_resource *memory);

// The embeddings of these episodes by `model`; nothing when one has none. Needs a live
// Spi, and is valid as long as it.
std::optional<std::pmr::vector<const pg::Vector *>>
embeddings_of(const access::Tenant &tenant, std::string_view model,
              std::span<const rank::RowId> ids, std::pmr::memory_resource *memory);

} // namespace memory::recall
