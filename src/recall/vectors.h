// The vector arm: whose embeddings point where the query's does.
#pragma once

#include "access/scope.h"
#include "pg/vector.h"
#include "recall/row_id.h"

namespace memory::recall {

using VectorHits = std::pmr::vector<rank::Scored<rank::RowId>>; // by their cosines, in no order

// Those of the tenant's episodes whose embeddings have a cosine above `least` with `embedding`:
// compares with all of them. Needs a live Spi. An error when the model's vectors have other
// dimensions.
VectorHits similar(const access::Tenant &tenant, const pg::Vector &embedding, double least,
                   std::pmr::memory_resource *memory);

// The same for a tenant of more vectors than memory.exact_vector_rows, as far as the vector index
// knows: the `rows` most similar, and more. Nothing when that is no
// way: the tenant is smaller, or there is no index. Asks for more than `rows`, by which the best of
// them become the true ones.
std::optional<VectorHits> most_similar(const access::Tenant &tenant, const pg::Vector &embedding,
                                       double least, std::size_t rows,
                                       std::pmr::memory_resource *memory);

// The embeddings of these episodes of the current model; nothing when one has none. Needs a live
// Spi, and is valid as long as it.
std::optional<std::pmr::vector<const pg::Vector *>>
embeddings_of(const access::Tenant &tenant, std::span<const rank::RowId> ids,
              std::pmr::memory_resource *memory);

} // namespace memory::recall
