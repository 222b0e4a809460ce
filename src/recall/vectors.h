// The vector arm: whose embeddings point where the query's does.
#pragma once

#include "access/scope.h"
#include "pg/vector.h"
#include "recall/row_id.h"

namespace memory::recall {

struct VectorHits {
    explicit VectorHits(std::pmr::memory_resource *memory) : hits(memory) {}

    std::pmr::vector<rank::Scored<rank::RowId>> hits; // cosines above 0, in no order
    bool all = true;                                  // of the tenant; or the best of them
};

// The tenant's episodes by their embeddings' cosine with `embedding`. Compares with all of them;
// or, when that would take long and the best `enough` will do, has the vector index find these.
// Needs a live Spi. An error when the model's vectors have other dimensions.
VectorHits similar(const access::Tenant &tenant, const pg::Vector &embedding, std::size_t enough,
                   std::pmr::memory_resource *memory);

// The embeddings of these episodes of the current model; nothing when one has none. Needs a live
// Spi, and is valid as long as it.
std::optional<std::pmr::vector<const pg::Vector *>>
embeddings_of(const access::Tenant &tenant, std::span<const rank::RowId> ids,
              std::pmr::memory_resource *memory);

} // namespace memory::recall
